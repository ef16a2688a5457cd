import { linkLines, MEDIA_LABELS } from '../form/link.ts';
import { read, readList, typed } from '../form/partial-values.ts';
import {
  BUTTON_TITLE_MAX_CHARACTERS,
  INTERACTIVE_BODY_MAX_CHARACTERS,
  INTERACTIVE_FOOTER_MAX_CHARACTERS,
  INTERACTIVE_HEADER_MAX_CHARACTERS,
  LIST_BUTTON_MAX_CHARACTERS,
  ROW_TITLE_MAX_CHARACTERS,
} from '../limits.ts';
import { withLineFeeds } from '../text.ts';
import { headerTypeIn, interactiveStructure } from './structure.ts';

/** An interactive message as the phone shows it, top to bottom, as far as the form is filled in. Never throws. */
export function interactiveText(entered: unknown): string {
  const { type } = interactiveStructure(entered);
  const at = (...path: readonly (string | number)[]) => read(entered, 'interactive', ...path);
  return [...frameLines(at()), '', ...(type === 'button' ? buttonLines(entered) : listLines(entered))].join(
    '\n',
  );
}

/** Header, body and footer, as far as they are filled in. */
export function frameLines(frame: unknown): readonly string[] {
  const body = typed(read(frame, 'body', 'text')) ?? '⟨body⟩';
  return [...headerLines(frame), withLineFeeds(body), ...lines(typed(read(frame, 'footer', 'text')))];
}

function headerLines(frame: unknown): readonly string[] {
  const header = headerTypeIn(frame);
  const at = (...path: readonly string[]) => typed(read(frame, 'header', ...path));
  switch (header) {
    case 'none':
      return [];
    case 'text':
      return [at('text') ?? '⟨header⟩', ''];
    case 'document':
      return [`[${MEDIA_LABELS[header]}: ${at(header, 'filename') ?? '⟨file name⟩'}]`];
    default:
      return linkLines(header, at(header, 'link') ?? at(header, 'id'));
  }
}

function buttonLines(entered: unknown): readonly string[] {
  const { buttons } = interactiveStructure(entered);
  const list = readList(entered, 'interactive', 'action', 'buttons');
  return Array.from({ length: buttons }, (_none, index) =>
    buttonLine(typed(read(list[index], 'reply', 'title')) ?? `⟨button ${index + 1}⟩`),
  );
}

export function buttonLine(title: string): string {
  return `[ ${title} ]`;
}

export function listButtonLine(title: string): string {
  return buttonLine(`☰ ${title}`);
}

function listLines(entered: unknown): readonly string[] {
  const { sections } = interactiveStructure(entered);
  const given = readList(entered, 'interactive', 'action', 'sections');
  const opener = typed(read(entered, 'interactive', 'action', 'button')) ?? '⟨list button⟩';
  return [
    listButtonLine(opener),
    ...sections.flatMap((rows, index) => [
      ...lines(typed(read(given[index], 'title'))),
      ...Array.from({ length: rows }, (_none, row) => rowLine(readList(given[index], 'rows')[row], row)),
    ]),
  ];
}

function rowLine(row: unknown, index: number): string {
  const title = typed(read(row, 'title')) ?? `⟨row ${index + 1}⟩`;
  const description = typed(read(row, 'description'));
  return description === undefined ? `○ ${title}` : `○ ${title} – ${description}`;
}

/** How many characters each field has room for yet; a negative number is too many. */
export function spaceLeft(entered: unknown): string {
  const { type, header, buttons, sections } = interactiveStructure(entered);
  const left = (most: number, ...path: readonly (string | number)[]) => {
    const text = read(entered, 'interactive', ...path);
    return most - (typeof text === 'string' ? withLineFeeds(text).length : 0);
  };
  const header60 = left(INTERACTIVE_HEADER_MAX_CHARACTERS, 'header', 'text');
  return `Characters left: ${[
    ...(header === 'text' ? [`header ${header60}`] : []),
    `body ${left(INTERACTIVE_BODY_MAX_CHARACTERS, 'body', 'text')}`,
    `footer ${left(INTERACTIVE_FOOTER_MAX_CHARACTERS, 'footer', 'text')}`,
    ...(type === 'button'
      ? Array.from(
          { length: buttons },
          (_none, index) =>
            `button ${index + 1} ${left(BUTTON_TITLE_MAX_CHARACTERS, 'action', 'buttons', index, 'reply', 'title')}`,
        )
      : [
          `list button ${left(LIST_BUTTON_MAX_CHARACTERS, 'action', 'button')}`,
          ...sections.flatMap((rows, section) =>
            Array.from(
              { length: rows },
              (_none, row) =>
                `row ${section + 1}.${row + 1} ${left(ROW_TITLE_MAX_CHARACTERS, 'action', 'sections', section, 'rows', row, 'title')}`,
            ),
          ),
        ]),
  ].join(' · ')}`;
}

function lines(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}
