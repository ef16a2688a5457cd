import { given } from '../core/given.ts';
import { type IdPlace, textOf } from './answer-shape.ts';
import { FAILURE_CODES } from './codes.ts';
import type { Answer } from './read-answer.ts';
import { COVER } from './secrets.ts';
import { type Member, valuesAt } from './structure.ts';
import * as table from './vocabulary.ts';

/*
 * The signs in what a service says: the id of a message, codes, the field that it blames, and whatever speaks of a failure.
 */

export type FoundCode = ReturnType<typeof findCode>;

/** The names of fields, as far as somebody asks for one. */
export type FieldNames = Pick<ReadonlySet<string>, 'has'>;

const LONGEST_FIELD = 100;
const LONGEST_DETAIL = 2_000;
/** Kept as long as a button's id may be (interface document, "reply.id"); longer ones are no ids. */
const LONGEST_MESSAGE_ID = 256;

/**
 * Finds the code an answer clearly carries, as number or text, wherever the body puts it. A number that merely
 * equals a code, such as `count: 100`, is none: short codes are believed only under keys made for codes, in the
 * answer itself or in its error, and not beside a success.
 *
 * @param fieldNames of our own requests: only these are believed, so that no value that was echoed is taken for a name
 * @param status of the answer: a code that only repeats it is none
 */
export function findCode({ members, text }: Answer, fieldNames: FieldNames, status?: number) {
  const failure = failureMember(members);
  const listed = text === undefined ? failure && codeOf(failure.value) : codeInText(text);
  const own = members.filter((one) => isInEnvelope(one) && asText(one.value) !== String(status));
  const unlisted = listed === undefined ? codeBeside(findSign(own), own) : undefined;
  return given({
    /** A failure code of the interface document's list. */
    listed,
    /** A code that is not on the list, as it came. */
    unlisted,
    /** Whether the code stands in a list in which other entries carry no failure. */
    partial: failure !== undefined && isPartial(members, failure),
    /** The field of the request that the answer blames. */
    field: blamedField(members, fieldNames),
  });
}

/** The six-digit codes say more than 100, and are taken before it; first those that leave open what was sent. */
function failureMember(members: readonly Member[]): Member | undefined {
  const carrying = members.filter(carriesCode);
  const long = carrying.filter(({ value }) => (codeOf(value)?.length ?? 0) > 3);
  const open = long.find(({ value }) => FAILURE_CODES.get(codeOf(value) ?? '')?.state === 'unknown');
  const best = open ?? long[0] ?? carrying.find(speaksOfError);
  // Services count 100 from a success on, too.
  const saysSuccess = (one: Member) =>
    saysTaken(one) || (table.SENTENCE_KEY.test(one.key) && table.isTaken(asText(one.value) ?? ''));
  if (best !== undefined || members.some(saysSuccess)) return best;
  return carrying.find(isInEnvelope);
}

function isInEnvelope({ parents }: Member): boolean {
  return parents.every((parent) => table.ENVELOPES.has(parent));
}

function carriesCode({ key, value }: Member): boolean {
  const code = codeOf(value) ?? '';
  const isForCodes = table.CODE_KEYS.has(key) || (code.length > 3 && table.AMBIGUOUS_KEYS.has(key));
  return isForCodes && FAILURE_CODES.has(code);
}

function speaksOfError({ key, parents }: Member): boolean {
  return table.ERROR_CODE_KEYS.has(key) || table.ERROR_CONTAINERS.has(parents.at(-1) ?? '');
}

/** A whole number, or text that is one, e.g. `132000`, `"132000"`, `"#132000"`; undefined for anything else. */
function codeOf(value: unknown): string | undefined {
  return /^#?(\d{3,6})$/.exec(asText(value) ?? '')?.[1];
}

/** A list in an error holds one failure many times; any other holds one entry a message, be there an error inside or not. */
function isPartial(members: readonly Member[], { list }: Member): boolean {
  if (list === undefined || list.names.some((name) => table.ERROR_CONTAINERS.has(name))) return false;
  const isSame = (one: Member) => one.list?.elements === list.elements;
  const failed = members.filter((one) => isSame(one) && carriesCode(one)).map((one) => one.list?.index);
  return new Set(failed).size < list.elements.length;
}

/** Shown to people as it came, so it must look like a code and not like a number of somebody's telephone. */
export function asShownCode(value: unknown): string | undefined {
  const text = asText(value) ?? '';
  return /^-?[A-Za-z0-9][A-Za-z0-9_.:-]{0,39}$/.test(text) && !/\d{8}/.test(text) ? text : undefined;
}

function blamedField(members: readonly Member[], fieldNames: FieldNames): string | undefined {
  const valuesOf = (keys: ReadonlySet<string>) =>
    members.flatMap(({ key, value }) => (keys.has(key) && typeof value === 'string' ? value : []));
  const sentences = valuesOf(table.DETAIL_KEYS).filter(({ length }) => length <= LONGEST_DETAIL);
  const names = [...valuesOf(table.FIELD_KEYS), ...sentences.flatMap(namesInSentence)];
  return names.find((name) => isField(name, fieldNames));
}

/** `to` and `text` are English words too: in a sentence only quoted names and compound ones count. */
function namesInSentence(sentence: string): readonly string[] {
  const quoted = Array.from(sentence.matchAll(/["'`]([A-Za-z][\w.[\]]*)["'`]/g), ([, name]) => name ?? '');
  const words = Array.from(sentence.matchAll(/[A-Za-z][\w[\]]*(?:\.\w[\w[\]]*)*/g), ([word]) => word);
  return [...quoted, ...words.filter((word) => /[a-z][A-Z]|[.[]/.test(word))];
}

/** A path such as `components.body.params[0]` of which every name is one of our own fields. */
function isField(text: string, fieldNames: FieldNames): boolean {
  if (text.length > LONGEST_FIELD) return false;
  const names = text.split(/[.[\]]+/).filter((part) => part !== '' && !/^\d+$/.test(part));
  return names.length > 0 && names.every((name) => fieldNames.has(name));
}

/** Plain text and markup: a six-digit listed code that stands alone or right behind the word for it. */
function codeInText(text: string): string | undefined {
  const patterns = [
    /^#?(\d{6})$/g,
    /code["']?\s*(?:[:=#>]\s*)?["']?(\d{6})\b/gi,
    /\berror\W{1,4}(\d{6})\b/gi,
  ];
  const found = patterns.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, code]) => code ?? ''));
  return found.find((code) => FAILURE_CODES.has(code));
}

/**
 * Why a 2xx answer cannot be taken for a success: with its own code, where it has one that can be shown, and `isUnclear` where it
 * speaks neither of a failure nor of a success that is known. Looks in the answer of a 2xx for what speaks against its status: an error that says something, a flag that says
 * no, a code that is no success, a status word or a bare text that is no known success. Success codes are 0 (however many
 * zeros), 200 to 299, and words such as `OK` or `queued`. What says nothing either way, such as a web page, is no doubt.
 */
export function findDoubt(answer: Answer): { readonly code?: string; readonly isUnclear?: true } | undefined {
  const { members, text } = answer;
  if (text !== undefined) {
    const said = table.NO_WORD.test(text) ? 'fine' : table.saidIn(text);
    if (said === 'failed') return {};
    return said === undefined && text.length <= table.MOST_READ ? { isUnclear: true } : undefined;
  }
  const failing = findSign(members);
  const sign = failing ?? members.find(isUnclear);
  const sentence = failing ?? failingMessage(answer);
  if (sign === undefined && sentence === undefined) return undefined;
  const code = codeBeside(sign ?? sentence, members);
  return given({ code, isUnclear: sentence === undefined ? true : undefined });
}

export function findSign(members: readonly Member[]): Member | undefined {
  const good = members.filter(({ key, value }) => table.CODE_KEYS.has(key) && isSuccess(value));
  const fine = new Set(good.map(({ object }) => object));
  const errorFree = new Set(
    good.filter(({ key }) => table.ERROR_CODE_KEYS.has(key)).map(({ object }) => object),
  );
  // `errorCode: "000"` makes the `errorMessage: "Done"` beside it no error; so does `error: {code: 0, …}`.
  const isExcused = ({ key, parents, object }: Member) =>
    !table.ERROR_CONTAINERS.has(key) &&
    (table.ERROR_CONTAINERS.has(parents.at(-1) ?? '') ? fine : errorFree).has(object);
  return members.find((one) => {
    if (table.CODE_KEYS.has(one.key)) return isFailureCode(one);
    if ([one.key, ...one.parents].some((name) => table.ERROR_KEY.test(name)))
      return saysSomething(one.value) && !isExcused(one);
    return (isWrapped(one) && isFlagDown(one)) || (isOfNothingElse(one) && statusSays(one) === 'no');
  });
}

/** The status word of a service that is neither a known failure nor a known success. */
export function isUnclear(one: Member): boolean {
  return isWrapped(one) && statusSays(one) === 'unclear';
}

function isFailureCode(one: Member): boolean {
  const { key, value } = one;
  // A country, and much else that is not known, has a `code`.
  const isOfAnswer = isWrapped(one) || (key !== 'code' && isOfNothingElse(one));
  return table.CODE_KEYS.has(key) && isOfAnswer && saysSomething(value) && !isSuccess(value);
}

function isOfNothingElse({ parents }: Member): boolean {
  return !parents.some((name) => table.OTHER_THING.test(name));
}

function isWrapped({ parents }: Member): boolean {
  return parents.every((name) => table.ENVELOPES.has(name) || table.ENVELOPE_NAME.test(name));
}

function isFlagDown({ key, value }: Member): boolean {
  if (!table.FLAGS.has(key)) return false;
  const text = String(value).trim().toLowerCase();
  if (text === 'false' || text === 'no') return true;
  // A number counts something, and a text of digits is a code.
  const isCode = typeof value === 'string' && Number(text) >= LOWEST_FAILURE_STATUS;
  return table.ZERO_IS_FALSE.has(key) && (isCode || /^0+$/.test(text));
}

/** What a status word, or number, says against a success. A bare word, `NO-CREDITS`, is a member without a key. */
function statusSays({ key, value, parents }: Member): 'no' | 'unclear' | undefined {
  const text = asText(value) ?? '';
  const isStatus = table.STATUS_KEY.test(key) || key === '';
  if (text === '' || !(isStatus || table.WORD_KEYS.has(key) || parents.at(-1) === 'status')) return undefined;
  const unclear = table.OWN_STATUS.test(key) ? 'unclear' : undefined;
  if (isStatus && /^-?\d+$/.test(text))
    return Number(text) >= LOWEST_FAILURE_STATUS ? 'no' : table.GOOD_NUMBER.test(text) ? undefined : unclear;
  const said = table.saidIn(text);
  return said === 'failed' ? 'no' : said === undefined ? unclear : undefined;
}

const LOWEST_FAILURE_STATUS = 300;

/** Only where nothing was taken that has an id: a success may echo the customer's text. */
export function failingMessage(answer: Answer): Member | undefined {
  const { members } = answer;
  if (findMessageId(answer) !== undefined) return undefined;
  // A field that is at fault may have its sentence under its own name.
  const isAnySentence = !members.some(saysTaken);
  return members.find((one) => {
    const text = asText(one.value) ?? '';
    const isSentence = table.SENTENCE_KEY.test(one.key) || (isAnySentence && /\s/.test(text));
    return isSentence && isOfNothingElse(one) && table.saidIn(text) === 'failed';
  });
}

export function saysTaken({ key, value, parents }: Member): boolean {
  if (typeof value === 'boolean') return value && table.TAKEN_KEY.test(key);
  const text = asText(value)?.toLowerCase() ?? '';
  if ([key, ...parents].some((name) => table.TAKEN_KEY.test(name))) return !table.SAYS_NOTHING.test(text);
  const isStatus = table.STATUS_KEY.test(key);
  if ((isStatus || table.CODE_KEYS.has(key)) && table.TAKEN_CODE.test(text)) return true;
  return (isStatus || table.WORD_KEYS.has(key)) && (table.isTaken(text) || text.startsWith('partial'));
}

export function isSuccess(value: unknown): boolean {
  const text = asText(value)?.toLowerCase() ?? '';
  return table.SUCCESS_CODE.test(text) || table.SUCCESS_WORD.test(text);
}

export function saysSomething(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = asText(value)?.toLowerCase();
  return text !== undefined && !table.SAYS_NOTHING.test(text) && !table.SUCCESS_WORD.test(text);
}

export function asText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.trim() : undefined;
}

/** The code nearest to a sign, if any; `status: 401` and `error: 132` are codes by what they hold, `errors: 3` is a count. */
export function codeBeside(sign: Member | undefined, members: readonly Member[]): string | undefined {
  const codes = members.filter(isFailureCode);
  const nearest = codes.find(({ object }) => sign !== undefined && object === sign.object) ?? codes[0];
  if (nearest !== undefined || sign === undefined) return asShownCode(nearest?.value);
  const mayBeCode = table.STATUS_KEY.test(sign.key) || table.CODE_OR_TEXT.has(sign.key);
  return mayBeCode && table.CODE_FOR_WORD.test(asText(sign.value) ?? '')
    ? asShownCode(sign.value)
    : undefined;
}

/**
 * The id by which the service knows the message, where the answer has one: the documented answer is "not shown",
 * so the usual names are looked for, best first and outermost first.
 *
 * @param places `wire.answers.messageId`: where this account's answers have it, and nowhere else
 */
export function findMessageId(answer: Answer, places?: readonly IdPlace[]): string | undefined {
  const isOfOne = (one: Member) => isOfMessage(one) || (table.MESSAGE_IDS.has(one.key) && isWrapped(one));
  const usual = (keys: ReadonlySet<string>) =>
    answer.members.filter((one) => keys.has(one.key) && isOfOne(one)).map(({ value }) => value);
  const found =
    places?.flatMap((place) => valuesIn(answer, place)) ?? table.ANSWER_IDS_BY_RANK.flatMap(usual);
  return found.map(asId).find((id) => id !== undefined);
}

function valuesIn(answer: Answer, { path, text }: IdPlace): readonly unknown[] {
  const found = path === undefined ? [textOf(answer)] : valuesAt(answer.value, path);
  return text === undefined ? found : found.flatMap((value) => text.find(String(value))?.[1] ?? []);
}

export function isOfMessage({ parents }: Pick<Member, 'parents'>): boolean {
  return parents.every((parent) => table.MESSAGE_CONTAINERS.has(parent));
}

/**
 * Text without blanks, control or invisible characters and covered secrets, or a whole number; anything else is no id. Commas
 * part the ids of several.
 */
export function asId(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const id = value.trim();
  return id.length <= LONGEST_MESSAGE_ID && /^[^\p{C}\s,]+$/u.test(id) && !id.includes(COVER)
    ? id
    : undefined;
}
