import type { InputBlock } from '@slack/types';
import { z } from 'zod';
import { LIMITS } from '../../connection/limits.ts';
import { input, option } from '../blocks/modal.ts';
import type { GivenFile } from './files.ts';

/* The inputs by which a form takes a CSV file, and the person names the column of its numbers. */

export const FILE_FIELD = 'file';
export const NUMBER_COLUMN_FIELD = 'numberColumn';

/** A file whose number column the person has to name. */
export interface UnclearFile {
  readonly file: GivenFile;
  readonly columns: readonly string[];
}

export function inputFile(): InputBlock {
  const hint =
    'The first row names the columns, and one of them has the numbers. The others can be used as {{column}}.';
  const element = {
    type: 'file_input' as const,
    action_id: FILE_FIELD,
    filetypes: ['csv', 'txt', 'tsv'],
    max_files: 1,
  };
  return input(FILE_FIELD, 'CSV file', element, { hint });
}

/** A column is named by its place: its header may be longer than what Slack takes as a value. */
export function numberColumnInput({ file, columns }: UnclearFile): InputBlock {
  const options = columns
    .slice(0, LIMITS.selectOptions)
    .map((column, index) => option(column.trim() === '' ? `Column ${index + 1}` : column, String(index)));
  const element = { type: 'static_select' as const, action_id: NUMBER_COLUMN_FIELD, options };
  return input(NUMBER_COLUMN_FIELD, 'Column with the numbers', element, { hint: `Of ${file.name}.` });
}

const filesSchema = z.array(z.object({ id: z.string().min(1), name: z.string().default('list.csv') }));

/** The file that a submitted form holds. */
export function fileIn(values: Readonly<Record<string, unknown>>): GivenFile | undefined {
  const files = filesSchema.safeParse(values[FILE_FIELD]);
  return files.success ? files.data[0] : undefined;
}

/** The header of the column that a submitted form names. */
export function numberColumnIn(
  values: Readonly<Record<string, unknown>>,
  unclearFile: UnclearFile | undefined,
): string | undefined {
  return unclearFile?.columns[Number(values[NUMBER_COLUMN_FIELD] ?? Number.NaN)];
}
