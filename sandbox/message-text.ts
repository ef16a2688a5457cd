/** A message's blocks as the plain text that a person reads, one line a block or element. */
export function messageText(message: { text: string; blocks?: unknown[] }): string {
  if (!message.blocks || message.blocks.length === 0) return plain(message.text);
  return message.blocks
    .map(blockText)
    .filter((line) => line !== '')
    .join('\n');
}

type Node = Record<string, unknown>;

function blockText(block: unknown): string {
  if (!isNode(block)) return '';
  switch (block.type) {
    case 'divider':
      return '';
    case 'actions':
      return listOf(block.elements).map(elementText).join(' ');
    case 'context':
      return listOf(block.elements).map(elementText).join(' · ');
    case 'rich_text':
      return richText(block);
    case 'table':
    case 'data_table':
      return listOf(block.rows)
        .map((row) => (Array.isArray(row) ? row.map(elementText).join(' | ') : ''))
        .join('\n');
    default:
      return [
        elementText(block.text),
        listOf(block.fields).map(fieldText).join(' · '),
        elementText(block.title),
        elementText(block.accessory),
      ]
        .filter((line) => line !== '')
        .join('\n');
  }
}

/** A field's first line is its label by custom. */
function fieldText(field: unknown): string {
  return elementText(field).replace('\n', ': ');
}

function elementText(element: unknown): string {
  if (typeof element === 'string') return plain(element);
  if (!isNode(element)) return '';
  if (element.type === 'button') return `[${elementText(element.text)}]`;
  if (element.type === 'overflow')
    return listOf(element.options)
      .map((option) => `[${elementText(option)}]`)
      .join(' ');
  if (element.type === 'rich_text') return richText(element);
  return typeof element.text === 'string' ? plain(element.text) : elementText(element.text);
}

function richText(node: Node): string {
  if (node.type === 'text' && typeof node.text === 'string') return node.text;
  if (node.type === 'user') return `@${String(node.user_id)}`;
  if (node.type === 'channel') return `#${String(node.channel_id)}`;
  if (node.type === 'link') return String(node.text ?? node.url);
  if (node.type === 'emoji') return `:${String(node.name)}:`;
  const inner = listOf(node.elements).filter(isNode).map(richText);
  const isContainer = node.type === 'rich_text' || node.type === 'rich_text_list';
  return inner.join(isContainer ? '\n' : '');
}

/** mrkdwn without its marks, its entities read back. */
function plain(text: string): string {
  return text
    .replace(/<(?:@|!subteam\^)(\w+)(\|[^>]*)?>/g, '@$1')
    .replace(/<#(\w+)(\|[^>]*)?>/g, '#$1')
    .replace(/<!date\^[^|>]*\|([^>]*)>/g, '$1')
    .replace(/(^|\s)\*(\S|\S[^*\n]*\S)\*(?=\s|$)/gm, '$1$2')
    .replace(/<(https?:[^|>]+)\|([^>]*)>/g, '$2')
    .replace(/<(https?:[^>]+)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}
