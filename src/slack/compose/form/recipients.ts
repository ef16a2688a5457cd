import type { InputBlock, KnownBlock } from '@slack/types';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import { TEXT_AFTER_WORDS_MS } from '../../../messages/limits.ts';
import type { Audience } from '../../../sends/audience.ts';
import { LIMITS } from '../../connection/limits.ts';
import {
  actions,
  button,
  context,
  input,
  moment,
  option,
  plainText,
  saying,
  searchedSelect,
  select,
  textInput,
} from '../../kit/blocks/blocks.ts';
import { duration } from '../../kit/cards/words.ts';
import {
  FILE_FIELD,
  inputFile,
  NUMBER_COLUMN_FIELD,
  numberColumnInput,
  type UnclearFile,
} from '../../kit/files/file-inputs.ts';
import type { FormValues } from '../../kit/forms/read-state.ts';
import { slackPieces, typedText } from '../../kit/message-text/command-text.ts';
import type { Answering } from './form-metadata.ts';

/*
 * The part of a form that says to whom: one number, or a list from somewhere. Each name is the path of a field and
 * the id of its block.
 */

export const RECIPIENTS_FIELD = 'recipients';
export const NUMBERS_FIELD = 'numbers';
export const AUDIENCE_FIELD = 'audience';

export const SAMPLE_ACTION = 'sample_list';
const SAMPLE_BLOCK = 'sample:file';

/** The choice of how a customer is answered. */
export const ANSWER_BY_FIELD = 'answer_by';

/** Says whom an answer goes to, and until when it may be in words of one's own. */
export function askedBlocks(kind: MessageKind, { about, heardAt }: Answering, now: number): KnownBlock[] {
  const isChatapp = KINDS[kind].channel === 'chatapp';
  return [saying(about), ...(isChatapp ? [context(timeLeft(heardAt, now))] : [])];
}

/** The ways to answer; none where there is one. */
export function answerByBlocks(kind: MessageKind, kinds: readonly MessageKind[] = []): KnownBlock[] {
  if (kinds.length < 2) return [];
  const options = kinds.map((one) => option(KINDS[one].title, one, KINDS[one].purpose));
  const element = select(ANSWER_BY_FIELD, options, kind);
  return [input(ANSWER_BY_FIELD, 'Answer by', element, { dispatch_action: true })];
}

function timeLeft(heardAt: number, now: number): string {
  const until = heardAt + TEXT_AFTER_WORDS_MS;
  const wrote = `They wrote ${duration(now - heardAt)} ago`;
  return until > now
    ? `${wrote}: free text until ${moment(until)}.`
    : `${wrote}. The chat app takes free text only within 24 hours of a customer’s last words: choose a template.`;
}

const SOURCES = {
  one: 'One number',
  numbers: 'Many numbers',
  file: 'A CSV file',
  audience: 'A saved audience',
} as const;
export type Source = keyof typeof SOURCES | 'group';

export function sourceIn({ [RECIPIENTS_FIELD]: chosen }: FormValues): Source {
  if (typeof chosen === 'string' && chosen.startsWith('@')) return 'group';
  return Object.keys(SOURCES).find((source): source is keyof typeof SOURCES => source === chosen) ?? 'one';
}

/** `@oncall-sg text`, or `@"Night shift" text` where a name has spaces. */
const GROUP_LINE = /^@(?:["“”]([^"“”]+)["“”]|([^\s,:;]+))[,:;]?(?:\s+([\s\S]*))?$/;

export function takesGroups(kind: MessageKind): boolean {
  const { command } = KINDS[kind];
  return 'takesGroups' in command && command.takesGroups === true;
}

/** A line to a group instead of a number; undefined for every other line. */
export function readGroupLine(raw: string) {
  const [, quoted, plain, text = ''] = GROUP_LINE.exec(typedText(slackPieces(raw)).trim()) ?? [];
  const name = quoted ?? plain;
  return name === undefined ? undefined : { name: name.trim(), text: text.trim() };
}

/** The on-call group that a form of such a kind names, in the menu or in the place of the number. */
export function groupIn(kind: MessageKind, values: FormValues): string | undefined {
  const named = sourceIn(values) === 'one' ? values.to : values[RECIPIENTS_FIELD];
  return takesGroups(kind) && typeof named === 'string' ? readGroupLine(named)?.name : undefined;
}

export function withoutRecipients(values: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([path]) => !CHOICE_OF_LIST.has(path)));
}

export const CHOICE_OF_LIST: ReadonlySet<string> = new Set([
  RECIPIENTS_FIELD,
  FILE_FIELD,
  NUMBER_COLUMN_FIELD,
  AUDIENCE_FIELD,
]);

interface RecipientsIn {
  readonly kind: MessageKind;
  readonly values?: FormValues;
  readonly sourceFile?: UnclearFile | undefined;
  readonly list?: { readonly audience: Audience } | undefined;
}

/**
 * The choice of where the recipients come from, and the inputs for what was chosen.
 *
 * @param list the list that another one is chosen for
 * @param groups the on-call groups, for a kind that may go to them
 * @param toBlock the input for one number
 */
export function recipientBlocks(
  { kind, values = {}, sourceFile, list }: RecipientsIn,
  groups: readonly string[],
  toBlock?: InputBlock,
): KnownBlock[] {
  const audience = list?.audience;
  const offered = takesGroups(kind) ? groups : [];
  const options = [
    ...Object.entries(SOURCES).map(([value, label]) => option(label, value)),
    ...offered.map((name) => option(`On call now: ${name}`, `@"${name}"`)),
  ];
  const chosen = select(RECIPIENTS_FIELD, options, values[RECIPIENTS_FIELD] ?? 'one');
  const inputs: Readonly<Record<Source, readonly KnownBlock[]>> = {
    one: toBlock ? [toBlock] : [],
    group: [],
    numbers: [numbersBlock(values[NUMBERS_FIELD])],
    file: [
      inputFile(undefined, sourceFile?.file),
      ...(sourceFile === undefined ? [] : [numberColumnInput(sourceFile, audience?.numberColumn)]),
      ...sampleBlocks(),
    ],
    audience: [audienceBlock(audience)],
  };
  const source = input(RECIPIENTS_FIELD, 'Recipients', chosen, { dispatch_action: true });
  return [source, ...inputs[sourceIn(values)]];
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

export function audienceOption({ id, name, counts }: Audience) {
  const tail = ` (${counts.valid.toLocaleString('en')})`;
  const room = LIMITS.optionText - tail.length;
  return option(plainText(name ?? id, room).text + tail, id);
}
