import { readSomebodysNumber } from '../../messages/numbers/person.ts';
import { type CountryCode, type Msisdn, possibleNumber } from '../../messages/numbers/phone-number.ts';
import type { DeliveryStatus } from '../../sends/replies/event.ts';
import { asId } from '../find-message-id.ts';
import { isJsonObject } from '../json.ts';
import { DIRECTION_KEYS, EVENT_KEYS, NUMBER_PARTS, STATUS_KEY } from '../keys.ts';
import { normalised } from '../read-answer.ts';
import { plain, saidIn } from '../status-words.ts';

/** From a customer, from us (or about what is from us), a wish for no more messages, or nothing that anybody needs to hear. */
type Way = 'in' | 'out' | 'stop' | 'silent';

const SILENT = /\b(?:is ?typing|typing|composing|reaction)/;
const STOP = /\b(?:unsubscribed?\b|opt(?:ed)? ?out)/;
/** A message that failed because its customer had asked for no more before. */
const OF_A_MESSAGE = /\b(?:block|fail|rej|undeliv)/;
const OUT = /\b(?:status|dlr|delivery|receipt|report|updated?|outbound|outgoing)|echo/;
const IN = /\b(?:inbound|incoming|mo|received|reply|replied|user initiated)\b/;
const FLAGS = ['fromme', 'isecho', 'owner'];
/** Keys of an object that alone say what it is. */
const TELLING_KEY = /^(?:composing|typing|reaction|optoutnotification$)|echo(?:es)?$/;
/** Events of which a word such as “rejected” says nothing of a message. */
const OF_OTHERS =
  /\b(?:account|balance|campaign|contact|credit|number|payment|subscription|template|user|wallet)\b/;

/** What an object says of itself by a direction, by the kind of its event, or by the key that it stands under. */
function wayOf(key: string, members: ReadonlyMap<string, unknown>): Way | undefined {
  const [direction] = textsOf(members, DIRECTION_KEYS);
  if (direction !== undefined) return /^(?:in|mo\b|received|to app)/.test(direction) ? 'in' : 'out';
  if (FLAGS.some((flag) => members.get(flag) === true)) return 'out';
  if (key === 'userpreferences' && members.get('value') === 'stop') return 'stop';
  const kinds = [...textsOf(members, EVENT_KEYS)];
  if (TELLING_KEY.test(key)) kinds.push(key);
  if (kinds.some((kind) => SILENT.test(kind))) return 'silent';
  if (kinds.some((kind) => STOP.test(kind) && !OF_A_MESSAGE.test(kind))) return 'stop';
  if (kinds.some((kind) => OUT.test(kind))) return 'out';
  if (kinds.some((kind) => IN.test(kind))) return 'in';
  return kinds.some((kind) => eventSays(kind) !== undefined) ? 'out' : undefined;
}

/** What the kind of an event says of a message of ours. */
export function eventSays(kind: string): DeliveryStatus | undefined {
  const said = OF_OTHERS.test(kind) ? undefined : saidIn(kind);
  return said === 'fine' ? undefined : said;
}

export function textsOf(members: ReadonlyMap<string, unknown>, keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => {
    const value = members.get(key);
    return typeof value === 'string' ? plain(value) : [];
  });
}

/** An object somewhere in a body. Its members are by normalised key; where two keys are alike the first counts. */
export interface BodyNode extends Listing {
  /** What it says of itself, or the nearest around it that says something. */
  readonly way: Way | undefined;
  /** The normalised key it stands under; elements of a list stand under the list's key. */
  readonly key: string;
  /** True for an element of a list. */
  readonly isListed: boolean;
  readonly value: object;
  readonly parent?: BodyNode | undefined;
  /** Of national numbers. */
  readonly country?: CountryCode | undefined;
}

interface Listing {
  readonly members: ReadonlyMap<string, unknown>;
  /** Those of its keys that hold a status. */
  readonly statusKeys: readonly string[];
}

/** How far up from an event its sender and ids are looked for. */
const MOST_STEPS_UP = 12;
const LONGEST_TEXT = 4_096;
/** `sender: {contact: {identifierValue}}` is the deepest that is published. */
const DEEPEST_NUMBER = 3;

/** An object is looked at from each that it is around: its members are listed once. */
const listings = new WeakMap<object, Listing>();

/** Members of parsed JSON or of a form; never reads what an object inherits. */
export function nodeOf(value: object, key: string, parent?: BodyNode, isListed = false): BodyNode {
  const listing = listings.get(value) ?? listingOf(value);
  const way = wayOf(key, listing.members) ?? parent?.way;
  return { ...listing, way, key, isListed, value, parent, country: parent?.country };
}

function listingOf(value: object): Listing {
  const members = new Map<string, unknown>();
  for (const name of Object.keys(value)) {
    const short = normalised(name);
    if (!members.has(short)) members.set(short, (value as Record<string, unknown>)[name]);
  }
  const statusKeys = [...members.keys()].filter((name) => STATUS_KEY.test(name));
  const listing = { members, statusKeys };
  listings.set(value, listing);
  return listing;
}

/** The node itself, then what is around it, nearest first. */
export function* upFrom(node: BodyNode): Iterable<BodyNode> {
  let at: BodyNode | undefined = node;
  for (let steps = 0; at !== undefined && steps < MOST_STEPS_UP; steps += 1) {
    yield at;
    at = at.parent;
  }
}

/** The first of `keys` that holds text (or a number, as text), shortened; blank counts as absent. */
export function textIn(node: BodyNode, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = asShortText(node.members.get(key));
    if (text !== undefined) return text;
  }
  return undefined;
}

export function asShortText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  return text.toWellFormed().slice(0, LONGEST_TEXT);
}

/** Each id under one of `keys`, in their order. */
export function idsIn(node: BodyNode, keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => asId(node.members.get(key)) ?? []);
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
  for (const key of keys) {
    const number = asNumber(node.members.get(key), node.country, depth);
    if (number !== undefined) return number;
  }
  return undefined;
}

/**
 * International, with or without its +, as `whatsapp:+91…`, `0091…`, `91…@c.us`, or national; in an object, or alone in a list.
 * A number that no numbering plan knows yet may be a customer's all the same.
 */
export function asNumber(value: unknown, country: CountryCode | undefined, depth = 0): Msisdn | undefined {
  if (Array.isArray(value)) return value.length === 1 ? asNumber(value[0], country, depth) : undefined;
  if (isJsonObject(value)) {
    const node = { ...nodeOf(value, ''), country };
    return depth < DEEPEST_NUMBER ? numberIn(node, NUMBER_PARTS, depth + 1) : undefined;
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
