import { unescapeEntities } from '../../connection/escape.ts';
import { isRecord, type Payload } from '../../connection/payload.ts';
import { emojiOf, withEmoji } from './emoji.ts';
import { channelText, type MentionNames, mrkdwnText, userGroupText, userText } from './mrkdwn.ts';

/** Slack nests blocks three deep. What calls itself may not be led further than the stack is. */
const DEEPEST = 20;

/**
 * A block as a person reads it. Buttons, inputs and dividers say nothing; a picture says its title or alternative.
 * Source: https://docs.slack.dev/reference/block-kit/blocks
 */
export function blockText(block: unknown, names: MentionNames, depth = 0): string {
  if (!isRecord(block) || depth > DEEPEST) return '';
  const says = (...keys: readonly string[]) => lines(keys.map((key) => said(block[key], names, depth + 1)));
  switch (block.type) {
    case 'header':
    case 'alert':
      return says('text');
    case 'section':
      return lines([says('text'), ...listAt(block, 'fields').map((field) => labelled(said(field, names)))]);
    case 'context':
      // The pictures among them are icons.
      return listAt(block, 'elements')
        .map((element) => (isRecord(element) && element.type === 'image' ? '' : said(element, names)))
        .filter((text) => text !== '')
        .join(' · ');
    case 'rich_text':
      return richTextLines(block, names);
    case 'markdown':
      return markdownText(stringAt(block, 'text'));
    case 'image':
    case 'video':
      return says('title') || says('alt_text');
    case 'card':
      return says('title', 'subtitle', 'body');
    case 'carousel':
      return says('elements');
    case 'container':
      return lines([says('rich_text_title') || says('title'), says('subtitle', 'child_blocks')]);
    case 'task_card':
      return says('title', 'details', 'output');
    case 'plan': {
      const tasks = listAt(block, 'tasks').filter(isRecord);
      return lines([says('title'), ...tasks.map((task) => blockText({ ...task, type: 'task_card' }, names))]);
    }
    case 'table':
    case 'data_table':
      return lines([says('caption'), ...listAt(block, 'rows').map((row) => rowText(row, names))]);
    default:
      return '';
  }
}

/** The parts that say something, one below the other. */
export function lines(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n');
}

/** By custom a field's first line is its label: `*Status:*`, then `Firing`. */
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
function said(part: unknown, names: MentionNames, depth = 0): string {
  if (Array.isArray(part))
    return lines(part.map((one) => (Array.isArray(one) ? '' : said(one, names, depth))));
  if (typeof part === 'string') return withEmoji(unescapeEntities(part));
  if (!isRecord(part)) return '';
  const text = stringAt(part, 'text');
  if (part.type === 'mrkdwn') return mrkdwnText(text, names);
  if (part.type !== 'plain_text') return blockText(part, names, depth);
  return part.emoji === false ? unescapeEntities(text) : said(text, names);
}

function rowText(row: unknown, names: MentionNames): string {
  if (!Array.isArray(row)) return '';
  const cells = row.filter(isRecord).map((cell: Payload) => {
    if (cell.type === 'rich_text') return richTextLines(cell, names);
    return typeof cell.value === 'number' ? String(cell.value) : said(cell.text, names);
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
  const value = node[key];
  return typeof value === 'string' ? value : '';
}

/**
 * A rich_text block as a person reads it, a line for each section and each item of a list.
 * Source: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
 */
function richTextLines(block: Payload, names: MentionNames): string {
  return listAt(block, 'elements')
    .filter(isRecord)
    .map((part) => partText(part, names))
    .join('\n');
}

function partText(part: Payload, names: MentionNames): string {
  const elements = listAt(part, 'elements').filter(isRecord);
  if (part.type !== 'rich_text_list') return elements.map((one) => inlineText(one, names)).join('');
  const offset = typeof part.offset === 'number' ? part.offset : 0;
  return elements
    .map((item, index) => {
      const mark = part.style === 'ordered' ? `${offset + index + 1}.` : '-';
      return `${mark} ${partText(item, names)}`;
    })
    .join('\n');
}

function inlineText(element: Payload, names: MentionNames): string {
  switch (element.type) {
    case 'text':
      return stringAt(element, 'text');
    case 'link':
      return stringAt(element, 'text') || stringAt(element, 'url');
    case 'user':
      return userText(stringAt(element, 'user_id'), names);
    case 'channel':
      return channelText(stringAt(element, 'channel_id'), names);
    case 'usergroup':
      return userGroupText(stringAt(element, 'usergroup_id'), names);
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
