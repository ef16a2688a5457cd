import { linkLines, MEDIA_LABELS } from '../form/link.ts';
import { read, readList, typed } from '../form/partial-values.ts';
import { INTERACTIVE_LIMITS } from '../limits.ts';
import { withLineFeeds } from '../text.ts';
import { headerTypeIn, interactiveStructure } from './structure.ts';

/** An interactive message as the phone shows it, top to bottom, as far as the form is filled in. Never throws. */
export function interactiveText(entered: unknown): string {
  const { type } = interactiveStructure(entered);
  const at = (...path: readonly (string | number)[]) => read(entered, 'interactive', ...path);
  const choices = type === 'button' ? buttonLines(entered) : listLines(entered);
  return [...frameLines(at()), ...(choices.length > 0 ? [''] : []), ...choices].join('\n');
}

/** Header, body and footer, as far as they are filled in. */
export function frameLines(frame: unknown): readonly string[] {
  const body = typed(read(frame, 'body', 'text')) ?? '⟨text⟩';
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
  const left = (name: string, limit: keyof typeof INTERACTIVE_LIMITS, ...path: readonly PropertyKey[]) => {
    const text = read(entered, 'interactive', ...path);
    const used = typeof text === 'string' ? withLineFeeds(text).length : 0;
    return `${name} ${INTERACTIVE_LIMITS[limit] - used}`;
  };
  const ofButton = (_none: unknown, index: number) =>
    left(`button ${index + 1}`, 'buttonTitle', 'action', 'buttons', index, 'reply', 'title');
  const ofRow = (section: number, row: number) =>
    left(`row ${section + 1}.${row + 1}`, 'rowTitle', 'action', 'sections', section, 'rows', row, 'title');
  return `Characters left: ${[
    ...(header === 'text' ? [left('header', 'header', 'header', 'text')] : []),
    left('text', 'body', 'body', 'text'),
    left('footer', 'footer', 'footer', 'text'),
    ...(type === 'button'
      ? Array.from({ length: buttons }, ofButton)
      : [
          left('list button', 'listButton', 'action', 'button'),
          ...sections.flatMap((rows, section) =>
            Array.from({ length: rows }, (_none, row) => ofRow(section, row)),
          ),
        ]),
  ].join(' · ')}`;
}

function lines(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}
