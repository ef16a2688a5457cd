import type { InputBlock, KnownBlock } from '@slack/types';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import type { Audience } from '../../../sends/audience.ts';
import { LIMITS } from '../../connection/limits.ts';
import {
  actions,
  button,
  input,
  option,
  plainText,
  saying,
  searchedSelect,
  select,
  textInput,
} from '../../kit/blocks/blocks.ts';
import {
  FILE_FIELD,
  inputFile,
  NUMBER_COLUMN_FIELD,
  numberColumnInput,
  type UnclearFile,
} from '../../kit/files/file-inputs.ts';
import type { FormValues } from '../../kit/forms/read-state.ts';
import type { FormMetadata } from './form-metadata.ts';

/*
 * The part of a form that says to whom: one number, or a list from somewhere. Each name is the path of a field and
 * the id of its block.
 */

export const RECIPIENTS_FIELD = 'recipients';
export const NUMBERS_FIELD = 'numbers';
export const AUDIENCE_FIELD = 'audience';

/** The button for a sample of a list. */
export const SAMPLE_ACTION = 'sample_list';
const SAMPLE_BLOCK = 'sample:file';

/** The choice of how a customer is answered. */
export const ANSWER_BY_FIELD = 'answer_by';

/** Whom an answer goes to, and how. */
export function answeringBlocks(
  kind: MessageKind,
  { about, kinds }: NonNullable<FormMetadata['answering']>,
): KnownBlock[] {
  if (kinds.length < 2) return [saying(about)];
  const options = kinds.map((one) => option(KINDS[one].title, one));
  const element = select(ANSWER_BY_FIELD, options, kind);
  return [saying(about), input(ANSWER_BY_FIELD, 'Answer by', element, { dispatch_action: true })];
}

const SOURCES = ['one', 'numbers', 'file', 'audience'] as const;
export type Source = (typeof SOURCES)[number];

const SOURCE_LABELS: Readonly<Record<Source, string>> = {
  one: 'One number',
  numbers: 'Many numbers',
  file: 'A CSV file',
  audience: 'A saved audience',
};

export function sourceIn(values: FormValues): Source {
  return SOURCES.find((source) => source === values[RECIPIENTS_FIELD]) ?? 'one';
}

/** What the inputs for recipients hold. */
interface Held {
  readonly values: FormValues;
  readonly sourceFile?: UnclearFile | undefined;
  /** The list that another one is chosen for. */
  readonly audience?: Audience | undefined;
}

/** The values of a form without the choice of a list. */
export function withoutRecipients(values: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([path]) => !CHOICE.has(path)));
}

const CHOICE: ReadonlySet<string> = new Set([
  RECIPIENTS_FIELD,
  FILE_FIELD,
  NUMBER_COLUMN_FIELD,
  AUDIENCE_FIELD,
]);

/**
 * The choice of where the recipients come from, and the inputs for what was chosen.
 *
 * @param toBlock the input for one number
 */
export function recipientBlocks(held: Held, toBlock?: InputBlock): KnownBlock[] {
  const source = sourceIn(held.values);
  return [sourceBlock(source), ...inputsFor(source, held, toBlock)];
}

function sourceBlock(source: Source): InputBlock {
  const options = SOURCES.map((value) => option(SOURCE_LABELS[value], value));
  const element = select(RECIPIENTS_FIELD, options, source);
  return input(RECIPIENTS_FIELD, 'Recipients', element, { dispatch_action: true });
}

function inputsFor(
  source: Source,
  { values, sourceFile, audience }: Held,
  toBlock: InputBlock | undefined,
): KnownBlock[] {
  switch (source) {
    case 'one':
      return toBlock ? [toBlock] : [];
    case 'numbers':
      return [numbersBlock(values[NUMBERS_FIELD])];
    case 'file':
      return [
        inputFile(undefined, sourceFile?.file),
        ...(sourceFile === undefined ? [] : [numberColumnInput(sourceFile, audience?.numberColumn)]),
        ...sampleBlocks(),
      ];
    case 'audience':
      return [audienceBlock(audience)];
  }
}

/** @param said what became of the sample that was asked for */
export function sampleBlocks(said?: string): KnownBlock[] {
  const note = said === undefined ? [] : [saying(said, `${SAMPLE_BLOCK}:said`)];
  return [...actions([button(SAMPLE_ACTION, 'Get a sample file', 'sample')], SAMPLE_BLOCK), ...note];
}

function numbersBlock(value: unknown): InputBlock {
  const look = { multiline: true, maxLength: LIMITS.inputValue, initial: value } as const;
  const hint = `One per line, or separated by commas; about ${Math.floor(LIMITS.inputValue / 14)} numbers fit. For more, choose a CSV file.`;
  return input(NUMBERS_FIELD, 'Numbers', textInput(NUMBERS_FIELD, look), { hint });
}

function audienceBlock(before: Audience | undefined): InputBlock {
  const element = searchedSelect(
    AUDIENCE_FIELD,
    before?.name === undefined ? undefined : audienceOption(before),
  );
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
type Parked = NonNullable<FormMetadata['parked']>;

export function parkedOf(values: FormValues, before: Parked | undefined): Parked {
  const { to, [NUMBERS_FIELD]: numbers } = values;
  return {
    ...before,
    ...(typeof to === 'string' ? { to } : {}),
    ...(typeof numbers === 'string' ? { numbers } : {}),
  };
}
