import { unescapeEntities } from '../../connection/escape.ts';
import { isRecord, type Payload } from '../../connection/payload.ts';
import { withEmoji } from './emoji.ts';
import { type MentionNames, mrkdwnText } from './mrkdwn.ts';
import { listAt, stringAt } from './read.ts';
import { richTextLines } from './rich-text.ts';

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
