import type { InputBlock } from '@slack/types';
import { z } from 'zod';
import type { Issue } from '../../../messages/submission.ts';
import { LIMITS } from '../../connection/limits.ts';
import { input, option, select } from '../blocks/blocks.ts';
import type { FormValues } from '../forms/read-state.ts';

/* The inputs by which a form takes a CSV file, and the person names the column of its numbers. */

export const FILE_FIELD = 'file';
export const NUMBER_COLUMN_FIELD = 'numberColumn';

/** A file that a person gave in a form, as far as it is carried on: Slack's id and the person's name for it. */
export const givenFileSchema = z.strictObject({ id: z.string().min(1), name: z.string() });
export type GivenFile = z.output<typeof givenFileSchema>;

/** A file whose number column the person has to name. */
export const unclearFileSchema = z.strictObject({
  file: givenFileSchema,
  columns: z.array(z.string()).readonly(),
});
export type UnclearFile = z.output<typeof unclearFileSchema>;

/** In the menu of a message, with which Slack takes files of up to 1 GB. */
export const POSTED_FILE_SHORTCUT = 'Use file as an audience';
const POST_LARGER = `Post a larger one, also as .csv.gz, in a channel with Herald and choose “${POSTED_FILE_SHORTCUT}” in the menu of that message.`;

/**
 * @param larger what to do with a file that Slack does not take in a form
 * @param before the file that is used unless another is chosen
 */
export function inputFile(larger = POST_LARGER, before?: GivenFile): InputBlock {
  const hint = `The first row names the columns, and one of them has the numbers. The others can be used as {{column}}. At most 10 MB. ${larger}`;
  const element = {
    type: 'file_input' as const,
    action_id: FILE_FIELD,
    filetypes: ['csv', 'txt', 'tsv'],
    max_files: 1,
  };
  if (before === undefined) return input(FILE_FIELD, 'CSV file', element, { hint });
  const again = `Left empty, it is ${before.name}.`;
  return input(FILE_FIELD, 'Another CSV file', element, { hint: again, optional: true });
}

/**
 * A column is named by its place: its header may be longer than what Slack takes as a value.
 *
 * @param chosen the column that the numbers were taken from
 */
export function numberColumnInput({ file, columns }: UnclearFile, chosen?: string): InputBlock {
  const options = columns
    .slice(0, LIMITS.selectOptions)
    .map((column, index) => option(column.trim() === '' ? `Column ${index + 1}` : column, String(index)));
  const place = chosen === undefined ? -1 : columns.indexOf(chosen);
  const element = select(NUMBER_COLUMN_FIELD, options, String(place));
  return input(NUMBER_COLUMN_FIELD, 'Column with the numbers', element, { hint: `Of ${file.name}.` });
}

/** Slack gives no more than the id of some files in shared channels. */
const filesSchema = z.array(z.object({ id: z.string().min(1), name: z.string().default('list.csv') }));

/** Slack's file objects, of a form or of a message. */
export function givenFiles(files: unknown): readonly GivenFile[] {
  return filesSchema.safeParse(files).data ?? [];
}

export function fileIn(values: FormValues): GivenFile | undefined {
  return givenFiles(values[FILE_FIELD])[0];
}

/** The header of the column that a submitted form names. */
export function numberColumnIn(values: FormValues, unclearFile: UnclearFile | undefined): string | undefined {
  return unclearFile?.columns[Number(values[NUMBER_COLUMN_FIELD] ?? Number.NaN)];
}

export function fileIssues(values: FormValues, unclearFile: UnclearFile | undefined): readonly Issue[] {
  const given = fileIn(values);
  if (given !== undefined && given.id !== unclearFile?.file.id) return [];
  if (unclearFile === undefined) return [{ path: FILE_FIELD, message: 'Choose a CSV file.' }];
  if (numberColumnIn(values, unclearFile) !== undefined) return [];
  return [{ path: NUMBER_COLUMN_FIELD, message: 'Choose the column that has the numbers.' }];
}

/** A larger file is not read to its end. `sends/audiences` has the sentence; this only bounds the transfer. */
export const CSV_MAX_BYTES = 128 * 1024 * 1024;
