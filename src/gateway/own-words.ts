/** Most that is shown of what a service says of itself. */
const MOST_SHOWN = 160;
/** Covering a shorter one would cover half of every sentence. */
const SHORTEST_SECRET = 3;
const COVER = '•••';
/** Telephone numbers, one-time passwords and ids, with what stands between their digits. */
const NUMBER = /\p{Nd}(?:[ .()-]{0,2}\p{Nd}){3,}/gu;
/** Keys and tokens. */
const LONG_TOKEN = /[\w+/=.-]{32,}/g;

/**
 * A service's own words as people may see them: on one line, shortened, with secrets, long tokens and every number of
 * four digits or more covered. Escaping is for whoever shows them.
 *
 * @param secrets values that an answer may echo; each is covered wherever it stands
 * @param code the answer's own code, which may stay
 */
export function ownWords(words: string, secrets: readonly string[], code: string | undefined): string {
  const covered = secrets
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .reduce((text, secret) => text.replaceAll(secret, COVER), words.slice(0, 10 * MOST_SHOWN))
    .replaceAll(LONG_TOKEN, COVER)
    .replaceAll(NUMBER, (number) => (number === code ? number : COVER))
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  const characters = Array.from(covered);
  return characters.length <= MOST_SHOWN ? covered : `${characters.slice(0, MOST_SHOWN - 1).join('')}…`;
}
