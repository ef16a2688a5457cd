import slackNames from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };

/*
 * Slack hands an emoji on as its name between colons, with a skin tone as a second name. The names are those of
 * https://github.com/iamcal/emoji-data, from which Slack's clients are made; an emoji that a workspace has added itself
 * has a name, and no character.
 */

/** Addresses are passed over whole: what stands between colons in them is no emoji. */
const NAMED = /https?:\/\/\S+|:([a-z0-9_+'-]+)(?:::skin-tone-([2-6]))?:/g;
const WORD = /[\p{L}\p{N}]/u;
/** `:skin-tone-2:` to `:skin-tone-6:`: Unicode's five modifiers. */
const FIRST_TONE = 0x1f3fb;

let characters: ReadonlyMap<string, string> | undefined;

/** The text with each emoji that is named in it as its character; an unknown name stays as it is. */
export function withEmoji(text: string): string {
  let read = 0;
  let written = '';
  for (const { start, end, character } of namedIn(text)) {
    if (character === undefined) continue;
    written += text.slice(read, start) + character;
    read = end;
  }
  return written + text.slice(read);
}

/** A sentence on what a text that went through `withEmoji` names and no phone knows; undefined when it names nothing. */
export function unknownEmojiNote(text: string): string | undefined {
  for (const { start, end, character } of namedIn(text)) {
    const name = text.slice(start, end);
    // `avg(5m):avg:system.load` goes on: people leave a blank after an emoji.
    const goesOn = WORD.test(text.charAt(end));
    if (character !== undefined || isCode(name, text, start) || goesOn) continue;
    return `${name} is no emoji that phones know: they show these letters.`;
  }
  return undefined;
}

/** @param codePoints as rich text gives them beside a name: `1f44f-1f3fd` */
export function emojiOf(name: string, codePoints: string): string {
  const points = codePoints
    .slice(0, 100)
    .split('-')
    .map((one) => Number.parseInt(one, 16));
  const known = points.every((point) => point > 0x1f && point <= 0x10ffff);
  return known ? String.fromCodePoint(...points).toWellFormed() : withEmoji(`:${name}:`);
}

/** Every name in a text, with its character where it has one. */
function* namedIn(text: string) {
  for (let from = 0; ; ) {
    NAMED.lastIndex = from;
    const found = NAMED.exec(text);
    if (found === null) return;
    const [whole, name, tone] = found;
    const end = found.index + whole.length;
    from = end;
    if (name === undefined) continue;
    const character = isOfAnotherWord(name, text, found.index, end) ? undefined : characterOf(name, tone);
    // The colon that ends what is no emoji may begin one: `10:30:tada:`.
    if (character === undefined) from = end - 1;
    yield { start: found.index, end, character };
  }
}

/** `10:100:30`, `aa:ab:ac` and `db8:a::1` are no emoji, though 100, ab and a are names of some. `Sale:tada:now` is one. */
function isOfAnotherWord(name: string, text: string, start: number, end: number): boolean {
  // Slack has a sign for `:1234:`; a customer's code must not become it.
  if (name === '1234') return true;
  if (/^\d+$/.test(name)) return WORD.test(text.charAt(start - 1)) || WORD.test(text.charAt(end));
  return name.length <= 2 && WORD.test(text.charAt(start - 1)) && /[\p{L}\p{N}:]/u.test(text.charAt(end));
}

/** `:4821:`, and `PIN:4f7a:`: figures after a word are a code, and no emoji. */
function isCode(name: string, text: string, start: number): boolean {
  return /^:[\d-]+:$/.test(name) || (/\d/.test(name) && WORD.test(text.charAt(start - 1)));
}

function characterOf(name: string, tone: string | undefined): string | undefined {
  characters ??= readNames();
  const character = characters.get(name);
  if (character === undefined || tone === undefined) return character;
  const modifier = String.fromCodePoint(FIRST_TONE + Number(tone) - 2);
  return character.replace(/(\p{Emoji_Modifier_Base})\uFE0F?/gu, `$1${modifier}`);
}

/** Two thousand names, read when the first is met. */
function readNames(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(slackNames as Readonly<Record<string, string | readonly string[]>>).flatMap(
      ([codePoints, names]) => [names].flat().map((name) => [name, characterAt(codePoints)] as const),
    ),
  );
}

/** The data set leaves out the marks that a phone needs to draw an emoji in colour; Unicode's rule puts them back. */
function characterAt(codePoints: string): string {
  return String.fromCodePoint(...codePoints.split('-').map((one) => Number.parseInt(one, 16)))
    .replaceAll('\uFE0F', '')
    .replace(/(?=\p{Emoji})\P{Emoji_Presentation}/gu, '$&\uFE0F');
}
