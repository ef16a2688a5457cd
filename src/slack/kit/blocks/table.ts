import type { types } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { showInvisible } from '../../connection/escape.ts';
import { LIMITS, piecesOf } from '../../connection/limits.ts';
import { newBlock } from '../../connection/new-blocks.ts';

/** The content of one cell: words as they are, a number with how it is written, or a person. */
export type Cell = string | readonly [value: number, written: string] | types.RichTextUserMention;

const SHOWN_AT_ONCE = 10;

/** The place of a row in a list. */
export function rowCell(row: number): Cell {
  return [row, `Row ${row.toLocaleString('en')}`];
}

/**
 * Rows as a table that Slack sorts, filters and pages; where it knows none, a line for each row with the names of its columns.
 * Nothing in a cell formats or notifies. No block without rows.
 */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  atOnce = SHOWN_AT_ONCE,
): KnownBlock[] {
  const shown = rows.slice(0, LIMITS.tableRows);
  if (shown.length === 0) return [];
  const heading = { type: 'rich_text_section' as const, elements: [bold(caption)] };
  const lines = shown.map((row) => line(columns, row));
  const cells = [columns, ...shown].map((row) => row.map(cellOf));
  const block = { type: 'data_table', caption, page_size: atOnce, rows: cells };
  const older = { type: 'rich_text' as const, elements: [heading, ...lines] };
  return [columns.length > LIMITS.tableColumns ? older : newBlock(block, [older])];
}

/** The first column names the row, and needs no name itself. */
function line(columns: readonly string[], row: readonly Cell[]): types.RichTextSection {
  const elements = row.flatMap((cell, index) => {
    const words = wordsOf(cell);
    if (words === '') return [];
    const parts =
      typeof words === 'string'
        ? piecesOf(words, LIMITS.sectionText).map((text) => ({ type: 'text', text }) as const)
        : [words];
    return index === 0 ? parts : [bold(` · ${showInvisible(columns[index] ?? '')}: `), ...parts];
  });
  return { type: 'rich_text_section', elements };
}

function cellOf(cell: Cell) {
  const words = wordsOf(cell);
  if (Array.isArray(cell)) return { type: 'raw_number', value: cell[0], text: words };
  // No cell may be empty.
  if (typeof words === 'string') return { type: 'raw_text', text: words || '–' };
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [words] }] };
}

function wordsOf(cell: Cell) {
  if (typeof cell === 'string') return showInvisible(cell);
  return 'type' in cell ? cell : cell[1];
}

function bold(text: string): types.RichTextText {
  return { type: 'text', text, style: { bold: true } };
}
