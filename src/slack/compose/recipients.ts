import type { InputBlock, KnownBlock } from '@slack/types';
import type { Audience } from '../../sends/audience.ts';
import { LIMITS } from '../blocks/limits.ts';
import type { GivenFile } from '../files/files.ts';
import { plainText } from '../forms/input-block.ts';

/*
 * The part of a form that says to whom: one number, or a list from somewhere. Each name is the path of a field and
 * the id of its block.
 */

export const RECIPIENTS_FIELD = 'recipients';
export const NUMBERS_FIELD = 'numbers';
export const FILE_FIELD = 'file';
export const AUDIENCE_FIELD = 'audience';
export const NUMBER_COLUMN_FIELD = 'numberColumn';

export const SOURCES = ['one', 'numbers', 'file', 'audience'] as const;
export type Source = (typeof SOURCES)[number];

const SOURCE_LABELS: Readonly<Record<Source, string>> = {
  one: 'One number',
  numbers: 'Many numbers',
  file: 'A CSV file',
  audience: 'A saved audience',
};

/** A file whose number column the person has to name. */
export interface UnclearFile {
  readonly file: GivenFile;
  readonly columns: readonly string[];
}

export function sourceIn(values: Readonly<Record<string, unknown>>): Source {
  return SOURCES.find((source) => source === values[RECIPIENTS_FIELD]) ?? 'one';
}

/** The choice of where the recipients come from, and the input for what was chosen. */
export function recipientBlocks(
  values: Readonly<Record<string, unknown>>,
  toBlock: InputBlock,
  unclearFile: UnclearFile | undefined,
): KnownBlock[] {
  return [sourceBlock(sourceIn(values)), inputFor(sourceIn(values), values, toBlock, unclearFile)];
}

function sourceBlock(source: Source): InputBlock {
  const options = SOURCES.map((value) => ({
    text: plainText(SOURCE_LABELS[value], LIMITS.optionText),
    value,
  }));
  const chosen = options.find((option) => option.value === source);
  return {
    type: 'input',
    block_id: RECIPIENTS_FIELD,
    label: plainText('Recipients', LIMITS.inputLabel),
    dispatch_action: true,
    element: {
      type: 'static_select',
      action_id: RECIPIENTS_FIELD,
      options,
      ...(chosen ? { initial_option: chosen } : {}),
    },
  };
}

function inputFor(
  source: Source,
  values: Readonly<Record<string, unknown>>,
  toBlock: InputBlock,
  unclearFile: UnclearFile | undefined,
): InputBlock {
  switch (source) {
    case 'one':
      return toBlock;
    case 'numbers':
      return numbersBlock(values[NUMBERS_FIELD]);
    case 'file':
      return unclearFile === undefined ? fileBlock() : numberColumnBlock(unclearFile);
    case 'audience':
      return audienceBlock();
  }
}

function numbersBlock(value: unknown): InputBlock {
  const held = typeof value === 'string' && value !== '' && value.length <= LIMITS.inputValue;
  return {
    type: 'input',
    block_id: NUMBERS_FIELD,
    label: plainText('Numbers', LIMITS.inputLabel),
    hint: plainText(
      `One a line, or with commas between them; about ${Math.floor(LIMITS.inputValue / 14)} numbers fit. For more, choose a CSV file.`,
      LIMITS.inputHint,
    ),
    element: {
      type: 'plain_text_input',
      action_id: NUMBERS_FIELD,
      multiline: true,
      max_length: LIMITS.inputValue,
      ...(held ? { initial_value: value } : {}),
    },
  };
}

function fileBlock(): InputBlock {
  return {
    type: 'input',
    block_id: FILE_FIELD,
    label: plainText('CSV file', LIMITS.inputLabel),
    hint: plainText(
      'The first row names the columns, and one of them has the numbers. The others can be used as {{column}}.',
      LIMITS.inputHint,
    ),
    element: { type: 'file_input', action_id: FILE_FIELD, filetypes: ['csv', 'txt', 'tsv'], max_files: 1 },
  };
}

/** A column is named by its place: its header may be longer than what Slack takes as a value. */
function numberColumnBlock({ file, columns }: UnclearFile): InputBlock {
  return {
    type: 'input',
    block_id: NUMBER_COLUMN_FIELD,
    label: plainText('Column with the numbers', LIMITS.inputLabel),
    hint: plainText(`Of ${file.name}.`, LIMITS.inputHint),
    element: {
      type: 'static_select',
      action_id: NUMBER_COLUMN_FIELD,
      options: columns.slice(0, LIMITS.selectOptions).map((column, index) => ({
        text: plainText(column.trim() === '' ? `Column ${index + 1}` : column, LIMITS.optionText),
        value: String(index),
      })),
    },
  };
}

function audienceBlock(): InputBlock {
  return {
    type: 'input',
    block_id: AUDIENCE_FIELD,
    label: plainText('Audience', LIMITS.inputLabel),
    hint: plainText('Type to search. /audiences saves and lists them.', LIMITS.inputHint),
    element: { type: 'external_select', action_id: AUDIENCE_FIELD, min_query_length: 0 },
  };
}

/** A saved audience as a choice. */
export function audienceOption({ id, name, counts }: Audience) {
  const tail = ` (${counts.valid.toLocaleString('en')})`;
  const room = LIMITS.optionText - tail.length;
  return { text: plainText(plainText(name ?? id, room).text + tail, LIMITS.optionText), value: id };
}
