import { columnNamed, columnsUsed } from './columns.ts';
import { kindOf, type Message } from './kinds.ts';
import { personalFields } from './personalise.ts';
import type { Issue } from './submission.ts';

/** What a message to many must not be: see `parseBulkMessage`. Issues carry the form's paths. */
export function bulkIssues(message: Message, columns: readonly string[] | undefined): readonly Issue[] {
  return [
    ...passwordIssues(message),
    ...sameForAllIssues(message),
    ...(columns === undefined ? [] : unknownColumnIssues(message, columns)),
  ];
}

function passwordIssues(message: Message): Issue[] {
  const { needsSecret, passwordPath: path = '' } = kindOf(message);
  if (!needsSecret(message)) return [];
  return [
    { path, message: 'A one-time password is for one person: it cannot be sent to a list. Choose another.' },
  ];
}

function sameForAllIssues(message: Message): Issue[] {
  return Object.entries(kindOf(message).sameForAll(message)).flatMap(([path, text]) => {
    const [column] = columnsUsed(text ?? '');
    if (column === undefined) return [];
    const sentence = `This is the same for every recipient, so “{{${column}}}” cannot stand here. Write it out.`;
    return [{ path, message: sentence }];
  });
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
