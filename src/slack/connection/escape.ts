import { codePointName } from '../../messages/text.ts';
import { truncate } from './limits.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const CHARACTERS: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Control characters that no text shows: everything of C0 and C1 but tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Characters that change how the text around them reads without being seen: bidi embeddings, overrides and
 * isolates, zero-width space, word joiner, invisible operators, byte order mark, soft hyphen, tags. Left alone
 * are the joiners U+200C and U+200D and the marks U+200E, U+200F and U+061C: Indic and Arabic scripts and emoji
 * need them, and they reorder nothing beyond themselves.
 */
const INVISIBLE = /[\u00ad\u200b\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * Text given by a person or by the service, made safe to look at: every invisible character that could reorder
 * or hide its surroundings is written out as its code point, line ends become line feeds, and lone surrogates
 * become U+FFFD. For display only: what is sent stays as typed.
 */
export function showInvisible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(CONTROL, '\ufffd')
    .replace(INVISIBLE, (character) => `⟨${codePointName(character)}⟩`);
}

/**
 * Escapes what Slack reads as control sequences in `mrkdwn` and in a message's top-level `text`, after
 * `showInvisible`. `<!channel>` and `<@U…>` become just letters. Formatting characters stay: put outside text
 * into `rich_text` or `plain_text` where formatting matters.
 *
 * @param maxLength cut so that the escaped text has at most this many characters; no entity is cut in two
 */
export function escapeMrkdwn(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  return escapeEntities(truncate(showInvisible(text), maxLength, (piece) => escapeEntities(piece).length));
}

/** `escapeMrkdwn` for words that are shown as they were typed: a line that would format stands in code. */
export function literalMrkdwn(text: string, maxLength: number): string {
  const lines = escapeMrkdwn(text, maxLength).split('\n');
  return lines
    .map((line) => (/[*~`]|(?<!\w)_|^&gt;/.test(line) ? `\`${line.replaceAll('`', '’')}\`` : line))
    .join('\n');
}

function escapeEntities(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
}

/** The reverse of Slack's own escaping, once: `&amp;lt;` was typed as `&lt;` and stays that. */
export function unescapeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (entity) => CHARACTERS[entity] ?? entity);
}
