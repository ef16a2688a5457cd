import { readSomebodysNumber } from '../../messages/numbers/person.ts';
import type { CountryCode, Msisdn } from '../../messages/numbers/phone-number.ts';
import { normalised } from '../answer-members.ts';
import { asId } from '../find-message-id.ts';
import { isJsonObject } from '../json.ts';

/** An object somewhere in a body. Its members are by normalised key; where two keys are alike the first counts. */
export interface BodyNode {
  readonly members: ReadonlyMap<string, unknown>;
  /** The normalised key it stands under; elements of a list stand under the list's key. */
  readonly key: string;
  readonly parent?: BodyNode;
  /** Of national numbers. */
  readonly country?: CountryCode | undefined;
}

/** How far up from an event its sender and ids are looked for. */
const MOST_STEPS_UP = 12;
const LONGEST_TEXT = 4_096;

/** Members of parsed JSON or of a form; never reads what an object inherits. */
export function nodeOf(value: object, key: string, parent?: BodyNode): BodyNode {
  const members = new Map<string, unknown>();
  for (const name of Object.keys(value)) {
    const short = normalised(name);
    if (!members.has(short)) members.set(short, (value as Record<string, unknown>)[name]);
  }
  return { ...(parent && { country: parent.country, parent }), members, key };
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
    const value = node.members.get(key);
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text.trim() !== '') return text.toWellFormed().slice(0, LONGEST_TEXT);
  }
  return undefined;
}

export function idIn(node: BodyNode, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const id = asId(node.members.get(key));
    if (id !== undefined) return id;
  }
  return undefined;
}

/** The first of `keys` that holds an object, as a node. */
export function childOf(node: BodyNode, keys: readonly string[]): BodyNode | undefined {
  for (const key of keys) {
    const value = node.members.get(key);
    if (isJsonObject(value)) return nodeOf(value, key, node);
  }
  return undefined;
}

/** A phone number under one of `keys`, with or without its +. Services write international numbers; few, national ones. */
export function numberIn(node: BodyNode, keys: readonly string[]): Msisdn | undefined {
  for (const key of keys) {
    const number = asNumber(node.members.get(key), node.country);
    if (number !== undefined) return number;
  }
  return undefined;
}

function asNumber(value: unknown, country: CountryCode | undefined): Msisdn | undefined {
  if (isJsonObject(value)) {
    const inner = nodeOf(value, '');
    const number = inner.members.get('phone') ?? inner.members.get('number') ?? inner.members.get('id');
    return asNumber(number, country);
  }
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > 40) return undefined;
  const digits = text.trim();
  const whole = /^[1-9]\d{7,14}$/.test(digits) ? `+${digits}` : digits;
  const international = readSomebodysNumber(whole, undefined);
  const read = international.ok ? international : readSomebodysNumber(digits, country);
  return read.ok ? read.value : undefined;
}
