/** What surrounds the words of a short reply: blanks, signs, emoji. Letters, marks and digits stay. */
const AROUND = /^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu;

/**
 * Whether a reply asks for no more messages: it is one of the words and nothing else, whatever the case, the width of
 * its letters, and the signs around it. "Stop by at five" asks for nothing of the kind.
 */
export function isStopReply(text: string, stopWords: readonly string[]): boolean {
  const said = plain(text);
  return said !== '' && stopWords.some((word) => plain(word) === said);
}

function plain(text: string): string {
  return text.normalize('NFKC').toLocaleLowerCase('und').replaceAll(AROUND, '').replaceAll(/\s+/g, ' ');
}
