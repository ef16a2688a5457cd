import { createHmac } from 'node:crypto';

/** No number begins with it. */
const MARK = '#';
/** 128 bits: no two of all numbers share one. */
const LENGTH = 22;

/** Gives a number the name that stands in its place once retention or `erase` has removed it: the same one each time. */
export type Pseudonym = (number: string) => string;

/** @param key without it nobody finds the number of a name by trying all numbers; with another key names are others */
export function createPseudonym(key: string): Pseudonym {
  return (number) =>
    `${MARK}${createHmac('sha256', key).update(number).digest('base64url').slice(0, LENGTH)}`;
}

export function isPseudonym(number: string): boolean {
  return number.startsWith(MARK);
}
