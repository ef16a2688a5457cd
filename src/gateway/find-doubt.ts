import { asShownCode } from './find-code.ts';
import { findMessageId } from './find-message-id.ts';
import * as keys from './keys.ts';
import type { Answer, AnswerMember } from './read-answer.ts';
import { MOST_READ, saidIn } from './status-words.ts';

/** Why a 2xx answer cannot be taken for a success. */
export interface Doubt {
  /** The answer's own code, where it has one that can be shown. */
  readonly code?: string;
  /** True where it neither tells of a failure nor of a success that is known. */
  readonly isUnclear?: true;
}

/** Besides the known envelopes, whatever is called like one: `SubmitResponse`, `messageData`. */
const ENVELOPE_NAME =
  /(?:response|result|data|message|msg|report|recipient|status|payload|sms|detail|output)s?$/;
/** Entries by place or by number: `data: {"0": {…}}`, `{"+9198…": {…}}`. */
export const ENTRY_NAME = /^\+?\d+$/;

/** Keys that tell of an error, or name those who were refused, whenever their value says anything. */
const ERROR_KEY =
  /^(?:is|has|num|total)?(?:err|errors?|exceptions?|failures?|failed|faults?|rejected|refused|invalid|undelivered|unsent|notsent|blocked|blacklisted|dnd|skipped)(?:no|message|msg|texts?|desc|description|details?|reasons?|title|info|type|name|string|count|list|total|numbers?|nums?|recipients?|receivers?|messages?|contacts?|msisdns?|mobiles?|phones?|ids?)?$/;
export const WORD_KEYS = new Set(['result', 'response', 'return', 'type', 'outcome', 'level']);
const SENTENCE_KEY = /^(?:message|msg|description|desc|reason|remarks?|info|details?)$/;
const SUCCESS_CODE = /^(?:(?:[a-z]{1,4}[_-]?)?0+|2\d\d|2000)$/;
const SUCCESS_WORD =
  /^(?:ok|okay|success|successful|successfully|succeeded|accepted|submitted|queued|sent|done|created|pending|processed|true)$/;
export const SAYS_NOTHING = /^(?:0*|false|n|no|none|null|nil|undefined|n\/a|na|-|no[ _]?errors?)$/;
/** A web page, as a proxy may show one, JSON that broke off, bytes that are no text: none is a word of the service. */
const NO_WORD = /^(?:<!doctype html|<html|<head|<body|[{[]|null$)|\ufffd/i;
/** `E101`, `A413`: letters and digits where a status has a word. */
const CODE_FOR_WORD = /^[a-z]{1,4}[_-]?\d{2,6}$/i;
const NUMBER = /^-?\d+$/;
const LOWEST_FAILURE_STATUS = 300;
const GOOD_NUMBER = /^(?:0+|1|2\d\d)$/;
/** The word of a service itself; `accountStatus` and the like only tell of failures. */
const OWN_STATUS = /^(?:(?:message|msg|sms|delivery|send|submit|request|response)?(?:status|state))?$/;
/** Error keys that hold a code or a sentence. */
const CODE_OR_TEXT: ReadonlySet<string> = new Set(['error', 'err', 'errno', 'fault']);

/**
 * Looks in the answer of a 2xx for what speaks against its status: an error that says something, a flag that says
 * no, a code that is no success, a status word or a bare text that is no known success. Success codes are 0 (however many
 * zeros), 200 to 299, and words such as `OK` or `queued`. What says nothing either way, such as a web page, is no doubt.
 */
export function findDoubt(answer: Answer): Doubt | undefined {
  if (answer.kind === 'empty') return undefined;
  if (answer.kind === 'text') {
    const said = NO_WORD.test(answer.text) ? 'fine' : saidIn(answer.text);
    if (said === 'failed') return {};
    return said === undefined && answer.text.length <= MOST_READ ? { isUnclear: true } : undefined;
  }
  const failing = findSign(answer.members);
  const sign = failing ?? answer.members.find(isUnclear);
  const sentence = failing ?? failingMessage(answer, answer.members);
  const beside = sign ?? sentence;
  return (
    beside && { ...codeBeside(beside, answer.members), ...(sentence === undefined && { isUnclear: true }) }
  );
}

/** The answer's own code, whether or not it speaks of a failure. */
export function ownCode(answer: Answer): Doubt {
  return answer.kind === 'json' ? codeBeside(undefined, answer.members) : {};
}

/** The first member that speaks of a failure. */
export function findSign(members: readonly AnswerMember[]): AnswerMember | undefined {
  const good = members.filter(({ key, value }) => keys.CODE_KEYS.has(key) && isSuccess(value));
  const fine = new Set(good.map(({ object }) => object));
  const errorFree = new Set(
    good.filter(({ key }) => keys.ERROR_CODE_KEYS.has(key)).map(({ object }) => object),
  );
  // `errorCode: "000"` makes the `errorMessage: "Done"` beside it no error; so does `error: {code: 0, …}`.
  const isExcused = ({ key, parents, object }: AnswerMember) =>
    !keys.ERROR_CONTAINERS.has(key) &&
    (keys.ERROR_CONTAINERS.has(parents.at(-1) ?? '') ? fine : errorFree).has(object);
  return members.find((one) => {
    if (keys.CODE_KEYS.has(one.key)) return isUnlistedCode(one);
    if (ERROR_KEY.test(one.key) || one.parents.some((name) => ERROR_KEY.test(name)))
      return saysSomething(one.value) && !isExcused(one);
    return isWrapped(one) && (isFlagDown(one) || isFailingStatus(one));
  });
}

function isUnlistedCode(one: AnswerMember): boolean {
  return isWrapped(one) && saysSomething(one.value) && !isSuccess(one.value);
}

function isWrapped({ parents }: AnswerMember): boolean {
  return parents.every(
    (name) => keys.ENVELOPES.has(name) || ENVELOPE_NAME.test(name) || ENTRY_NAME.test(name),
  );
}

function isFlagDown({ key, value }: AnswerMember): boolean {
  if (!keys.FLAGS.has(key)) return false;
  const text = String(value).trim().toLowerCase();
  return text === 'false' || text === 'no' || (keys.ZERO_IS_FALSE.has(key) && /^0+$/.test(text));
}

/** A bare word, `NO-CREDITS`, is a member without a key. */
function isFailingStatus({ key, value, parents }: AnswerMember): boolean {
  const isStatus = keys.STATUS_KEY.test(key) || key === '';
  if (!isStatus && !WORD_KEYS.has(key) && parents.at(-1) !== 'status') return false;
  const text = asText(value) ?? '';
  return isStatus && NUMBER.test(text) ? Number(text) >= LOWEST_FAILURE_STATUS : saidIn(text) === 'failed';
}

/** The status word of a service that is neither a known failure nor a known success. */
export function isUnclear(one: AnswerMember): boolean {
  const text = asText(one.value) ?? '';
  if (text === '' || !OWN_STATUS.test(one.key) || !isWrapped(one)) return false;
  return NUMBER.test(text) ? !GOOD_NUMBER.test(text) : saidIn(text) === undefined;
}

/** Only where nothing was taken that has an id: a success may echo the customer's text. */
function failingMessage(answer: Answer, members: readonly AnswerMember[]): AnswerMember | undefined {
  const failing = members.find(
    (one) => SENTENCE_KEY.test(one.key) && isWrapped(one) && saidIn(asText(one.value) ?? '') === 'failed',
  );
  return failing && findMessageId(answer) === undefined ? failing : undefined;
}

export function isSuccess(value: unknown): boolean {
  const text = asText(value)?.toLowerCase() ?? '';
  return SUCCESS_CODE.test(text) || SUCCESS_WORD.test(text);
}

export function saysSomething(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = asText(value)?.toLowerCase();
  return text !== undefined && !SAYS_NOTHING.test(text) && !SUCCESS_WORD.test(text);
}

export function asText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.trim() : undefined;
}

function codeBeside(sign: AnswerMember | undefined, members: readonly AnswerMember[]): Doubt {
  const codes = members.filter((one) => keys.CODE_KEYS.has(one.key) && isUnlistedCode(one));
  const nearest =
    codes.find(({ object }) => sign !== undefined && object === sign.object) ?? codes[0] ?? sign;
  const isCode = nearest !== undefined && (nearest !== sign || isCodeItself(nearest));
  const code = isCode ? asShownCode(nearest.value) : undefined;
  return code === undefined ? {} : { code };
}

/** `status: 401` and `error: 132` are codes by what they hold; `errors: 3` is a count. */
function isCodeItself({ key, value }: AnswerMember): boolean {
  if (keys.CODE_KEYS.has(key)) return true;
  const text = asText(value) ?? '';
  return (
    (keys.STATUS_KEY.test(key) || CODE_OR_TEXT.has(key)) && (/^-?\d+$/.test(text) || CODE_FOR_WORD.test(text))
  );
}
