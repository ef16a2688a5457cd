import type { AnswerMapping, EachMapping } from './answer-shape.ts';
import { isJsonObject } from './json.ts';
import { type Answer, jsonAnswer } from './read-answer.ts';
import { asId, asText, findMessageId, findSign, isOfMessage, saysTaken } from './signs.ts';
import { ANY_PLACE, type Member, normalised, type Path, valuesAt } from './structure.ts';
import * as table from './vocabulary.ts';

/** What an answer says of one recipient, as an answer of its own. */
export interface Entry {
  readonly answer: Answer;
  /** What the account describes of its entries. */
  readonly mapping: AnswerMapping | undefined;
  /** A path of the whole answer, from this entry on; undefined where it does not lead there. */
  readonly inside: (path: Path) => Path | undefined;
}

export type Entries = NonNullable<ReturnType<typeof findEntries>>;

interface List {
  readonly each?: EachMapping;
  /** The names on the way to it. */
  readonly names: readonly string[];
  readonly elements: readonly (readonly [name: string, element: unknown])[];
}

/** Lists are looked for in objects so deep, and not in other lists: what stands there is of one entry. */
const MOST_DEPTH = 4;
/** The place of a number that is not of the request, or of several. */
const NOWHERE = -1;

/**
 * The entries for single recipients in an answer to several. A list has them where one of its elements names a recipient
 * by number; or, where none names any, where there are as many as recipients, in their order. A list that says of nobody
 * what became of them may repeat the request. Undefined where there are none.
 */
export function findEntries(
  answer: Answer,
  { recipients, mapping: { each } }: { readonly recipients: Recipients; readonly mapping: AnswerMapping },
) {
  const own = each && describedList(answer.value, each);
  const possible = own ?? (recipients.length < 2 ? [] : listsIn(answer.value));
  if (possible.length === 0) return undefined;
  const placeOf = placeFinder(recipients);
  const lists = possible
    .map((list) => assigned(list, recipients.length, placeOf))
    .filter(({ entries }) => own !== undefined || entries.some(speaks));
  const named = lists.filter(({ isNamed }) => isNamed);
  const found = named.length === 0 && lists.length === 1 ? lists.filter(({ isPlaced }) => isPlaced) : named;
  if (found.length === 0 && own === undefined) return undefined;
  /** The entry for each place in the request; undefined where several entries speak of one. */
  const byPlace = new Map<number, Entry | undefined>();
  for (const { place, ...entry } of found.flatMap(({ entries }) => entries))
    byPlace.set(place, byPlace.has(place) ? undefined : entry);
  const rest = jsonAnswer(
    without(answer.value, new Set((own ?? found).map(({ names }) => names.join('\n')))),
  );
  /** False where an entry may be missing, or is nobody's. */
  const isComplete = !answer.isCut && found.length > 0 && !byPlace.has(NOWHERE);
  // What is cut off may have been all that mattered.
  if (answer.isCut) byPlace.clear();
  return { byPlace, rest, isComplete };
}

function describedList(root: unknown, each: EachMapping): readonly List[] | undefined {
  const found = valuesAt(root, each.path).filter((one) => one !== undefined);
  const [only] = found;
  const named = found.length === 1 && isJsonObject(only) ? Object.entries(only) : [];
  const isNamed = named.length > 0 && named.every(([name]) => table.ENTRY_NAME.test(name));
  const elements = isNamed ? named : found.map((one) => ['', one] as const);
  const names = each.path.filter((step) => typeof step === 'string' && step !== ANY_PLACE).map(String);
  // A null stands for a list that there is not; in one it keeps the order.
  return found.every((one) => one === null) ? undefined : [{ each, names, elements }];
}

/** Arrays, and objects by place or number. */
function listsIn(root: unknown): readonly List[] {
  const lists: List[] = [];
  const queue: { readonly value: unknown; readonly names: List['names'] }[] = [{ value: root, names: [] }];
  for (const { value, names } of queue) {
    if (typeof value !== 'object' || value === null || names.length > MOST_DEPTH) continue;
    const elements = Object.entries(value);
    if (elements.every(([name]) => table.ENTRY_NAME.test(name))) lists.push({ names, elements });
    else
      for (const [name, child] of elements) queue.push({ value: child, names: [...names, normalised(name)] });
  }
  return lists;
}

/** A structure without what stands behind some names. */
function without(value: unknown, paths: ReadonlySet<string>, names: readonly string[] = []): unknown {
  if (paths.has(names.join('\n'))) return undefined;
  if (typeof value !== 'object' || value === null || names.length > 4 * MOST_DEPTH) return value;
  if (Array.isArray(value))
    return value.map((one: unknown) => (Array.isArray(one) ? one : without(one, paths, names)));
  const members = Object.entries(value).map(([key, child]: [string, unknown]) => {
    return [key, without(child, paths, [...names, normalised(key)])];
  });
  return Object.fromEntries(members);
}

function assigned({ elements, names, each }: List, recipients: number, placeOf: (number: string) => number) {
  const listKey = names.at(-1) ?? '';
  const read = elements.map(([name, value], at) => {
    const isBare = !isJsonObject(value);
    const answer = jsonAnswer(isBare ? { [listKey]: value } : value);
    const around = isBare ? names.slice(0, -1) : names;
    const inside = (path: Path) => {
      const [first, ...others] = path.slice(around.length);
      if (first === undefined || around.some((one, place) => one !== path[place])) return undefined;
      if (first === ANY_PLACE || first === at) return others;
      return typeof first === 'number' ? undefined : [first, ...others];
    };
    const guessed = answer.members.filter(({ key }) =>
      isBare ? !table.MESSAGE_IDS.has(key) : table.NUMBER_KEY.test(key),
    );
    const held = each ? each.number && valuesAt(answer.value, each.number) : guessed.map((one) => one.value);
    const numbers = [name, ...(held ?? []).map((one) => asText(one) ?? '')].filter((text) =>
      table.NUMBER.test(text),
    );
    const [place, other] = new Set(numbers.map(placeOf));
    return { answer, inside, mapping: each?.mapping, place: other === undefined ? place : NOWHERE };
  });
  // A list of errors may hold several of all.
  const isPlaced =
    read.length === recipients &&
    !table.ERROR_CONTAINERS.has(listKey) &&
    read.every(({ place }, at) => (place ?? at) === at);
  const isNamed = read.some(({ place = NOWHERE }) => place !== NOWHERE);
  const entries = read.map((one, at) => ({ ...one, place: one.place ?? (isPlaced ? at : NOWHERE) }));
  return { names, entries, isNamed, isPlaced };
}

/** Whether anything in it says what became of a message. */
function speaks({ answer }: Pick<Entry, 'answer'>): boolean {
  const { members } = answer;
  const isSaid = members.some(
    (one) => table.STATUS_KEY.test(one.key) || table.CODE_KEYS.has(one.key) || saysTaken(one),
  );
  return isSaid || findSign(members) !== undefined || findMessageId(answer) !== undefined;
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

/** What holds the message of one: a plain `id` elsewhere may be the request's. */
const HOLDS_ONE = /(?:message|result|recipient|number|contact)s?$/;
/** Which of the recipients an error is about. */
const PLACE_KEYS: ReadonlySet<string> = new Set(['index', 'position']);
/** Digits of a number without its country's and area's, by which it is recognised however it is written. */
const KNOWN_BY = 8;
const NUMBERS = /\d(?:[\s().-]{0,2}\d){7,}/g;

/**
 * Whether an answer without entries for its recipients speaks of some of them, or says that any was taken. Then its
 * failure may be that of a part, and nobody knows what became of the others.
 */
export function speaksOfPart(members: readonly Member[], recipients: Recipients): boolean {
  if (recipients.length < 2) return false;
  return (
    members.some((one) => isOfOne(one) || saysTaken(one)) ||
    namesSome(
      members.map(({ value }) => value),
      recipients,
    )
  );
}

function isOfOne({ key, value, parents, list }: Member): boolean {
  if (parents.some((name) => table.ENTRY_NAME.test(name)) || PLACE_KEYS.has(key)) return true;
  if (list !== undefined && isOfMessage({ parents: list.names.filter(Boolean) })) return true;
  return (
    asId(value) !== undefined &&
    (table.MESSAGE_IDS.has(key) || (key === 'id' && parents.some((name) => HOLDS_ONE.test(name))))
  );
}

/** Whether numbers of some stand there, and not of all: an answer that names all may repeat the request. */
export function namesSome(values: readonly unknown[], recipients: Recipients): boolean {
  const named = new Set<string>();
  for (const value of values)
    for (const [number] of (asText(value) ?? '').matchAll(NUMBERS))
      named.add(number.replaceAll(/\D/g, '').slice(-KNOWN_BY));
  const count = recipients.filter(({ number }) => named.has(number.slice(-KNOWN_BY))).length;
  return count > 0 && count < recipients.length;
}
