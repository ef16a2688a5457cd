/**
 * Slack's limits, in one place. Lengths are characters; Slack does not say how it counts them, so Herald counts
 * UTF-16 code units, the largest of the possible counts. Source: the reference pages of Block Kit and of views.
 */
export const LIMITS = {
  /** Blocks of one message. */
  messageBlocks: 50,
  /** Blocks of a modal or of a Home tab. */
  viewBlocks: 100,

  sectionText: 3000,
  sectionFields: 10,
  headerText: 150,

  blockId: 255,
  privateMetadata: 3000,
  modalTitle: 24,
  modalSubmit: 24,
  modalClose: 24,

  buttonText: 75,
  buttonValue: 2000,
  selectOptions: 100,
  optionText: 75,
  optionValue: 75,
  optionGroupLabel: 75,
  inputLabel: 2000,
  inputHint: 2000,
  placeholder: 150,
  /** The value of a `plain_text_input`. */
  inputValue: 3000,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,

  tableRows: 100,
  tableColumns: 20,
  /** Slack says nothing; the sandbox takes as much. */
  alertText: 200,
  carouselCards: 10,

  /** An interaction that is not acknowledged in this time is lost to the person. */
  acknowledgeMs: 3000,
  responseUrlMs: 30 * 60_000,
} as const;

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

/**
 * A text in pieces of at most so many characters, which together are the text. A piece ends after a blank or a line where
 * it can, and never within a character.
 */
export function piecesOf(text: string, most: number): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + most, text.length);
    const next = text.charCodeAt(to);
    // The second half of a pair belongs to the first.
    if (next >= 0xdc00 && next <= 0xdfff) to -= 1;
    const blank = Math.max(text.lastIndexOf(' ', to - 1), text.lastIndexOf('\n', to - 1));
    if (to < text.length && blank > from + most / 2) to = blank + 1;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
