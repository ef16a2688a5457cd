import { type Dialect, parseInline } from './inline.ts';
import { decodeEntities, type Inline, type ListItem, type TextBlock } from './nodes.ts';

const MARKDOWN: Dialect = {
  marks: [
    { mark: '**', type: 'bold' },
    { mark: '__', type: 'bold' },
    { mark: '~~', type: 'strike' },
    { mark: '*', type: 'italic' },
    { mark: '_', type: 'italic' },
  ],
  bracketLinks: true,
};

const FENCE = /^\s*```/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const ITEM = /^(\s*)(?:([-*+])|(\d+)[.)])\s+(.*)$/;
const QUOTED = /^\s*(?:&gt;|>)\s?/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** Reads the standard Markdown that Slack's `markdown` block takes. */
export function parseMarkdown(source: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  while (lines.length > 0) {
    if (lines[0]?.trim() === '') {
      lines.shift();
      continue;
    }
    blocks.push(takeFence(lines) ?? takeTable(lines) ?? takeSimple(lines) ?? takeParagraph(lines));
  }
  return blocks;
}

function takeFence(lines: string[]): TextBlock | undefined {
  if (!FENCE.test(lines[0] ?? '')) return undefined;
  lines.shift();
  const end = lines.findIndex((line) => FENCE.test(line));
  const taken = lines.splice(0, end < 0 ? lines.length : end);
  if (end >= 0) lines.shift();
  return { type: 'preformatted', text: decodeEntities(taken.join('\n')) };
}

function takeTable(lines: string[]): TextBlock | undefined {
  if (!lines[0]?.includes('|') || !TABLE_RULE.test(lines[1] ?? '')) return undefined;
  const header = cells(lines.shift() ?? '');
  lines.shift();
  const end = lines.findIndex((line) => !line.includes('|'));
  const rows = lines.splice(0, end < 0 ? lines.length : end).map(cells);
  return { type: 'table', header, rows };
}

function cells(line: string): Inline[][] {
  const inner = line.trim().replace(/^\||\|$/g, '');
  return inner.split('|').map((cell) => parseInline(cell.trim(), MARKDOWN));
}

function takeSimple(lines: string[]): TextBlock | undefined {
  const first = lines[0] ?? '';
  const heading = HEADING.exec(first);
  if (heading) {
    lines.shift();
    const level = heading[1]?.length ?? 1;
    return { type: 'heading', level, children: parseInline(heading[2] ?? '', MARKDOWN) };
  }
  if (RULE.test(first)) {
    lines.shift();
    return { type: 'rule' };
  }
  if (QUOTED.test(first)) {
    const taken = takeWhile(lines, (line) => QUOTED.test(line));
    const text = taken.map((line) => line.replace(QUOTED, '')).join('\n');
    return { type: 'quote', children: parseInline(text, MARKDOWN) };
  }
  return ITEM.test(first) ? { type: 'list', items: listItems(takeWhile(lines, isListLine)) } : undefined;
}

/** A line that is an item, or continues one by being indented. */
function isListLine(line: string): boolean {
  return ITEM.test(line) || /^\s{2,}\S/.test(line);
}

function listItems(lines: string[]): ListItem[] {
  const items: ListItem[] = [];
  const counts: number[] = [];
  for (const line of lines) {
    const match = ITEM.exec(line);
    if (!match) {
      const last = items.at(-1);
      last?.children.push({ type: 'break' }, ...parseInline(line.trim(), MARKDOWN));
      continue;
    }
    const indent = Math.min(8, Math.floor((match[1]?.length ?? 0) / 2));
    counts.length = indent + 1;
    counts[indent] = (counts[indent] ?? Number(match[3] ?? 1) - 1) + 1;
    items.push({
      children: parseInline(match[4] ?? '', MARKDOWN),
      indent,
      ordered: match[3] !== undefined,
      position: counts[indent],
    });
  }
  return items;
}

function takeParagraph(lines: string[]): TextBlock {
  const taken = [lines.shift() ?? ''];
  const starts = (line: string) =>
    line.trim() === '' || FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTED.test(line);
  taken.push(...takeWhile(lines, (line) => !starts(line) && !ITEM.test(line)));
  return { type: 'paragraph', children: parseInline(taken.join('\n'), MARKDOWN) };
}

function takeWhile(lines: string[], keep: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !keep(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}
