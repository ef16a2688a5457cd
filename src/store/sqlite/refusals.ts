import { UNRELEASED } from '../schema.ts';
import { logOf } from './log.ts';
import { markerOf, type Standing } from './newest-copy.ts';

/** Why a database file is not used as it lies there, each with what to do about it. */
export const refusals = {
  inUse: (file: string) =>
    `The database ${file} is in use by another Herald. Stop that one first, or name another file.`,
  notAFile: (file: string) =>
    `${file} is a folder or a device, and the database is a file. Name a file in DATABASE_URL, such as file:./data/herald.db.`,
  newer: (file: string) =>
    `The database ${file} was written by a newer Herald. Start that version. To go back to this one, restore what was copied before the upgrade, ${file}.before-upgrade, or a backup: node dist/main.js restore PATH.`,
  unreleased: (file: string) =>
    `The database ${file} ${UNRELEASED} Name another file in DATABASE_URL, or go on with that commit.`,
  logOfAnother: (file: string) =>
    `The log ${logOf(file)} belongs to another copy of the database than ${file}. Merged, they would be damaged, and people could be messaged twice. Nothing was changed and nothing was sent. ${WAYS_ON}`,
  notThere: (file: string) => `There is no database ${file}. Check the path.`,
  wouldOverwrite: (copy: string) =>
    `There is a file ${copy} already, and a backup never replaces one. Name another file.`,
  isItself: (copy: string) => `${copy} is the database itself. Name the file of a backup.`,
  notHeralds: (file: string) => `The file ${file} is no database of Herald. Name another file.`,
  damaged: (file: string, found: string) =>
    `The database ${file} is damaged (${found}). Use a backup: node dist/main.js restore PATH.`,
  diskFull: (file: string) =>
    `The disk of the database ${file} is full, or gives errors. Make room there, and do the same again.`,
  nothingToAccept: (file: string) =>
    `There is nothing to accept: Herald starts on the database ${file} as it is.`,
} as const;

const WAYS_ON =
  'If the file was put here by mistake, put the right one back. If it was put here as a backup, put the files back as they were and use node dist/main.js restore PATH. To go on with the file as it lies here, run node dist/main.js accept-older-database once, and start again: opt-outs that it does not know are lost, and every send that it holds as not ended is stopped until a person decides.';

/** @returns undefined for a database that may be used */
export function refusalOf(standing: Standing, file: string): string | undefined {
  if (standing === 'newest' || standing === 'restored') return undefined;
  const what =
    standing === 'empty'
      ? `The database ${file} is empty or not there, but one with opt-outs or sends in it was used here before`
      : `The database ${file} is an older copy than the one that was used here last: it does not know the opt-outs and sends since then`;
  return `${what}, as the marker ${markerOf(file)} says. Nothing was changed and nothing was sent. ${WAYS_ON}`;
}
