import { asList, asObject, type Json } from './block-identity.ts';
import { emojiNamed, unicodeOf, withEmojiNames } from './emoji-names.ts';

/*
 * How Slack tells an app what people and apps wrote: emoji as names, `& < >` escaped in the text of blocks, and rich text
 * beside what a person typed. The page is shown what was written.
 */

/** What a person typed as Slack keeps it: the composer has escaped it, unless it comes from there. */
export function typedText({ text, isEncoded }: { text: string; isEncoded?: boolean }): string {
  return isEncoded === true ? text : escaped(text);
}

/** A text that was plain, as Slack's notation has it. */
export function toldPlain(text: string): string {
  return escaped(withEmojiNames(text));
}

/** Blocks, attachments or a view's title, with each of their texts as Slack tells it. */
export function toldBlocks<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(toldBlocks) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const object = value as Json;
  const { text, type } = object;
  if (type === 'mrkdwn' && typeof text === 'string')
    return { ...object, text: withEmojiNames(text) } as Value;
  if (type === 'plain_text' && typeof text === 'string') {
    return { ...object, text: object.emoji === false ? escaped(text) : toldPlain(text) } as Value;
  }
  // Rich text is told as it was given.
  if (type === 'rich_text') return value;
  return Object.fromEntries(Object.entries(object).map(([key, one]) => [key, toldBlocks(one)])) as Value;
}

const ATTACHMENT_TEXTS = ['pretext', 'author_name', 'title', 'text', 'fallback', 'footer'];

/** An attachment's own texts are mrkdwn without saying so. */
export function toldAttachment(attachment: unknown): Json {
  const told = toldBlocks(asObject(attachment));
  for (const key of ATTACHMENT_TEXTS) {
    if (typeof told[key] === 'string') told[key] = withEmojiNames(told[key]);
  }
  if (Array.isArray(told.fields)) told.fields = asList(told.fields).map(toldField);
  return told;
}

function toldField(field: unknown): Json {
  const { title, value, ...rest } = asObject(field);
  return { ...rest, title: withEmojiNames(String(title ?? '')), value: withEmojiNames(String(value ?? '')) };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** What stands for something in Slack's notation, an emoji, or a marked word. */
const INLINE =
  /<(?<target>[^<>\|\n]+)(?:\|(?<label>[^<>\n]*))?>|:(?<name>[a-z0-9_+'\-]+):(?::skin-tone-(?<tone>[2-6]):)?|(?<emoji>\p{RGI_Emoji})|(?<![\p{L}\p{N}])(?<mark>[*_~`])(?<marked>[^\s*_~`][^*_~`\n]*)\k<mark>(?![\p{L}\p{N}])/gv;
const STYLES: Readonly<Record<string, string>> = { '*': 'bold', _: 'italic', '~': 'strike', '`': 'code' };

/** The rich text that Slack's composer makes of what a person typed, one section. */
export function richTextOf(text: string, blockId: string): Json {
  const elements: Json[] = [];
  let read = 0;
  const plain = (end: number) => {
    if (end > read) elements.push({ type: 'text', text: unescaped(text.slice(read, end)) });
  };
  for (const match of text.matchAll(INLINE)) {
    const element = inlineOf(match.groups ?? {});
    if (element === null) continue;
    plain(match.index);
    elements.push(element);
    read = match.index + match[0].length;
  }
  plain(text.length);
  return { type: 'rich_text', block_id: blockId, elements: [{ type: 'rich_text_section', elements }] };
}

function inlineOf({
  target,
  label,
  name,
  tone,
  emoji,
  mark,
  marked,
}: Record<string, string | undefined>): Json | null {
  if (target !== undefined) return referenceOf(target, label);
  if (marked !== undefined) {
    return { type: 'text', text: unescaped(marked), style: { [STYLES[mark ?? ''] ?? 'bold']: true } };
  }
  if (emoji !== undefined) {
    const named = emojiNamed(emoji);
    return named && emojiElement(named.name, named.skinTone, named.unicode);
  }
  // Times of day are none.
  if (name === undefined || /^\d+$/.test(name)) return null;
  const skinTone = tone === undefined ? undefined : Number(tone);
  return emojiElement(name, skinTone, unicodeOf(name, skinTone));
}

function emojiElement(name: string, skinTone: number | undefined, unicode: string | null): Json {
  return {
    type: 'emoji',
    name,
    ...(unicode === null ? {} : { unicode }),
    ...(skinTone === undefined ? {} : { skin_tone: skinTone }),
  };
}

function referenceOf(target: string, label: string | undefined): Json {
  if (target.startsWith('@')) return { type: 'user', user_id: target.slice(1) };
  if (target.startsWith('#')) return { type: 'channel', channel_id: target.slice(1) };
  if (target.startsWith('!subteam^')) return { type: 'usergroup', usergroup_id: target.slice(9) };
  if (target.startsWith('!')) return { type: 'broadcast', range: target.slice(1) };
  return { type: 'link', url: unescaped(target), ...(label ? { text: unescaped(label) } : {}) };
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
