import { people, rowsOf } from '../kit/cards/words.ts';

/** What Herald says about audiences and the opt-out list. Nothing is ever sent here, so nothing says so. */

export const NO_AUDIENCES = 'No audience is saved yet.';
export const NAME_MISSING = 'Enter a name.';
export const CHOOSE_COLUMN = 'Nothing was saved yet. Choose which column of the file has the numbers.';
export const COLUMN_UNCLEAR =
  'Herald cannot tell which column has the numbers, and there are too many to choose from here. Name that column “phone” and choose the file again.';
export const NO_LIST_POSTED =
  'This message has no CSV file. Choose this on a message with a file whose name ends in .csv or .csv.gz.';
export const SEVERAL_LISTS_POSTED =
  'This message has more than one CSV file. Post the one that you mean in a message of its own.';
export const READING = 'The file is being read. This window then shows what was found.';
export const UNREADABLE = 'The file could not be read to its end. Nothing was saved. Choose it again.';
export const FORM_TOO_OLD =
  'This form was opened with another version of Herald. Nothing was saved. Open it again.';

export function nameTaken(name: string, rows: number): string {
  return `There is an audience “${name}” already, of ${people(rows)}. Choose another name, or tick “Replace”.`;
}
export function noSuchAudience(name: string): string {
  return `There is no audience “${name}”. /audiences lists them.`;
}
export function nobodyInIt(read: number): string {
  const none = read === 1 ? 'The only row has no number' : `None of the ${rowsOf(read)} has a number`;
  return `${none} that can be sent to. Nothing was saved. Choose another file.`;
}
export function deleted(name: string): string {
  return `The audience “${name}” is deleted. Sends that were asked for with it keep their recipients.`;
}
export function deletedBefore(name: string): string {
  return `The audience “${name}” was deleted already.`;
}
