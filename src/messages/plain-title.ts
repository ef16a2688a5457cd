/**
 * What the interface document calls emoji and markdown, where it allows neither or one of them ("Button" and "Header
 * object"): each is a rule of its own with a sentence of its own.
 */

/**
 * Emoji by Unicode's own data: whatever has the property Emoji, in text or emoji style, alone or in a sequence. Digits,
 * # and * have it as well, and are emoji only when a keycap or the emoji style follows. Every sequence (flags, skin
 * tones, families joined by ZWJ, tags) begins with a character that is found so. What Unicode keeps free for
 * emoji to come is refused as well: the customer's phone may know it before Herald's runtime does.
 */
const EMOJI = /[\p{Emoji}--[0-9#*]]|[\p{Extended_Pictographic}&&\p{Cn}]|[0-9#*](?:\uFE0F|\u20E3)/v;

/**
 * Text that a chat app would format: a word or more between two marks (*bold*, _italic_, ~struck~, `code`), and at the
 * start a heading, a quotation or a bullet. Marks inside words or with a space behind them format nothing.
 */
const MARKDOWN: readonly { readonly pattern: RegExp; readonly what: string }[] = [
  { pattern: /(?<![\p{L}\p{N}*])(\*{1,3})(?![\s*])[^*\n]*[^\s*]\1(?![\p{L}\p{N}*])/u, what: '*…*' },
  { pattern: /(?<![\p{L}\p{N}_])(_{1,3})(?![\s_])[^_\n]*[^\s_]\1(?![\p{L}\p{N}_])/u, what: '_…_' },
  { pattern: /(?<![\p{L}\p{N}~])(~{1,2})(?![\s~])[^~\n]*[^\s~]\1(?![\p{L}\p{N}~])/u, what: '~…~' },
  { pattern: /`[^`\n]+`/u, what: '`…`' },
  { pattern: /\[[^\]\n]+\]\([^)\s]+\)/u, what: '[…](…)' },
  { pattern: /^\s*#{1,6}\s/u, what: '# at the start' },
  { pattern: /^\s*>/u, what: '> at the start' },
  { pattern: /^\s*[*+-]\s/u, what: 'the bullet at the start' },
];

/** The first emoji of a text; undefined when there is none. */
export function emojiIn(text: string): string | undefined {
  return EMOJI.exec(text)?.[0];
}

/** How a text is formatted, to be named in a sentence; undefined when it is plain. */
export function markdownIn(text: string): string | undefined {
  return MARKDOWN.find(({ pattern }) => pattern.test(text))?.what;
}

/** One sentence about an emoji where none may stand. */
export function emojiProblem(text: string, label: string): string | undefined {
  const found = emojiIn(text);
  return found === undefined
    ? undefined
    : `${label} has an emoji (${found}), and none may stand here. Remove it.`;
}

/** One sentence about formatting where none may stand. */
export function markdownProblem(text: string, label: string): string | undefined {
  const found = markdownIn(text);
  return found === undefined
    ? undefined
    : `${label} is formatted with markdown (${found}), and it must be plain text. Remove the marks.`;
}

/** One sentence about a text over its limit, counted as limits.ts says. */
export function lengthProblem(text: string, label: string, most: number): string | undefined {
  if (text.length <= most) return undefined;
  return `${label} has ${text.length} characters; at most ${most} are possible (an emoji counts as two or more). Shorten it by ${text.length - most}.`;
}
