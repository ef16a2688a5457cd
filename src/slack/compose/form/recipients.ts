import type { InputBlock, KnownBlock } from '@slack/types';
import type { Audience } from '../../../sends/audience.ts';
import { LIMITS } from '../../connection/limits.ts';
import { input, option } from '../../kit/blocks/modal.ts';
import { inputFile, numberColumnInput, type UnclearFile } from '../../kit/files/file-inputs.ts';
import { plainText } from '../../kit/forms/input-block.ts';

/*
 * The part of a form that says to whom: one number, or a list from somewhere. Each name is the path of a field and
 * the id of its block.
 */

export const RECIPIENTS_FIELD = 'recipients';
export const NUMBERS_FIELD = 'numbers';
export const AUDIENCE_FIELD = 'audience';

const SOURCES = ['one', 'numbers', 'file', 'audience'] as const;
export type Source = (typeof SOURCES)[number];

const SOURCE_LABELS: Readonly<Record<Source, string>> = {
  one: 'One number',
  numbers: 'Many numbers',
  file: 'A CSV file',
  audience: 'A saved audience',
};

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
  const options = SOURCES.map((value) => option(SOURCE_LABELS[value], value));
  const chosen = options.find(({ value }) => value === source);
  const element = {
    type: 'static_select' as const,
    action_id: RECIPIENTS_FIELD,
    options,
    ...(chosen ? { initial_option: chosen } : {}),
  };
  return input(RECIPIENTS_FIELD, 'Recipients', element, { dispatch_action: true });
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
      return unclearFile === undefined ? inputFile() : numberColumnInput(unclearFile);
    case 'audience':
      return audienceBlock();
  }
}

function numbersBlock(value: unknown): InputBlock {
  const fits = typeof value === 'string' && value !== '' && value.length <= LIMITS.inputValue;
  const element = {
    type: 'plain_text_input' as const,
    action_id: NUMBERS_FIELD,
    multiline: true,
    max_length: LIMITS.inputValue,
    ...(fits ? { initial_value: value } : {}),
  };
  const hint = `One per line, or separated by commas; about ${Math.floor(LIMITS.inputValue / 14)} numbers fit. For more, choose a CSV file.`;
  return input(NUMBERS_FIELD, 'Numbers', element, { hint });
}

function audienceBlock(): InputBlock {
  const element = { type: 'external_select' as const, action_id: AUDIENCE_FIELD, min_query_length: 0 };
  return input(AUDIENCE_FIELD, 'Audience', element, {
    hint: 'Type to search. /audiences saves and lists them.',
  });
}

/** A saved audience as a choice. */
export function audienceOption({ id, name, counts }: Audience) {
  const tail = ` (${counts.valid.toLocaleString('en')})`;
  const room = LIMITS.optionText - tail.length;
  return option(plainText(name ?? id, room).text + tail, id);
}

/** What was typed for one source, to be there again when the person comes back to it. */
export interface Parked {
  readonly to?: string;
  readonly numbers?: string;
}

export function parkedOf(values: Readonly<Record<string, unknown>>, before: Parked | undefined): Parked {
  const { to, [NUMBERS_FIELD]: numbers } = values;
  return {
    ...before,
    ...(typeof to === 'string' ? { to } : {}),
    ...(typeof numbers === 'string' ? { numbers } : {}),
  };
}
