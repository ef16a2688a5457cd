import { z } from 'zod';
import { isJsonObject } from './json.ts';

/*
 * One reading of foreign structures, for answers and webhooks: names are without case, blanks, `_` and `-`, whatever an
 * object inherits is never read, and each part is read at most once.
 */

/** A way into a structure, outermost first: names, places in a list, `'[]'` for any place. */
export type Path = readonly (string | number)[];

export const ANY_PLACE = '[]';

export function normalised(key: string): string {
  return key.replaceAll(/[\s_-]/g, '').toLowerCase();
}

/** `a.b[0].c` and `a[].b`, as it is written in herald.yml. */
export const pathSchema = z
  .string({ error: 'Write where it stands, e.g. data.status.' })
  .regex(
    /^(?:[^\s.[\]]+|\[\d{0,4}\])(?:\[\d{0,4}\]|\.[^\s.[\]]+)*$/,
    'Write field names with points between them, e.g. data.status; [0] is a place in a list, [] any place.',
  )
  .transform(
    (text): Path =>
      text
        .split(/[.[]/)
        .filter((part) => part !== '')
        .map((part) =>
          part === ']' ? ANY_PLACE : part.endsWith(']') ? Number.parseInt(part, 10) : normalised(part),
        ),
  );

/** An object is looked at from each that it is around: its members are listed once. */
const listings = new WeakMap<object, Map<string, unknown>>();

/** The members of an object by name; where two names are alike the first counts. */
export function membersOf(object: object): Map<string, unknown> {
  const known = listings.get(object);
  if (known !== undefined) return known;
  const members = new Map<string, unknown>();
  for (const [name, value] of Object.entries(object)) {
    const short = normalised(name);
    if (!members.has(short)) members.set(short, value);
  }
  listings.set(object, members);
  return members;
}

/** Lists straight inside lists. */
const MOST_LISTS = 4;

/**
 * Whatever stands at the end of a path, in the order of the structure; a list there counts as its elements, and lists that the
 * path does not mention are passed through. Undefined stands for what lacks it.
 */
export function valuesAt(root: unknown, path: Path): readonly unknown[] {
  let found: readonly unknown[] = [root];
  for (const step of path) {
    if (typeof step === 'number') found = found.map((one) => (Array.isArray(one) ? one[step] : undefined));
    else if (step === ANY_PLACE) found = found.flatMap((one) => (Array.isArray(one) ? one : [undefined]));
    else found = found.flatMap(elements).flatMap((one) => membersCalled(step, one));
  }
  return found.flatMap(elements);
}

/** Names that are alike, all of them: none of them alone says what is meant. */
function membersCalled(name: string, object: unknown): readonly unknown[] {
  if (!isJsonObject(object)) return [undefined];
  const alike = Object.keys(object).filter((key) => normalised(key) === name);
  return alike.length > 1 ? alike.map((key) => object[key]) : [membersOf(object).get(name)];
}

function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.flat(MOST_LISTS) : [value];
}

/** A key and its value somewhere in a structure, neither an object nor a list. */
export interface Member {
  readonly key: string;
  readonly value: unknown;
  /** The keys above it, outermost first; an array's elements stand under the array's key. */
  readonly parents: readonly string[];
  /** The names and places on the way to it. */
  readonly way: Path;
  /** The object, or list, that it stands in. */
  readonly object?: object;
  /** The outermost list of several elements that it is in, with the element's place and the list's own key and parents. */
  readonly list?: {
    readonly elements: readonly unknown[];
    readonly index: number;
    readonly names: readonly string[];
  };
}

/** Leaves are read this far and no further; what a service means stands near the top. */
const MOST_DEPTH = 8;
const MOST_MEMBERS = 10_000;

/** Every leaf of a structure, outermost first, within bounds. A bare value is a member with an empty key. */
export function leavesOf(root: unknown): readonly Member[] {
  const leaves: Member[] = [];
  const queue: Member[] = [{ value: root, key: '', parents: [], way: [] }];
  for (let at = 0; at < queue.length && leaves.length < MOST_MEMBERS; at += 1) {
    const member = queue[at] as Member;
    if (typeof member.value === 'object' && member.value !== null) {
      if (member.parents.length < MOST_DEPTH) addChildren(queue, member, member.value);
    } else if (member.value !== undefined) leaves.push(member);
  }
  return leaves;
}

/** Every answer of a bulk send passes here: nothing is copied that need not be. */
function addChildren(queue: Member[], { key, parents, way, list }: Member, object: object): void {
  const isArray = Array.isArray(object);
  const names = key === '' && !isArray ? parents : [...parents, key];
  const keys = Object.keys(object).slice(0, MOST_MEMBERS);
  for (const own of keys) {
    const value: unknown = (object as Record<string, unknown>)[own];
    const step = isArray ? Number(own) : normalised(own);
    // Arrays straight inside arrays count as a level, or nesting them would escape the bound.
    const above = isArray && !Array.isArray(value) ? parents : names;
    const child = { value, key: isArray ? key : String(step), parents: above, way: [...way, step], object };
    if (list !== undefined) queue.push({ ...child, list });
    else if (isArray && object.length > 1)
      queue.push({ ...child, list: { elements: object, index: Number(own), names } });
    else queue.push(child);
  }
}
