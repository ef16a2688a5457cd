import { unescapeEntities } from '../../connection/escape.ts';
import { isRecord, type Payload } from '../../connection/payload.ts';
import { type MentionNames, mrkdwnText } from './mrkdwn.ts';
import { listAt, stringAt } from './read.ts';
import { richTextLines } from './rich-text.ts';

/** A block as a person reads it. Buttons, inputs and dividers say nothing; a picture says its title or alternative. */
export function blockText(block: unknown, names: MentionNames): string {
  if (!isRecord(block)) return '';
  switch (block.type) {
    case 'header':
    case 'alert':
      return textObject(block.text, names);
    case 'section':
      return lines([
        textObject(block.text, names),
        ...listAt(block, 'fields').map((field) => labelled(textObject(field, names))),
      ]);
    case 'context':
      return listAt(block, 'elements')
        .map((element) => textObject(element, names))
        .filter((text) => text !== '')
        .join(' · ');
    case 'rich_text':
      return richTextLines(block, names);
    case 'markdown':
      return markdownText(stringAt(block, 'text'));
    case 'image':
    case 'video':
      return textObject(block.title, names) || stringAt(block, 'alt_text');
    case 'table':
      return lines(listAt(block, 'rows').map((row) => rowText(row, names)));
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

function textObject(text: unknown, names: MentionNames): string {
  if (!isRecord(text)) return '';
  const content = stringAt(text, 'text');
  return text.type === 'mrkdwn' ? mrkdwnText(content, names) : unescapeEntities(content);
}

function rowText(row: unknown, names: MentionNames): string {
  if (!Array.isArray(row)) return '';
  const cells = row.filter(isRecord).map((cell: Payload) => {
    if (cell.type === 'rich_text') return richTextLines(cell, names);
    return typeof cell.value === 'number' ? String(cell.value) : stringAt(cell, 'text');
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
  return unescapeEntities(withoutMarks);
}
