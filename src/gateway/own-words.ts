import { COVER } from './secrets.ts';

/** Characters that are shown, and kept, of what a service says of itself; of its message where details follow. */
const MOST_SHOWN = 300;
const MOST_BEFORE_DETAILS = 120;
const BETWEEN = ' – ';
/** Telephone numbers and long ids, with what stands between their digits; limits such as 1024 stay readable. */
const NUMBER = /\p{Nd}(?:[ .()-]{0,2}\p{Nd}){6,}/gu;
/** Keys and tokens. */
const LONG_TOKEN = /[\w+/=.-]{32,}/g;

/**
 * A service's own words as people may see them, or undefined where they say nothing that is not said already: on one
 * line, shortened, long tokens and every number of seven digits or more covered. Still foreign text: escaping is for
 * whoever shows them.
 *
 * @param parts its message, and the details of it; known secrets are covered in them already
 * @param code the answer's own code, which may stay
 * @param said what people are told beside it
 */
export function ownWords(
  parts: readonly string[],
  code: string | undefined,
  said: string,
): string | undefined {
  const [first, second] = parts
    .map((part) => tidied(part, code))
    .filter((part, at, all) => !all.some((other, place) => place !== at && holds(other, part, place < at)))
    .filter((part) => !holds(said, part, true));
  if (first === undefined || second === undefined) return first && shortened(first, MOST_SHOWN);
  const isLong = first.length + BETWEEN.length + second.length > MOST_SHOWN;
  const message = isLong ? shortened(first, MOST_BEFORE_DETAILS) : first;
  return message + BETWEEN + shortened(second, MOST_SHOWN - BETWEEN.length - message.length);
}

function tidied(words: string, code: string | undefined): string {
  return words
    .slice(0, 10 * MOST_SHOWN)
    .replaceAll(LONG_TOKEN, COVER)
    .replaceAll(NUMBER, (number) => (number === code ? number : COVER))
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .replace(/\.$/, '');
}

/** Whether a text says all of another, whatever the signs; of two that say the same the first stays. */
function holds(text: string, words: string, isSameHeld: boolean): boolean {
  const [all, some] = [bare(text), bare(words)];
  return all.includes(some) && (isSameHeld || all !== some);
}

function bare(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{Nd}]+/gu, ' ')
    .trim();
}

function shortened(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
