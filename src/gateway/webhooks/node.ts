import { readSomebodysNumber } from '../../messages/numbers/person.ts';
import { type CountryCode, type Msisdn, possibleNumber } from '../../messages/numbers/phone-number.ts';
import type { DeliveryStatus } from '../../sends/replies/event.ts';
import { isJsonObject } from '../json.ts';
import { asId } from '../signs.ts';
import { membersOf } from '../structure.ts';
import * as table from '../vocabulary.ts';

/** From a customer, from us (or about what is from us), a wish for no more messages, nothing that anybody needs to hear, or about
 * something that is no message. */
type Way = 'in' | 'out' | 'stop' | 'silent' | 'other';

const SILENT = /\b(?:is ?typing|typing|composing|reaction|history)/;
const STOP = /\b(?:unsubscribed?\b|opt(?:ed)? ?out)/;
/** A message that failed because its customer had asked for no more before, and a wish that is over. */
const NO_STOP = /\b(?:block|delet|fail|rej|remov|revok|undeliv)/;
const OUT = /\b(?:status|dlr|delivery|receipt|report|updated?|outbound|outgoing)|echo/;
const IN = /\b(?:inbound|incoming|mo|received|reply|replied|user initiated|sender user)\b/;
const FLAGS = ['fromme', 'isecho', 'owner'];
/** Keys of an object that alone say what it is. */
const SPEAKING_KEY = /^(?:composing|typing|reaction|history$|optoutnotification$)|echo(?:es)?$/;
/** Events of which a word such as “rejected” says nothing of a message. */
const OF_OTHERS =
  /\b(?:account|balance|campaign|contact|credit|number|payment|subscription|template|user|wallet)\b/;

/** What an object says of itself by a direction, by the kind of its event, or by the key that it stands under. */
function wayOf(key: string, members: ReadonlyMap<string, unknown>): Way | undefined {
  const [direction] = textsOf(members, table.DIRECTION_KEYS);
  if (direction !== undefined) return /^(?:in|mo\b|received|to app)/.test(direction) ? 'in' : 'out';
  if (FLAGS.some((flag) => members.get(flag) === true)) return 'out';
  if (key === 'userpreferences' && members.get('value') === 'stop') return 'stop';
  const kinds = [...textsOf(members, table.EVENT_KEYS)];
  if (SPEAKING_KEY.test(key)) kinds.push(key);
  if (kinds.some((kind) => SILENT.test(kind))) return 'silent';
  if (kinds.some((kind) => STOP.test(kind) && !NO_STOP.test(kind))) return 'stop';
  if (kinds.some((kind) => OF_OTHERS.test(kind) && !IN.test(kind) && !/^\w+$|message|dlr|deliver/.test(kind)))
    return 'other';
  if (kinds.some((kind) => OUT.test(kind))) return 'out';
  if (kinds.some((kind) => IN.test(kind))) return 'in';
  return kinds.some((kind) => eventSays(kind) !== undefined) ? 'out' : undefined;
}

/** What the kind of an event says of a message of ours. */
export function eventSays(kind: string): DeliveryStatus | undefined {
  // What a customer wrote may be unsupported, too.
  const said = OF_OTHERS.test(kind) || kind === 'unsupported' ? undefined : table.saidIn(kind);
  return said === 'fine' ? undefined : said;
}

export function textsOf(members: ReadonlyMap<string, unknown>, keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => {
    const value = members.get(key);
    return typeof value === 'string' ? table.plain(value) : [];
  });
}

/** An object somewhere in a body. */
export interface BodyNode {
  readonly members: Map<string, unknown>;
  /** Those of its keys that hold a status. */
  readonly statusKeys: readonly string[];
  /** What it says of itself, or the nearest around it that says something. */
  readonly way: Way | undefined;
  /** The normalised key it stands under; elements of a list stand under the list's key. */
  readonly key: string;
  readonly isListed: boolean;
  /** About people: nothing happens in it unless the account says so. */
  readonly isQuiet: boolean;
  readonly value: object;
  /** Pub/Sub's own, with the event in it: neither its id nor its attributes are a message's. */
  readonly isPosted?: boolean;
  readonly parent?: BodyNode | undefined;
  /** The country whose national numbers are understood. */
  readonly country?: CountryCode | undefined;
}

/** How far up from an event its sender and ids are looked for. */
const MOST_STEPS_UP = 12;
const LONGEST_TEXT = 4_096;
/** `sender: {contact: {identifierValue}}` is the deepest that is published. */
const DEEPEST_NUMBER = 3;

/** An object is looked at from each that it is around. */
const statusKeysOf = new WeakMap<object, readonly string[]>();

/** Members of parsed JSON or of a form; never reads what an object inherits. */
export function nodeOf(value: object, key: string, parent?: BodyNode, isListed = false): BodyNode {
  const members = membersOf(value);
  const statusKeys =
    statusKeysOf.get(value) ?? [...members.keys()].filter((name) => table.STATUS_KEY.test(name));
  statusKeysOf.set(value, statusKeys);
  const way = wayOf(key, members) ?? parent?.way;
  const isQuiet = parent?.isQuiet === true || table.ABOUT_PEOPLE.has(key);
  return { members, statusKeys, way, key, isListed, isQuiet, value, parent, country: parent?.country };
}

/** The node itself, then what is around it, nearest first. */
export function* upFrom(node: BodyNode): Generator<BodyNode> {
  let at: BodyNode | undefined = node;
  for (let steps = 0; at !== undefined && steps < MOST_STEPS_UP; steps += 1) {
    yield at;
    at = at.parent;
  }
}

/** The first of `keys` that holds text (or a number, as text), shortened; blank counts as absent. */
export function textIn({ members }: BodyNode, keys: readonly string[]): string | undefined {
  return firstOf(keys.values().map((key) => asShortText(members.get(key))));
}

/** Nothing behind the first that is there is looked at. */
export function firstOf<Value>(values: IteratorObject<Value | undefined>): Value | undefined {
  return values.find((value) => value !== undefined);
}

export function asShortText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  return text.toWellFormed().slice(0, LONGEST_TEXT);
}

/** Each id under one of `keys`, in their order. */
export function idsIn(node: BodyNode, keys: readonly string[]): readonly string[] {
  return node.isPosted ? [] : keys.flatMap((key) => asId(node.members.get(key)) ?? []);
}

/** The objects under `keys`, as nodes; of a list its first. */
export function childrenOf(node: BodyNode, keys: readonly string[]): readonly BodyNode[] {
  return keys.flatMap((key) => {
    const value = node.members.get(key);
    const child = Array.isArray(value) ? value[0] : value;
    return isJsonObject(child) ? [nodeOf(child, key, node)] : [];
  });
}

/** A phone number under the first of `keys` that holds one. Services write whole international numbers. */
export function numberIn(node: BodyNode, keys: readonly string[], depth = 0): Msisdn | undefined {
  return firstOf(keys.values().map((key) => asNumber(node.members.get(key), node.country, depth)));
}

/**
 * International, with or without its +, as `whatsapp:+91…`, `0091…`, `91…@c.us`, or national; in an object, or alone in a list.
 * A number that no numbering plan knows yet may be a customer's all the same.
 */
export function asNumber(value: unknown, country: CountryCode | undefined, depth = 0): Msisdn | undefined {
  if (Array.isArray(value)) return value.length === 1 ? asNumber(value[0], country, depth) : undefined;
  if (isJsonObject(value)) {
    const node = { ...nodeOf(value, ''), country };
    return depth < DEEPEST_NUMBER ? numberIn(node, table.NUMBER_PARTS, depth + 1) : undefined;
  }
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > 40) return undefined;
  const bare = text
    .trim()
    .replace(/^[a-z]{1,12}:/i, '')
    .replace(/@[a-z.]{1,20}$/i, '');
  const digits = bare.replace(/^00/, '');
  const whole = /^[1-9]\d{7,14}$/.test(digits) ? `+${digits}` : bare;
  const international = readSomebodysNumber(whole, undefined);
  const read = international.ok ? international : readSomebodysNumber(bare, country);
  return read.ok ? read.value : possibleNumber(whole);
}
