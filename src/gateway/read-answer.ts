import { isJsonObject, parseJson } from './json.ts';
import { type AnswerSecrets, NO_SECRETS } from './secrets.ts';

/**
 * Reads an answer's body as JSON where it is JSON, even when its end is missing. Nothing is assumed of its
 * shape: the interface document shows no response body.
 */

export interface JsonAnswer {
  readonly kind: 'json';
  readonly members: readonly AnswerMember[];
  /** As it was parsed; `isCut` where its end is missing. */
  readonly value?: unknown;
  readonly isCut?: boolean;
}

/** A body as far as it could be understood: what JSON holds, else its text, else nothing. */
export type Answer =
  | JsonAnswer
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'empty' };

/** JSON nested deeper than this is not repaired: no service means it. */
const MOST_OPEN_BRACKETS = 64;

const decoder = new TextDecoder('utf-8', { fatal: false });

/**
 * @param body what was kept of the body; bytes that are not UTF-8 become replacement characters
 * @param secrets covered here, once, so that nobody who reads the answer meets them
 */
export function readAnswer(body: Uint8Array | undefined, secrets: AnswerSecrets = NO_SECRETS): Answer {
  const text = body === undefined ? '' : decoder.decode(body).trim();
  if (text === '') return { kind: 'empty' };
  const whole = parseJson(text);
  const value = whole ?? parseJson(closeCutJson(text));
  if (value === undefined) return { kind: 'text', text: secrets.cover(text) };
  return { ...jsonAnswer(value, secrets), isCut: whole === undefined };
}

/** @param way where the value stands, of one that is a part of an answer */
export function jsonAnswer(
  value: unknown,
  secrets: AnswerSecrets,
  way: AnswerMember['way'] = [],
): JsonAnswer {
  return { kind: 'json', value, members: withoutSecrets(answerMembers(value, way), secrets) };
}

/** An echo of a password alone says nothing; a key where a code stands still says that something is wrong. */
function withoutSecrets(
  members: readonly AnswerMember[],
  { passwords, cover }: AnswerSecrets,
): readonly AnswerMember[] {
  const isEcho = ({ value }: AnswerMember) => passwords.includes(String(value).trim());
  return (passwords.length === 0 ? members : members.filter((one) => !isEcho(one))).map((one) => {
    if (typeof one.value !== 'string' && typeof one.value !== 'number') return one;
    const text = String(one.value);
    const covered = cover(text);
    return covered === text ? one : { ...one, value: covered };
  });
}

/**
 * Cuts JSON whose end is missing back to its last complete value and closes what is open, so that a code in the
 * part that did arrive can be found. A value that the cut may have shortened is left out. Empty where nothing is left.
 */
function closeCutJson(text: string): string {
  if (!text.startsWith('{') && !text.startsWith('[')) return '';
  const open: string[] = [];
  let inString = false;
  let completeTo = 0;
  let closers = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
      continue;
    }
    switch (character) {
      case '"':
        inString = true;
        continue;
      case '{':
      case '[':
        open.push(character === '{' ? '}' : ']');
        completeTo = at + 1;
        break;
      case '}':
      case ']':
        if (open.pop() !== character) return '';
        completeTo = at + 1;
        break;
      case ',':
        completeTo = at;
        break;
      default:
        continue;
    }
    if (open.length > MOST_OPEN_BRACKETS) return '';
    closers = open.toReversed().join('');
  }
  return completeTo === 0 ? '' : text.slice(0, completeTo) + closers;
}

/** One key and its value somewhere in an answer. */
export interface AnswerMember {
  /** Without case, underscores and hyphens: `error_code`, `errorCode` and `ErrorCode` are one. */
  readonly key: string;
  readonly value: unknown;
  /** The keys above it, outermost first; an array's elements stand under the array's key. */
  readonly parents: readonly string[];
  /** The names and places on the way to it, outermost first: `['data', 1, 'id']`. */
  readonly way: readonly (string | number)[];
  /** The object, or list, that it stands in. */
  readonly object?: object;
  /** The outermost list of several elements that it is in, with the element's place and the list's own key and parents. */
  readonly list?: {
    readonly elements: readonly unknown[];
    readonly index: number;
    readonly names: readonly string[];
  };
}

/** Answers are read this far and no further; what a service means stands near the top. */
const MOST_DEPTH = 8;
const MOST_MEMBERS = 10_000;

/** Every member of parsed JSON, outermost first, within bounds. A bare value is a member with an empty key. */
export function answerMembers(root: unknown, way: AnswerMember['way'] = []): readonly AnswerMember[] {
  const members: AnswerMember[] = [];
  const queue: AnswerMember[] = [{ value: root, key: '', parents: [], way }];
  for (let at = 0; at < queue.length && members.length < MOST_MEMBERS; at += 1) {
    const node = queue[at];
    if (node === undefined) break;
    const isDeep = node.parents.length >= MOST_DEPTH;
    if (Array.isArray(node.value)) queue.push(...(isDeep ? [] : elementsOf(node, node.value)));
    else if (isJsonObject(node.value)) {
      if (!isDeep) addChildren(queue, node, node.value);
    } else members.push(node);
  }
  return members;
}

function elementsOf(node: AnswerMember, elements: readonly unknown[]): AnswerMember[] {
  const isSeveral = elements.length > 1;
  const names = [...node.parents, node.key];
  return elements.slice(0, MOST_MEMBERS).map((value, index) => {
    const list = node.list ?? (isSeveral ? { elements, index, names } : undefined);
    // Arrays straight inside arrays count as a level, or nesting them would escape the bound.
    const parents = Array.isArray(value) ? names : node.parents;
    return {
      value,
      key: node.key,
      parents,
      way: [...node.way, index],
      object: elements,
      ...(list && { list }),
    };
  });
}

/** Every answer of a bulk send passes here: nothing is copied that need not be. */
function addChildren(
  queue: AnswerMember[],
  node: AnswerMember,
  object: Readonly<Record<string, unknown>>,
): void {
  const parents = node.key === '' ? node.parents : [...node.parents, node.key];
  const keys = Object.keys(object);
  for (let at = 0; at < keys.length && at < MOST_MEMBERS; at += 1) {
    const key = keys[at] ?? '';
    const name = normalised(key);
    const child = { value: object[key], key: name, parents, way: [...node.way, name], object };
    queue.push(node.list === undefined ? child : { ...child, list: node.list });
  }
}

/** A service answers with the same few keys a million times. Bounded, because keys come from outside. */
const normalisedKeys = new Map<string, string>();
const MOST_KEYS_KEPT = 1_000;

export function normalised(key: string): string {
  const known = normalisedKeys.get(key);
  if (known !== undefined) return known;
  const fresh = key.replaceAll(/[\s_-]/g, '').toLowerCase();
  if (normalisedKeys.size < MOST_KEYS_KEPT) normalisedKeys.set(key, fresh);
  return fresh;
}
