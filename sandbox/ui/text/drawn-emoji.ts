/**
 * The signs that carry meaning in results and approvals, drawn by the page, so that they look the same on a machine
 * without an emoji font. Every other emoji is left to the system's font.
 */
// biome-ignore format: one row holds several signs
const DRAWN_EMOJI = [
  '✅', '✔', '☑', '❌', '✖', '⚠', '❗', '❓', 'ℹ', '⛔', '🚫', '🛑',
  '🚨', '⏳', '⌛', '⏸', '⏹', '▶', '↩', '🔄', '🔔', '🔇', '🏁', '🗓',
  '⏰', '➖', '📤', '⚡', '💬', '📱', '📎', '👀', '📣', '🔒', '📝', '🧪',
  '👋', '🟢', '🔴', '🟡', '🟠', '🔵', '⚪', '📬', '📪', '📈',
  '📋', '🏠', '✍', '✏', '✋',
] as const;

export type DrawnEmoji = (typeof DRAWN_EMOJI)[number];

const VARIATION_SELECTOR = /\uFE0F$/;
const DRAWN = new RegExp(`(?:${DRAWN_EMOJI.join('|')})\\uFE0F?`, 'gu');

/** The sign without its variation selector, or undefined when the page does not draw it. */
export function drawnEmoji(character: string): DrawnEmoji | undefined {
  const sign = character.replace(VARIATION_SELECTOR, '');
  return DRAWN_EMOJI.find((drawn) => drawn === sign);
}

/** The text cut at every emoji that is drawn by the page: odd places hold the emoji. */
export function splitAtDrawnEmoji(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(DRAWN)) {
    parts.push(text.slice(from, match.index), match[0]);
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return parts;
}
