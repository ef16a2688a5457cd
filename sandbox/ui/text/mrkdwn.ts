import { type Dialect, parseInline } from './inline.ts';
import { decodeEntities, type Inline, type TextBlock } from './nodes.ts';

const MRKDWN: Dialect = {
  marks: [
    { mark: '*', type: 'bold' },
    { mark: '_', type: 'italic' },
    { mark: '~', type: 'strike' },
  ],
  bracketLinks: false,
};

const FENCE = /```([\s\S]+?)```/g;
const QUOTED = /^(?:&gt;|>)(?!(?:&gt;|>){2})\s?/;
const QUOTED_TO_THE_END = /^(?:&gt;|>){3}\s?/;

/**
 * Reads Slack's mrkdwn: *bold*, _italic_, ~strike~, `code`, fenced blocks, `>` and `>>>` quotes, references in
 * angle brackets and :emoji:. Lists are plain lines in mrkdwn, as in Slack.
 */
export function parseMrkdwn(source: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let from = 0;
  for (const fence of source.matchAll(FENCE)) {
    blocks.push(...parseLines(source.slice(from, fence.index).replace(/\n$/, '')));
    blocks.push({ type: 'preformatted', text: decodeEntities(fence[1] ?? '').replace(/^\n|\n$/g, '') });
    from = fence.index + fence[0].length;
    if (source[from] === '\n') from += 1;
  }
  blocks.push(...parseLines(source.slice(from)));
  return blocks;
}

/** One line or a few, without quotes or fences: field values, labels, attachment titles. */
export function parseMrkdwnInline(source: string): Inline[] {
  return parseInline(source, MRKDWN);
}

function parseLines(source: string): TextBlock[] {
  if (source === '') return [];
  const blocks: TextBlock[] = [];
  const lines = source.split('\n');
  while (lines.length > 0) {
    const first = lines[0] ?? '';
    if (QUOTED_TO_THE_END.test(first)) {
      blocks.push(quote([first.replace(QUOTED_TO_THE_END, ''), ...lines.slice(1)]));
      break;
    }
    const quoted = QUOTED.test(first);
    const next = lines.findIndex((line) => QUOTED.test(line) !== quoted || QUOTED_TO_THE_END.test(line));
    const taken = lines.splice(0, next < 0 ? lines.length : next);
    if (quoted) blocks.push(quote(taken.map((line) => line.replace(QUOTED, ''))));
    else blocks.push({ type: 'paragraph', children: parseInline(taken.join('\n'), MRKDWN) });
  }
  return blocks;
}

function quote(lines: string[]): TextBlock {
  return { type: 'quote', children: parseInline(lines.join('\n'), MRKDWN) };
}
