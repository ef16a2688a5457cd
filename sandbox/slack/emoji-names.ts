import slackNames from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };

/*
 * Slack stores an emoji as its name between colons, a skin tone behind it as a name of its own, and knows the names of
 * https://github.com/iamcal/emoji-data.
 */

export interface NamedEmoji {
  /** Without colons: `clap`. */
  name: string;
  /** 2 to 6. */
  skinTone?: number;
  /** As rich text gives it: `1f44f-1f3fd`. */
  unicode: string;
}

const EMOJI = /\p{RGI_Emoji}/gv;
const TONE = /[\u{1F3FB}-\u{1F3FF}]/gu;
const FIRST_TONE = 0x1f3fb;

const names = new Map<string, string>();
const characters = new Map<string, string>();
for (const [codePoints, named] of Object.entries(slackNames as Record<string, string | string[]>)) {
  const [first = '', ...others] = [named].flat();
  names.set(bare(fromCodePoints(codePoints)), first);
  for (const name of [first, ...others]) characters.set(name, fromCodePoints(codePoints));
}

/** A text as Slack stores it: `👏🏽` becomes `:clap::skin-tone-4:`. */
export function withEmojiNames(text: string): string {
  return text.replace(EMOJI, (emoji) => {
    const named = emojiNamed(emoji);
    if (named === null) return emoji;
    return `:${named.name}:${named.skinTone === undefined ? '' : `:skin-tone-${named.skinTone}:`}`;
  });
}

/** What Slack calls an emoji, or null when it has no name for it. */
export function emojiNamed(emoji: string): NamedEmoji | null {
  const name = names.get(bare(emoji.replace(TONE, '')));
  if (name === undefined) return null;
  const tone = emoji.match(TONE)?.[0]?.codePointAt(0);
  const skinTone = tone === undefined ? {} : { skinTone: tone - FIRST_TONE + 2 };
  return { name, ...skinTone, unicode: codePointsOf(emoji) };
}

/** The code points of an emoji by its name, as rich text gives them; null for one that the workspace added. */
export function unicodeOf(name: string, skinTone?: number): string | null {
  const character = characters.get(name);
  if (character === undefined) return null;
  const tone = skinTone === undefined ? '' : String.fromCodePoint(FIRST_TONE + skinTone - 2);
  return codePointsOf(tone === '' ? character : character + tone);
}

/** Emoji that people of this workspace have added. */
const OWN_EMOJI: ReadonlySet<string> = new Set(['acme']);

/** Whether the workspace has an emoji of this name, perhaps with a skin tone: `clap::skin-tone-4`. */
export function isEmojiName(name: string): boolean {
  const [, plain = name] = /^(.+)::skin-tone-[2-6]$/.exec(name) ?? [];
  return characters.has(plain) || OWN_EMOJI.has(plain);
}

function bare(emoji: string): string {
  return emoji.replaceAll('\uFE0F', '');
}

function fromCodePoints(codePoints: string): string {
  return String.fromCodePoint(...codePoints.split('-').map((one) => Number.parseInt(one, 16)));
}

function codePointsOf(emoji: string): string {
  return Array.from(emoji, (one) => (one.codePointAt(0) ?? 0).toString(16)).join('-');
}
