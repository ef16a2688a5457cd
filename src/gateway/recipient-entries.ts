import type { AnswerMapping, EachMapping } from './answer-shape.ts';
import { asText, ENTRY_NAME, findSign, SAYS_NOTHING, WORD_KEYS } from './find-doubt.ts';
import { asId, findMessageId, isOfMessage } from './find-message-id.ts';
import { isJsonObject } from './json.ts';
import { CODE_KEYS, ERROR_CONTAINERS, MESSAGE_IDS, STATUS_KEY } from './keys.ts';
import { ANY_PLACE, leadsTo, type Path, valuesAt } from './path.ts';
import { type Answer, type AnswerMember, type JsonAnswer, jsonAnswer, normalised } from './read-answer.ts';
import type { AnswerSecrets } from './secrets.ts';
import { isTaken } from './status-words.ts';

/** What an answer says of one recipient, as an answer of its own. */
export interface Entry {
  readonly answer: JsonAnswer;
  /** The way to its list. */
  readonly around: Path;
  /** What the account describes of its entries. */
  readonly mapping: AnswerMapping | undefined;
}

export interface Entries {
  /** By place of the recipient in the request; undefined where several speak of one. */
  readonly byPlace: ReadonlyMap<number, Entry | undefined>;
  /** What the answer says besides. */
  readonly rest: JsonAnswer;
  /** False where an entry may be missing, or is nobody's. */
  readonly isComplete: boolean;
}

interface List {
  readonly each?: EachMapping;
  readonly path: Path;
  readonly elements: readonly (readonly [name: string, element: unknown])[];
}

interface Context {
  readonly recipients: Recipients;
  readonly secrets: AnswerSecrets;
  readonly mapping: AnswerMapping;
}

/** Lists are looked for in objects so deep, and not in other lists: what stands there is of one entry. */
const MOST_DEPTH = 4;
/** What holds a recipient's number in an entry; `from` and `sender` hold ours. */
export const NUMBER_KEY =
  /^(?:to|waid|(?:dest|destination|recipient|receiver|mobile|phone|contact|submitted)?(?:address|number|no|phone|msisdn)?)$/;
export const NUMBER = /^(?:[a-z]{1,12}:)?[+(\d][\d\s().-]{6,24}$/i;
/** The place of a number that is not of the request, or of several. */
const NOWHERE = -1;

/**
 * The entries for single recipients in an answer to several. A list has them where one of its elements names a recipient
 * by number; or, where none names any, where there are as many as recipients, in their order. A list that says of nobody
 * what became of them may repeat the request. Undefined where there are none.
 */
export function findEntries(
  answer: Answer,
  { recipients, secrets, mapping: { each } }: Context,
): Entries | undefined {
  if (answer.kind !== 'json') return undefined;
  const own = each && describedList(answer.value, each);
  const possible = own ?? (recipients.length < 2 ? [] : listsIn(answer.value));
  if (possible.length === 0) return undefined;
  const placeOf = placeFinder(recipients);
  const lists = possible
    .map((list) => assigned(list, recipients.length, placeOf, secrets))
    .filter(({ entries }) => own !== undefined || entries.some(speaks));
  const named = lists.filter(({ isNamed }) => isNamed);
  const found = named.length === 0 && lists.length === 1 ? lists.filter(({ isPlaced }) => isPlaced) : named;
  if (found.length === 0 && own === undefined) return undefined;
  const byPlace = new Map<number, Entry | undefined>();
  for (const { place, ...entry } of found.flatMap(({ entries }) => entries))
    byPlace.set(place, byPlace.has(place) ? undefined : entry);
  const paths = new Set((own ?? found).map(({ path }) => namesOf(path).join('\n')));
  const members = answer.members.filter(({ parents, key }) => {
    const names = [...parents, key, ''];
    return !names.some((_, at) => paths.has(names.slice(0, at).join('\n')));
  });
  const rest = { kind: 'json', members } as const;
  // What is cut off may have been all that mattered.
  if (answer.isCut) return { byPlace: new Map(), rest, isComplete: false };
  return { byPlace, rest, isComplete: found.length > 0 && !byPlace.has(NOWHERE) };
}

/** The list that the account describes, where the answer has it. */
function describedList(root: unknown, each: EachMapping): readonly List[] | undefined {
  const found = valuesAt(root, each.path);
  const [only] = found;
  const named = found.length === 1 && isJsonObject(only) ? Object.entries(only) : [];
  const isNamed = named.length > 0 && named.every(([name]) => ENTRY_NAME.test(name));
  const elements = isNamed ? named : found.map((one) => ['', one] as const);
  return elements.length === 0 ? undefined : [{ each, path: each.path, elements }];
}

function namesOf(path: Path): readonly string[] {
  return path.filter((step) => typeof step === 'string' && step !== ANY_PLACE).map(String);
}

/** Arrays, and objects by place or number. */
function listsIn(root: unknown): readonly List[] {
  const lists: List[] = [];
  const queue: { readonly value: unknown; readonly path: List['path'] }[] = [{ value: root, path: [] }];
  for (const { value, path } of queue) {
    if (typeof value !== 'object' || value === null || path.length > MOST_DEPTH) continue;
    const elements = Object.entries(value);
    if (elements.every(([name]) => ENTRY_NAME.test(name))) lists.push({ path, elements });
    else
      for (const [name, child] of elements) queue.push({ value: child, path: [...path, normalised(name)] });
  }
  return lists;
}

/** The entries of a list with the places of those whom they are about. */
function assigned(
  { elements, path, each }: List,
  recipients: number,
  placeOf: (number: string) => number,
  secrets: AnswerSecrets,
) {
  const listKey = namesOf(path).at(-1) ?? '';
  const read = elements.map(([name, value], at) => {
    const isBare = !isJsonObject(value);
    const around = isBare ? path.slice(0, -1) : path;
    const answer = jsonAnswer(isBare ? { [listKey]: value } : value, secrets, [...around, at]);
    const held = answer.members.filter(({ key, way }) => {
      if (each !== undefined) return each.number !== undefined && leadsTo(each.number, way);
      return isBare ? !MESSAGE_IDS.has(key) : NUMBER_KEY.test(key);
    });
    const numbers = [name, ...held.map((one) => asText(one.value) ?? '')].filter((text) => NUMBER.test(text));
    const [place, other] = new Set(numbers.map(placeOf));
    return { answer, around, mapping: each?.mapping, place: other === undefined ? place : NOWHERE };
  });
  // A list of errors may hold several of all.
  const isPlaced =
    read.length === recipients &&
    !ERROR_CONTAINERS.has(listKey) &&
    read.every(({ place }, at) => (place ?? at) === at);
  const isNamed = read.some(({ place = NOWHERE }) => place !== NOWHERE);
  const entries = read.map((one, at) => ({ ...one, place: one.place ?? (isPlaced ? at : NOWHERE) }));
  return { path, entries, isNamed, isPlaced };
}

/** Whether anything in it tells what became of a message. */
function speaks({ answer }: Entry): boolean {
  const { members } = answer;
  const tells = members.some((one) => STATUS_KEY.test(one.key) || CODE_KEYS.has(one.key) || saysTaken(one));
  return tells || findSign(members) !== undefined || findMessageId(answer) !== undefined;
}

/** Finds a recipient by its number in any spelling: whole, else by its last digits in its country or without one. */
function placeFinder(recipients: Recipients): (number: string) => number {
  const places = new Map<string, number>();
  for (const [place, { number }] of recipients.entries()) {
    const digits = number.replaceAll(/\D/g, '');
    for (const name of new Set([digits, digits.slice(-KNOWN_BY)]))
      places.set(name, places.has(name) ? NOWHERE : place);
  }
  return (text) => {
    const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '');
    const place = places.get(digits) ?? places.get(digits.slice(-KNOWN_BY)) ?? NOWHERE;
    const number = recipients[place]?.number ?? '';
    return number.endsWith(digits) || digits.startsWith(number.slice(1, 3)) ? place : NOWHERE;
  };
}

/** Whom a request went to, in E.164. */
export type Recipients = readonly { readonly number: string }[];

/** Keys of those who were taken, or of how many: `accepted`, `successCount`, `totalSent`. */
const TAKEN =
  /^(?:num|numberof|total|messages?)?(?:accepted|success(?:ful|fully)?|succeeded|sent|submitted|queued|delivered|processed)(?:count|total|numbers?|recipients?|messages?|list|ids?)?$/;
/** What holds the message of one: a plain `id` elsewhere may be the request's. */
const HOLDS_ONE = /(?:message|result|recipient|number|contact)s?$/;
/** Which of the recipients an error is about. */
const PLACE_KEYS: ReadonlySet<string> = new Set(['index', 'position']);
const PARTLY = /^partial/;
const TAKEN_CODE = /^2\d\d$/;
/** Digits of a number without its country's and area's, by which it is recognised however it is written. */
const KNOWN_BY = 8;
const NUMBERS = /\d(?:[\s().-]{0,2}\d){7,}/g;

/**
 * Whether an answer without entries for its recipients speaks of some of them, or says that any was taken. Then its
 * failure may be that of a part, and nobody knows what became of the others.
 */
export function speaksOfPart(members: readonly AnswerMember[], recipients: Recipients): boolean {
  if (recipients.length < 2) return false;
  return members.some((one) => isOfOne(one) || saysTaken(one)) || namesSome(members, recipients);
}

function isOfOne({ key, value, parents, list }: AnswerMember): boolean {
  if (parents.some((name) => ENTRY_NAME.test(name)) || PLACE_KEYS.has(key)) return true;
  if (list !== undefined && isOfMessage({ parents: list.names.filter(Boolean) })) return true;
  return (
    asId(value) !== undefined &&
    (MESSAGE_IDS.has(key) || (key === 'id' && parents.some((name) => HOLDS_ONE.test(name))))
  );
}

/** Whether it says that something was taken. */
export function saysTaken({ key, value, parents }: AnswerMember): boolean {
  if (value === true || value === false) return value && TAKEN.test(key);
  const text = asText(value)?.toLowerCase() ?? '';
  if (TAKEN.test(key) || parents.some((name) => TAKEN.test(name))) return !SAYS_NOTHING.test(text);
  const isStatus = STATUS_KEY.test(key);
  if ((isStatus || CODE_KEYS.has(key)) && TAKEN_CODE.test(text)) return true;
  return (isStatus || WORD_KEYS.has(key)) && (isTaken(text) || PARTLY.test(text));
}

/** An answer that names all may repeat the request. */
function namesSome(members: readonly AnswerMember[], recipients: Recipients): boolean {
  const named = new Set<string>();
  for (const { value } of members)
    for (const [number] of (asText(value) ?? '').matchAll(NUMBERS))
      named.add(number.replaceAll(/\D/g, '').slice(-KNOWN_BY));
  const count = recipients.filter(({ number }) => named.has(number.slice(-KNOWN_BY))).length;
  return count > 0 && count < recipients.length;
}
