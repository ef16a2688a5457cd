import { messageText } from '../../sandbox/message-text.ts';

/*
 * How many lines a card takes on the sandbox's page at two widths. Characters a line are measured on pictures of the page: its
 * letters are no wider than Slack's.
 */
const WIDTHS = {
  desk: { text: 80, quote: 77, context: 90, row: 616, gap: 8 },
  /** A window, which is as wide on any desk. */
  window: { text: 61, quote: 58, context: 69, row: 472, gap: 8 },
  phone: { text: 39, quote: 37, context: 45, row: 314, gap: 6 },
} as const;
/** Pixels of a button around its words, and of a character of them. */
const AROUND_BUTTON = 28;
const OF_BUTTON = 8.5;

interface Block {
  readonly type: string;
  readonly rows?: readonly unknown[];
  readonly elements?: readonly { readonly type: string; readonly text?: { readonly text: string } }[];
}

/** Lines of blocks on a page of 1440 (`desk`) or 390 pixels; a picture counts as one. */
export function linesOf(blocks: readonly unknown[], width: keyof typeof WIDTHS): number {
  return (blocks as readonly Block[]).reduce((sum, block) => sum + linesOfBlock(block, width), 0);
}

function linesOfBlock(block: Block, width: keyof typeof WIDTHS): number {
  const { text, quote, context, row, gap } = WIDTHS[width];
  if (block.type === 'image') return 1;
  // Its caption, and cells that do not wrap.
  if (block.rows !== undefined) return 1 + block.rows.length;
  if (block.type === 'actions') {
    const words = (block.elements ?? []).map((one) =>
      one.type === 'overflow' ? '…' : (one.text?.text ?? ''),
    );
    return wrapped(
      words.map((one) => AROUND_BUTTON + OF_BUTTON * one.length + gap),
      row + gap,
    );
  }
  const most = block.type === 'context' ? context : block.type === 'rich_text' ? quote : text;
  return messageText({ text: '', blocks: [block] })
    .split('\n')
    .reduce(
      (sum, line) =>
        sum +
        wrapped(
          line.split(' ').map((word) => word.length + 1),
          most + 1,
        ),
      0,
    );
}

/** Lines that pieces of these lengths take. */
function wrapped(lengths: readonly number[], most: number): number {
  let lines = 1;
  let used = 0;
  for (const length of lengths) {
    if (used > 0 && used + length > most) {
      lines += 1;
      used = 0;
    }
    used += length;
  }
  return lines;
}
