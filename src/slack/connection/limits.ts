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
  /** What a `plain_text_input` holds. */
  inputValue: 3000,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,

  tableRows: 100,

  /** An interaction that is not acknowledged in this time is lost to the person. */
  acknowledgeMs: 3000,
  responseUrlUses: 5,
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
