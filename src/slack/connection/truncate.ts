const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ELLIPSIS = '…';

/**
 * Cuts `text` to at most `maxLength` UTF-16 code units, ending in an ellipsis when something was cut. What a
 * reader sees as one character (a flag, an accented letter, an emoji with a skin tone) is never cut in two.
 *
 * @param lengthOf how long a piece counts, where it is written differently from how it is read (escaping)
 */
export function truncate(
  text: string,
  maxLength: number,
  lengthOf: (piece: string) => number = (piece) => piece.length,
): string {
  if (lengthOf(text) <= maxLength) return text;
  const room = maxLength - lengthOf(ELLIPSIS);
  if (room < 0) return '';
  let kept = '';
  let length = 0;
  for (const { segment } of graphemes.segment(text)) {
    length += lengthOf(segment);
    if (length > room) break;
    kept += segment;
  }
  return kept.trimEnd() + ELLIPSIS;
}
