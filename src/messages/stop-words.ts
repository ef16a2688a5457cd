/** Letters, marks and digits; what surrounds the words of a short reply are blanks, signs and emoji. */
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Whether a reply asks for no more messages: it is one of the words and nothing else, whatever the case, the width of
 * its letters, and the signs around it. "Stop by at five" asks for nothing of the kind.
 */
export function isStopReply(text: string, stopWords: readonly string[]): boolean {
  const said = plain(text);
  return said !== '' && stopWords.some((word) => plain(word) === said);
}

function plain(text: string): string {
  const lower = text.normalize('NFKC').toLocaleLowerCase('und');
  const words = [...lower.matchAll(WORDS)];
  const last = words.at(-1);
  const end = last === undefined ? 0 : last.index + last[0].length;
  return lower.slice(words[0]?.index ?? 0, end).replaceAll(/\s+/g, ' ');
}
