import { unescapeEntities } from '../../connection/escape.ts';
import { withEmoji } from './emoji.ts';

/** Names for what Slack mentions by id. A name that is not known is undefined; then the id stands for itself. */
export interface MentionNames {
  user?(id: string): string | undefined;
  channel?(id: string): string | undefined;
  userGroup?(id: string): string | undefined;
}

/** `<target>` or `<target|label>`: a link, a mention, a date. */
const REFERENCE = /<([^<>|\n]+)(?:\|([^<>\n]*))?>/g;
/**
 * The marks of bold, italic and struck text, where Slack reads them as such: not within a word. What they may hold is
 * bounded, so that a line of thousands of lone marks takes no longer to read than any other.
 */
const MARKED = /(?<![\p{L}\p{N}*_~])([*_~])(?=\S)([^\n]{0,500}?\S)\1(?![\p{L}\p{N}*_~])/gu;
const QUOTE = /^(?:&gt;)+ ?/gm;
/** Slack shows code as it was typed: in it are no emoji and no marks. */
const CODE = /```\n?([^`]*(?:`{1,2}[^`]+)*)```|`([^`\n]+)`/g;
const FENCE = /```\n?/g;
/** How deep bold, italic and struck text stand in one another. */
const MARK_DEPTH = 3;

/**
 * mrkdwn as a person reads it, without its marks: a link is its label, or its address where it has none; a mention is
 * a name; emoji and entities are the characters they stand for. Source: https://docs.slack.dev/messaging/formatting-message-text
 */
export function mrkdwnText(text: string, names: MentionNames = {}): string {
  // What stands for a link, a mention or code is kept out of the way of the marks around it.
  const aside: string[] = [];
  const putAside = (part: string) => `\u0000${aside.push(part) - 1}\u0001`;
  const unmarked = text
    .replace(REFERENCE, (_whole, target: string, label?: string) =>
      putAside(referenceText(target, label, names)),
    )
    .replace(QUOTE, '')
    .replace(CODE, (_whole, block?: string, inline?: string) =>
      putAside(unescapeEntities(block ?? inline ?? '')),
    );
  const back = (part: string) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the two characters are put in above
    part.replace(/\u0000(\d+)\u0001/g, (_whole, index: string) => aside[Number(index)] ?? '');
  // Code may hold links and mentions.
  return back(back(withEmoji(unescapeEntities(withoutMarks(unmarked)))));
}

function withoutMarks(text: string): string {
  let unmarked = text.replace(CODE, '$1$2').replace(FENCE, '');
  for (let depth = 0; depth < MARK_DEPTH; depth += 1) unmarked = unmarked.replace(MARKED, '$2');
  return unmarked;
}

function referenceText(target: string, label: string | undefined, names: MentionNames): string {
  const written = label ? withEmoji(unescapeEntities(withoutMarks(label))) : undefined;
  const sign = target.charAt(0);
  if (sign === '@') return userText(target.slice(1), names, written);
  if (sign === '#') return channelText(target.slice(1), names, written);
  if (sign !== '!') return written ?? unescapeEntities(target).replace(/^(?:mailto|tel):/, '');
  if (target.startsWith('!subteam^')) return userGroupText(target.slice('!subteam^'.length), names, written);
  // `!date^…|fallback` and `!here`.
  return written ?? `@${target.slice(1)}`;
}

export function userText(id: string, names: MentionNames, written?: string): string {
  return signed('@', names.user?.(id) ?? written ?? id);
}

export function channelText(id: string, names: MentionNames, written?: string): string {
  return signed('#', names.channel?.(id) ?? written ?? id);
}

export function userGroupText(id: string, names: MentionNames, written?: string): string {
  return signed('@', names.userGroup?.(id) ?? written ?? id);
}

function signed(sign: string, name: string): string {
  return name.startsWith(sign) ? name : sign + name;
}
