/* How much one text says that another does not. */

/** From so many words on a text says something else; a name, a place or a number is less. */
export const SAYS_ELSE = 4;
/** Longer words, as in writing without spaces, count for several. */
const WORD_CHARACTERS = 12;
const WORD = /\p{Script=Han}|[\p{L}\p{M}\p{N}]+/gu;
const DIGIT = /\p{N}/u;
const DOMAIN = /\.\p{L}{2}/u;

/** The words of a text with what each counts. All numbers count as one word, and of a link its host, as a whole text. */
export type Words = ReadonlyMap<string, number>;

export function wordsOf(text: string): Words {
  const words = new Map<string, number>();
  const plain = text.normalize('NFKC').toLowerCase();
  for (const part of plain.includes('/') ? plain.split(/\s+/) : [plain]) {
    const host = hostIn(part);
    if (host !== undefined) words.set(`${host}/`, SAYS_ELSE);
    else
      for (const word of part.match(WORD) ?? [])
        words.set(DIGIT.test(word) ? '#' : word, Math.ceil(word.length / WORD_CHARACTERS));
  }
  return words;
}

function hostIn(part: string): string | undefined {
  if (!part.includes('/')) return undefined;
  const [start = '', named] = part.split('://', 2);
  const [host = '', path] = (named ?? start).split(/[/?#]/, 2);
  return named !== undefined || (path !== undefined && DOMAIN.test(host)) ? host : undefined;
}

/** The words of either that the other has not, whichever are more. */
export function difference(one: Words, other: Words): number {
  return Math.max(beyond(one, other), beyond(other, one));
}

function beyond(one: Words, other: Words): number {
  let sum = 0;
  for (const [word, counts] of one) if (!other.has(word)) sum += counts;
  return sum;
}
