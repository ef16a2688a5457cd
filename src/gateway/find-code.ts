import { given } from '../core/given.ts';
import { FAILURE_CODES, SUCCESS_CODE } from './codes.ts';
import * as keys from './keys.ts';
import type { Answer, AnswerMember } from './read-answer.ts';
import { isTaken } from './status-words.ts';

/** What an answer says besides its status. */
export interface FoundCode {
  /** A failure code of the interface document's list. */
  readonly listed?: string;
  /** A code that is not on the list, as it came; only where no listed one was found. */
  readonly unlisted?: string;
  /** True when the code stands in a list in which other entries carry no failure. */
  readonly partial: boolean;
  /** The field of the request that the answer blames. */
  readonly field?: string;
}

const LONGEST_FIELD = 100;
const LONGEST_DETAIL = 2_000;

const NOTHING: FoundCode = { partial: false };

/**
 * Finds the code an answer clearly carries, as number or text, wherever the body puts it. A number that merely
 * equals a code, such as `count: 100`, is none: short codes are believed only under keys made for codes, in the
 * answer itself or in its error, and not beside a success.
 *
 * @param fieldNames of our own requests: only these are believed, so that no value that was echoed is taken for a name
 * @param status of the answer: a code that only repeats it is none
 */
export function findCode(answer: Answer, fieldNames: ReadonlySet<string>, status?: number): FoundCode {
  if (answer.kind === 'empty') return NOTHING;
  if (answer.kind === 'text') return codeInText(answer.text);
  const { members } = answer;
  const failure = failureMember(members);
  const listed = failure && codeOf(failure.value);
  const unlisted = listed === undefined ? unlistedCode(members, String(status)) : undefined;
  const field = blamedField(members, fieldNames);
  return given({
    listed,
    unlisted,
    partial: failure !== undefined && isPartial(members, failure),
    field,
  });
}

/** The six-digit codes say more than 100, and are taken before it; first those that leave open what was sent. */
function failureMember(members: readonly AnswerMember[]): AnswerMember | undefined {
  const long = members.find(carriesLongCode);
  if (long) return members.find((one) => carriesLongCode(one) && isOpen(one)) ?? long;
  const underError = members.find((one) => carriesShortCode(one) && speaksOfError(one));
  if (underError) return underError;
  const saysSuccess = members.some(
    ({ key, value }) =>
      (keys.CODE_KEYS.has(key) && codeOf(value) === SUCCESS_CODE) ||
      (key === 'status' && typeof value === 'string' && isTaken(value)),
  );
  return saysSuccess ? undefined : members.find((one) => carriesShortCode(one) && isInEnvelope(one));
}

function carriesLongCode({ key, value }: AnswerMember): boolean {
  const code = codeOf(value);
  return (
    code !== undefined &&
    code.length > 3 &&
    FAILURE_CODES.has(code) &&
    (keys.CODE_KEYS.has(key) || keys.AMBIGUOUS_KEYS.has(key))
  );
}

function isOpen({ value }: AnswerMember): boolean {
  return FAILURE_CODES.get(codeOf(value) ?? '')?.state === 'unknown';
}

function carriesShortCode({ key, value }: AnswerMember): boolean {
  const code = codeOf(value);
  return code?.length === 3 && FAILURE_CODES.has(code) && keys.CODE_KEYS.has(key);
}

function speaksOfError({ key, parents }: AnswerMember): boolean {
  return keys.ERROR_CODE_KEYS.has(key) || keys.ERROR_CONTAINERS.has(parents.at(-1) ?? '');
}

function isInEnvelope({ parents }: AnswerMember): boolean {
  return parents.every((parent) => keys.ENVELOPES.has(parent));
}

/** A whole number, or text that is one, e.g. `132000`, `"132000"`, `"#132000"`; undefined for anything else. */
function codeOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === 'string' ? /^\s*#?(\d{3,6})\s*$/.exec(value)?.[1] : undefined;
}

/** A list in an error holds one failure many times; any other holds one entry a message, be there an error inside or not. */
function isPartial(members: readonly AnswerMember[], failure: AnswerMember): boolean {
  const { list } = failure;
  if (list === undefined || list.names.some((name) => keys.ERROR_CONTAINERS.has(name))) return false;
  const failed = new Set<number>();
  for (const one of members) {
    if (one.list?.elements !== list.elements) continue;
    if (carriesLongCode(one) || carriesShortCode(one)) failed.add(one.list.index);
  }
  return failed.size < list.elements.length;
}

function unlistedCode(members: readonly AnswerMember[], status: string): string | undefined {
  for (const one of members) {
    if (!keys.CODE_KEYS.has(one.key) || !isInEnvelope(one)) continue;
    const code = asShownCode(one.value);
    if (code !== undefined && ![SUCCESS_CODE, '0', status].includes(code)) return code;
  }
  return undefined;
}

/** Shown to people as it came, so it must look like a code and not like a number of somebody's telephone. */
export function asShownCode(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  return /^-?[A-Za-z0-9][A-Za-z0-9_.:-]{0,39}$/.test(text) && !/\d{8}/.test(text) ? text : undefined;
}

function blamedField(members: readonly AnswerMember[], fieldNames: ReadonlySet<string>): string | undefined {
  for (const { key, value } of members) {
    if (keys.FIELD_KEYS.has(key) && typeof value === 'string' && isField(value, fieldNames)) return value;
  }
  for (const { key, value } of members) {
    if (!keys.DETAIL_KEYS.has(key) || typeof value !== 'string' || value.length > LONGEST_DETAIL) continue;
    const field = fieldInSentence(value, fieldNames);
    if (field !== undefined) return field;
  }
  return undefined;
}

/** `to` and `text` are English words too: in a sentence only quoted names and compound ones count. */
function fieldInSentence(sentence: string, fieldNames: ReadonlySet<string>): string | undefined {
  for (const [, quoted] of sentence.matchAll(/["'`]([A-Za-z][\w.[\]]*)["'`]/g)) {
    if (quoted !== undefined && isField(quoted, fieldNames)) return quoted;
  }
  for (const [word] of sentence.matchAll(/[A-Za-z][\w[\]]*(?:\.\w[\w[\]]*)*/g)) {
    if (/[a-z][A-Z]|[.[]/.test(word) && isField(word, fieldNames)) return word;
  }
  return undefined;
}

/** A path such as `components.body.params[0]` of which every name is one of our own fields. */
function isField(text: string, fieldNames: ReadonlySet<string>): boolean {
  if (text.length > LONGEST_FIELD) return false;
  const names = text.split(/[.[\]]+/).filter((part) => part !== '' && !/^\d+$/.test(part));
  return names.length > 0 && names.every((name) => fieldNames.has(name));
}

/** Plain text and markup: a six-digit listed code that stands alone or right behind the word for it. */
function codeInText(text: string): FoundCode {
  const patterns = [
    /^#?(\d{6})$/g,
    /code["']?\s*(?:[:=#>]\s*)?["']?(\d{6})\b/gi,
    /\berror\W{1,4}(\d{6})\b/gi,
  ];
  for (const pattern of patterns) {
    for (const [, code] of text.matchAll(pattern)) {
      if (code !== undefined && FAILURE_CODES.has(code)) return { listed: code, partial: false };
    }
  }
  return NOTHING;
}
