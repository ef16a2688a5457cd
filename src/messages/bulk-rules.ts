import type { InteractiveMessage, Issue, Message } from './message.ts';
import { columnsUsed, personalFields } from './personalise.ts';
import { needsSecret } from './secrets.ts';

/** Names that people give to the same thing differ in case, spaces and marks: `Order No.` and `order_no`. */
function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

/** The column that is named as `name` is, give or take case, spaces and marks; undefined when none or several are. */
export function columnNamed(name: string, columns: readonly string[]): string | undefined {
  if (columns.includes(name)) return name;
  const wanted = plainName(name);
  const fitting = columns.filter((column) => wanted !== '' && plainName(column) === wanted);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** What a message to many must not be: see `parseBulkMessage`. Issues carry the form's paths. */
export function bulkIssues(message: Message, columns: readonly string[] | undefined): readonly Issue[] {
  return [
    ...passwordIssues(message),
    ...sameForAllIssues(message),
    ...(columns === undefined ? [] : unknownColumnIssues(message, columns)),
  ];
}

function passwordIssues(message: Message): Issue[] {
  if (!needsSecret(message)) return [];
  const path = message.kind === 'chatapp' ? 'template' : 'type';
  return [
    { path, message: 'A one-time password is for one person: it cannot be sent to a list. Choose another.' },
  ];
}

function sameForAllIssues(message: Message): Issue[] {
  return Object.entries(textsForAll(message)).flatMap(([path, text]) => {
    const [column] = columnsUsed(text ?? '');
    if (column === undefined) return [];
    const sentence = `This is the same for every recipient, so “{{${column}}}” cannot stand here. Write it out.`;
    return [{ path, message: sentence }];
  });
}

function textsForAll(message: Message): Readonly<Record<string, string | undefined>> {
  switch (message.kind) {
    case 'chatapp':
      return {
        'header.link': message.header?.link,
        'header.filename': message.header?.type === 'document' ? message.header.filename : undefined,
        campaignName: message.campaignName,
      };
    case 'rcs':
      return {
        ...Object.fromEntries(
          (message.fileUrls ?? []).map((url, index) => [`content.${index}.fileUrl`, url]),
        ),
        campaignName: message.campaignName,
      };
    case 'sms':
      return { campaignName: message.campaignName };
    case 'flash':
      return {};
    case 'interactive':
      return interactiveTextsForAll(message);
    case 'address':
      return {
        ...Object.fromEntries(
          message.savedAddresses.flatMap(({ value }, index) =>
            Object.entries(value).map(([name, text]) => [`savedAddresses.${index}.value.${name}`, text]),
          ),
        ),
        ...Object.fromEntries(
          Object.entries(message.validationErrors).map(([name, text]) => [`validationErrors.${name}`, text]),
        ),
      };
  }
}

/** What can be tapped comes back by its id and title, so it reads the same for everyone. */
function interactiveTextsForAll({ header, action }: InteractiveMessage): Record<string, string | undefined> {
  const media = header === undefined || header.type === 'text' ? undefined : header;
  const mediaTexts =
    media === undefined
      ? {}
      : {
          [`interactive.header.${media.type}.link`]: 'link' in media.media ? media.media.link : undefined,
          'interactive.header.document.filename': media.type === 'document' ? media.filename : undefined,
        };
  if (action.type === 'button') {
    const titles = action.buttons.map(({ title }, index) => [
      `interactive.action.buttons.${index}.reply.title`,
      title,
    ]);
    return { ...mediaTexts, ...Object.fromEntries(titles) };
  }
  const sections = action.sections.flatMap(({ title, rows }, index) => {
    const path = `interactive.action.sections.${index}`;
    return [
      [`${path}.title`, title],
      ...rows.flatMap((row, place) => [
        [`${path}.rows.${place}.title`, row.title],
        [`${path}.rows.${place}.description`, row.description],
      ]),
    ];
  });
  return { ...mediaTexts, 'interactive.action.button': action.button, ...Object.fromEntries(sections) };
}

function unknownColumnIssues(message: Message, columns: readonly string[]): Issue[] {
  return personalFields(message).flatMap(({ path, text }) =>
    columnsUsed(text)
      .filter((column) => !columns.includes(column))
      .map((column) => ({ path, message: unknownColumn(column, columns) })),
  );
}

const COLUMNS_NAMED = 10;

function unknownColumn(column: string, columns: readonly string[]): string {
  if (columns.length === 0) return `The list has numbers only, so “{{${column}}}” cannot be filled in.`;
  const meant = columnNamed(column, columns);
  if (meant !== undefined) return `The list has no column “${column}”. Write {{${meant}}}.`;
  const some = columns.slice(0, COLUMNS_NAMED).map((one) => `{{${one}}}`);
  const more = columns.length > COLUMNS_NAMED ? ` and ${columns.length - COLUMNS_NAMED} more` : '';
  return `The list has no column “${column}”. It has ${some.join(', ')}${more}.`;
}
