import { isJsonObject } from './json.ts';

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
export function answerMembers(root: unknown): readonly AnswerMember[] {
  const members: AnswerMember[] = [];
  const queue: AnswerMember[] = [{ value: root, key: '', parents: [], way: [] }];
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
