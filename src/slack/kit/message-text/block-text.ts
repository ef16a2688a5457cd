import { unescapeEntities } from '../../connection/escape.ts';
import { isRecord, type Payload, textAt } from '../../connection/payload.ts';
import { emojiOf, withEmoji } from './emoji.ts';

/** Slack nests blocks three deep. What calls itself may not be led further than the stack is. */
const DEEPEST = 20;

/**
 * A block as a person reads it. Buttons, inputs and dividers say nothing; a picture says its title or alternative.
 * Source: https://docs.slack.dev/reference/block-kit/blocks
 */
export function blockText(block: unknown, nameOf: NameOf | undefined, depth = 0): string {
  if (!isRecord(block) || depth > DEEPEST) return '';
  const says = (...keys: readonly string[]) => lines(keys.map((key) => said(block[key], nameOf, depth + 1)));
  switch (block.type) {
    case 'section':
      return lines([says('text'), ...listAt(block, 'fields').map((field) => labelled(said(field, nameOf)))]);
    case 'context':
      // The pictures among them are icons.
      return listAt(block, 'elements')
        .map((element) => (isRecord(element) && element.type === 'image' ? '' : said(element, nameOf)))
        .filter((text) => text !== '')
        .join(' · ');
    case 'rich_text':
      return richTextLines(block, nameOf);
    case 'markdown':
      return markdownText(stringAt(block, 'text'));
    case 'image':
    case 'video':
      return says('title') || says('alt_text');
    case 'container':
      return lines([says('rich_text_title') || says('title'), says('subtitle', 'child_blocks')]);
    case 'plan': {
      const tasks = listAt(block, 'tasks').filter(isRecord);
      return lines([
        says('title'),
        ...tasks.map((task) => blockText({ ...task, type: 'task_card' }, nameOf)),
      ]);
    }
    case 'table':
    case 'data_table':
      return lines([says('caption'), ...listAt(block, 'rows').map((row) => rowText(row, nameOf))]);
    default:
      return says(...(SAYING.get(block.type) ?? []));
  }
}

/** The blocks that say the texts of these keys, and nothing else. */
const SAYING = new Map<unknown, readonly string[]>([
  ['header', ['text']],
  ['alert', ['text']],
  ['card', ['title', 'subtitle', 'body']],
  ['carousel', ['elements']],
  ['task_card', ['title', 'details', 'output']],
]);

/** The parts that say something, one below the other. */
export function lines(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n');
}

/** The first line of a field is by custom its label: `*Status:*`, then `Firing`. */
function labelled(text: string): string {
  const [first = '', ...rest] = text.trim().split('\n');
  const value = rest.join('\n').trim();
  return value === '' ? first : `${withoutColon(first)}: ${value}`;
}

/** A label without the colon that some put behind it. */
export function withoutColon(label: string): string {
  const trimmed = label.trim();
  return trimmed.endsWith(':') ? trimmed.slice(0, -1) : trimmed;
}

/** A text, a text object, a block, or several of them. `emoji: false`: `:smile:` was meant as these letters. */
function said(part: unknown, nameOf: NameOf | undefined, depth = 0): string {
  if (Array.isArray(part))
    return lines(part.map((one) => (Array.isArray(one) ? '' : said(one, nameOf, depth))));
  if (typeof part === 'string') return withEmoji(unescapeEntities(part));
  if (!isRecord(part)) return '';
  const text = stringAt(part, 'text');
  if (part.type === 'mrkdwn') return mrkdwnText(text, nameOf);
  if (part.type !== 'plain_text') return blockText(part, nameOf, depth);
  return part.emoji === false ? unescapeEntities(text) : said(text, nameOf);
}

function rowText(row: unknown, nameOf: NameOf | undefined): string {
  if (!Array.isArray(row)) return '';
  const cells = row.filter(isRecord).map((cell: Payload) => {
    if (cell.type === 'rich_text') return richTextLines(cell, nameOf);
    return typeof cell.value === 'number' ? String(cell.value) : said(cell.text, nameOf);
  });
  return cells.join(' | ');
}

/** Markdown's own marks: `**bold**`, `# heading`, `[label](address)`. */
function markdownText(text: string): string {
  const withoutMarks = text
    .replace(/^#{1,6} +/gm, '')
    .replace(/!?\[([^[\]\n]*)\]\([^()\s]*\)/g, '$1')
    .replace(/(\*\*|__|~~)(?=\S)([^\n]{0,500}?\S)\1/g, '$2')
    .replace(/```[a-z]*\n?/g, '')
    .replace(/`([^`\n]+)`/g, '$1');
  return withEmoji(unescapeEntities(withoutMarks));
}

/** A list in what Slack delivered; empty when it is none. */
export function listAt(node: Payload, key: string): readonly unknown[] {
  const value = node[key];
  return Array.isArray(value) ? value : [];
}

/** A text in what Slack delivered; empty when it is none. */
export function stringAt(node: Payload, key: string): string {
  return textAt(node, key) ?? '';
}

/**
 * A rich_text block as a person reads it, a line for each section and each item of a list.
 * Source: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
 */
function richTextLines(block: Payload, nameOf: NameOf | undefined): string {
  return listAt(block, 'elements')
    .filter(isRecord)
    .map((part) => partText(part, nameOf))
    .join('\n');
}

function partText(part: Payload, nameOf: NameOf | undefined): string {
  const elements = listAt(part, 'elements').filter(isRecord);
  if (part.type !== 'rich_text_list') return elements.map((one) => inlineText(one, nameOf)).join('');
  const offset = typeof part.offset === 'number' ? part.offset : 0;
  return elements
    .map((item, index) => {
      const mark = part.style === 'ordered' ? `${offset + index + 1}.` : '-';
      return `${mark} ${partText(item, nameOf)}`;
    })
    .join('\n');
}

function inlineText(element: Payload, nameOf: NameOf | undefined): string {
  switch (element.type) {
    case 'text':
      return stringAt(element, 'text');
    case 'link':
      return stringAt(element, 'text') || stringAt(element, 'url');
    case 'user':
      return mentionText('@', stringAt(element, 'user_id'), nameOf);
    case 'channel':
      return mentionText('#', stringAt(element, 'channel_id'), nameOf);
    case 'usergroup':
      return mentionText('@', stringAt(element, 'usergroup_id'), nameOf);
    case 'broadcast':
      return `@${stringAt(element, 'range')}`;
    case 'emoji':
      return emojiOf(stringAt(element, 'name'), stringAt(element, 'unicode'));
    case 'date':
      return stringAt(element, 'fallback') || dateText(element.timestamp);
    case 'color':
      return stringAt(element, 'value');
    default:
      return '';
  }
}

/** Without a fallback there is only the moment; it is written so that it means the same everywhere. */
function dateText(timestamp: unknown): string {
  if (typeof timestamp !== 'number') return '';
  const date = new Date(timestamp * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The name of what Slack mentions by id; undefined where it is not known: then the id stands for itself. */
export type NameOf = (id: string) => string | undefined;

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
/** Bold, italic and struck text stand so deep in one another. */
const MARK_DEPTH = 3;

/**
 * mrkdwn as a person reads it, without its marks: a link is its label, or its address where it has none; a mention is
 * a name; emoji and entities are the characters they stand for. Source: https://docs.slack.dev/messaging/formatting-message-text
 */
export function mrkdwnText(text: string, nameOf?: NameOf): string {
  // The text of a link, a mention or code is kept out of the way of the marks around it.
  const aside: string[] = [];
  const putAside = (part: string) => `\u0000${aside.push(part) - 1}\u0001`;
  const unmarked = text
    .replace(REFERENCE, (_whole, target: string, label?: string) =>
      putAside(referenceText(target, label, nameOf)),
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

function referenceText(target: string, label: string | undefined, nameOf: NameOf | undefined): string {
  const written = label ? withEmoji(unescapeEntities(withoutMarks(label))) : undefined;
  const sign = target.charAt(0);
  if (sign === '@' || sign === '#') return mentionText(sign, target.slice(1), nameOf, written);
  if (sign !== '!') return written ?? unescapeEntities(target).replace(/^(?:mailto|tel):/, '');
  if (target.startsWith('!subteam^'))
    return mentionText('@', target.slice('!subteam^'.length), nameOf, written);
  // `!date^…|fallback` and `!here`.
  return written ?? `@${target.slice(1)}`;
}

/** A person, a user group or a channel, called as it is known, else as it was written, else by its id. */
function mentionText(sign: '@' | '#', id: string, nameOf?: NameOf, written = id): string {
  const name = nameOf?.(id) ?? written;
  return name.startsWith(sign) ? name : sign + name;
}
