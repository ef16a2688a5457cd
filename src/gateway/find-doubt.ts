import type { AnswerMember } from './answer-members.ts';
import { asShownCode, CODE_KEYS, ENVELOPES, ERROR_CODE_KEYS, ERROR_CONTAINERS } from './find-code.ts';
import { findMessageId } from './find-message-id.ts';
import type { Answer } from './read-answer.ts';

/** Why a 2xx answer cannot be taken for a success. */
export interface Doubt {
  /** The answer's own code, where it has one that can be shown. */
  readonly code?: string;
}

/** Besides the known envelopes, whatever is called like one: `SubmitResponse`, `messageData`. */
const ENVELOPE_NAME =
  /(?:response|result|data|message|msg|report|recipient|status|payload|sms|detail|output)s?$/;
/** Entries by place or by number: `data: {"0": {…}}`, `{"+9198…": {…}}`. */
export const ENTRY_NAME = /^\+?\d+$/;

/** Keys that tell of an error whenever their value says anything. */
const ERROR_KEY =
  /^(?:is|has)?(?:err|errors?|exceptions?|failures?|failed|faults?|rejected)(?:no|message|msg|texts?|desc|description|details?|reasons?|title|info|type|name|string|count|list)?$/;
/** Keys that say by true or false whether all is well. */
const FLAGS: ReadonlySet<string> = new Set([
  ...[
    'success',
    'successful',
    'issuccess',
    'issuccessful',
    'succeeded',
    'ok',
    'accepted',
    'sent',
    'submitted',
  ],
  ...['queued', 'return', 'result', 'status', 'response', 'valid'],
]);
/** Those for which 0 means false; elsewhere it counts something, or is C's word for success. */
const ZERO_IS_FALSE: ReadonlySet<string> = new Set(['success', 'successful', 'issuccess', 'succeeded', 'ok']);
/** Keys that say in one word, or by a number, how it went. */
export const STATUS_KEY = /(?:status|state)(?:text|message|msg|name|desc|description)?$/;
export const WORD_KEYS = new Set(['result', 'response', 'return', 'type', 'outcome', 'level']);
const MESSAGE_KEYS: ReadonlySet<string> = new Set(['message', 'msg']);
const SUCCESS_CODE = /^(?:0+|2\d\d)$/;
export const SUCCESS_WORD =
  /^(?:ok|okay|success|successful|successfully|succeeded|accepted|submitted|queued|sent|done|created|pending|processed|true)$/;
export const SAYS_NOTHING = /^(?:0*|false|n|no|none|null|nil|undefined|n\/a|na|-|no[ _]?errors?)$/;
/** How a status, or a sentence, begins that tells of a failure. */
const FAILURE_WORD =
  /^(?:err|errors?|errored|fail|failed|failure|fails|false|invalid|reject|rejected|refused|denied|unauthori[sz]ed|unauthenticated|forbidden|undelivered|undeliverable|unsuccessful|nok|ko|blocked|expired|cancell?ed|aborted|insufficient|missing|not[ _-](?:sent|ok|accepted|authori[sz]ed|delivered|found|allowed|valid)|bad[ _-]request|access[ _-]denied|authentication[ _-]fail(?:ed|ure)|permission[ _-]denied)(?![a-z])/i;
/** An XML error document begins with its name. */
const FAILURE_DOCUMENT = /^(?:<\?xml[^>]{0,200}>\s{0,9})?<(?:error|fault|exception)/i;
/** `E101`, `A413`: letters and digits where a status has a word. */
const CODE_FOR_WORD = /^[a-z]{1,4}[_-]?\d{2,6}$/i;
const LOWEST_FAILURE_STATUS = 300;
/** Error keys that hold a code or a sentence. */
const CODE_OR_TEXT: ReadonlySet<string> = new Set(['error', 'err', 'errno', 'fault']);

/**
 * Looks in the answer of a 2xx for what speaks against its status: an error that says something, a flag that says
 * no, or a code that is no success. Success codes are 0 (however many zeros), 200 to 299, and words such as `OK`,
 * `SUCCESS` or `queued`. What says nothing either way, such as a web page, is no doubt.
 */
export function findDoubt(answer: Answer): Doubt | undefined {
  if (answer.kind === 'empty') return undefined;
  if (answer.kind === 'text') {
    return FAILURE_DOCUMENT.test(answer.text) || FAILURE_WORD.test(answer.text) ? {} : undefined;
  }
  const { members } = answer;
  const sign = members.find((one) => isSign(one, members)) ?? failingMessage(answer, members);
  return sign && codeBeside(sign, members);
}

/** The answer's own code, whether or not it speaks of a failure. */
export function ownCode(answer: Answer): Doubt {
  return answer.kind === 'json' ? codeBeside(undefined, answer.members) : {};
}

/** Whether a member of an answer speaks of a failure. */
export function isSign(one: AnswerMember, members: readonly AnswerMember[]): boolean {
  if (CODE_KEYS.has(one.key)) return isUnlistedCode(one);
  if (one.parents.some((parent) => ERROR_CONTAINERS.has(parent)) || ERROR_KEY.test(one.key))
    return saysSomething(one.value) && !isExcused(one, members);
  return isWrapped(one) && (isFlagDown(one) || isFailingStatus(one));
}

function isUnlistedCode(one: AnswerMember): boolean {
  return isWrapped(one) && saysSomething(one.value) && !isSuccess(one.value);
}

/** `errorCode: "000"` makes the `errorMessage: "Done"` beside it no error; so does `error: {code: 0, …}`. */
function isExcused(one: AnswerMember, members: readonly AnswerMember[]): boolean {
  const isInside = ERROR_CONTAINERS.has(one.parents.at(-1) ?? '');
  const keys = isInside ? CODE_KEYS : ERROR_CODE_KEYS;
  if (ERROR_CONTAINERS.has(one.key)) return false;
  return members.some((other) => keys.has(other.key) && isSameObject(one, other) && isSuccess(other.value));
}

/** Members of one object share their list of parents; entries of the outermost list are told apart by their place. */
export function isSameObject(one: AnswerMember, other: AnswerMember): boolean {
  return one.parents === other.parents && one.list?.index === other.list?.index;
}

function isWrapped({ parents }: AnswerMember): boolean {
  return parents.every((name) => ENVELOPES.has(name) || ENVELOPE_NAME.test(name) || ENTRY_NAME.test(name));
}

function isFlagDown({ key, value }: AnswerMember): boolean {
  if (!FLAGS.has(key)) return false;
  const text = String(value).trim().toLowerCase();
  return text === 'false' || text === 'no' || (ZERO_IS_FALSE.has(key) && /^0+$/.test(text));
}

function isFailingStatus({ key, value, parents }: AnswerMember): boolean {
  const isStatus = STATUS_KEY.test(key) || parents.at(-1) === 'status';
  if (!isStatus && !WORD_KEYS.has(key)) return false;
  const text = asText(value);
  if (text === undefined) return false;
  if (FAILURE_WORD.test(text)) return true;
  return (
    isStatus &&
    (CODE_FOR_WORD.test(text) || (/^\d{3,6}$/.test(text) && Number(text) >= LOWEST_FAILURE_STATUS))
  );
}

/** Only where nothing was taken that has an id: a success may echo the customer's text. */
function failingMessage(answer: Answer, members: readonly AnswerMember[]): AnswerMember | undefined {
  const failing = members.find(
    (one) => MESSAGE_KEYS.has(one.key) && isWrapped(one) && FAILURE_WORD.test(asText(one.value) ?? ''),
  );
  return failing && findMessageId(answer) === undefined ? failing : undefined;
}

function isSuccess(value: unknown): boolean {
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
  const codes = members.filter((one) => CODE_KEYS.has(one.key) && isUnlistedCode(one));
  const nearest = codes.find((one) => sign !== undefined && isSameObject(one, sign)) ?? codes[0] ?? sign;
  const isCode = nearest !== undefined && (nearest !== sign || isCodeItself(nearest));
  const code = isCode ? asShownCode(nearest.value) : undefined;
  return code === undefined ? {} : { code };
}

/** `status: 401` and `error: 132` are codes by what they hold; `errors: 3` is a count. */
function isCodeItself({ key, value }: AnswerMember): boolean {
  if (CODE_KEYS.has(key)) return true;
  const text = asText(value) ?? '';
  return (
    (STATUS_KEY.test(key) || CODE_OR_TEXT.has(key)) && (/^-?\d+$/.test(text) || CODE_FOR_WORD.test(text))
  );
}
