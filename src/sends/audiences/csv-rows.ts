import { ListRefusal } from './decode.ts';
import { looksLikeNumber } from './number-column.ts';

/** A row of a CSV file. */
export interface CsvRow {
  /** Its number in a spreadsheet: the header is row 1, and blank rows count. */
  readonly row: number;
  /** The line of the file in which it begins, from 1; differs from `row` after cells with line breaks. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Why its structure is wrong, with its line. Such a row is never sent to. */
  readonly fault?: string;
}

/** Spreadsheets have no longer cells, so a longer quoted cell means a stray quotation mark. */
const LONGEST_CELL = 32_767;

/**
 * Makes rows of a file's lines by RFC 4180: quoted cells may contain delimiters, line breaks and doubled quotes; blanks
 * around the quotes are allowed. A violation within one line makes that row faulty. When it is unclear where a row ends,
 * the whole list is refused, because another customer's row could become a part of this one's text.
 *
 * @returns `take`, called with each line, returns the row that ends there, if any; `end` is called after the last line
 * @throws ListRefusal for a quotation mark that is not closed, or not at the end of a cell
 */
export function createRowReader(delimiter: string) {
  let line = 0;
  let row = 0;
  let open: { readonly from: number; text: string } | undefined;

  function finished(cells: readonly string[], from: number, fault?: string): CsvRow {
    row += 1;
    return { row, line: from, cells, ...(fault !== undefined && { fault: `Line ${from}: ${fault}` }) };
  }

  function take(added: string): CsvRow | undefined {
    line += 1;
    if (open !== undefined) return goOn(open, added);
    if (added === '') {
      row += 1;
      return undefined;
    }
    if (!added.includes('"')) {
      const cells = added.split(delimiter);
      return finished(cells, line, hasLongCell(added, cells) ? TOO_LONG : undefined);
    }
    const { cells, ends, fault } = splitRow(added, delimiter);
    if (ends === 'unsure' || (ends === 'open' && fault !== undefined)) throw unreliable(line, line);
    if (ends === 'open') open = { from: line, text: added };
    else return finished(cells, line, hasLongCell(added, cells) ? TOO_LONG : fault);
    return undefined;
  }

  function goOn(current: { readonly from: number; text: string }, added: string): CsvRow | undefined {
    current.text += `\n${added}`;
    if (current.text.length > LONGEST_CELL) throw unreliable(current.from, line);
    const close = closingQuote(added, 0);
    if (close >= 0 && isTextAfter(added, close, delimiter)) throw unreliable(current.from, line);
    // With an even number of quotes the cell is still open at the end of the line.
    if (quotesIn(added) % 2 === 0) return undefined;
    const { cells, ends, fault } = splitRow(current.text, delimiter);
    const swallowed = cells.some((cell) => holdsRow(cell, delimiter));
    if (ends !== 'closed' || fault !== undefined || swallowed) throw unreliable(current.from, line);
    open = undefined;
    return finished(cells, current.from);
  }

  return {
    take,
    end: () => {
      if (open !== undefined) throw unreliable(open.from, line);
    },
  };
}

const STRAY_QUOTE =
  'there is a quotation mark in the middle of a cell. Put the whole cell into quotation marks and write the one inside twice.';
const TOO_LONG = `a cell has more than ${LONGEST_CELL.toLocaleString('en')} characters. Shorten it.`;

function unreliable(from: number, to: number): ListRefusal {
  const lines = from === to ? `line ${from}` : `lines ${from} to ${to}`;
  return new ListRefusal(
    `In ${lines} a quotation mark is not closed where its cell ends, so it is unclear which row each part belongs to.`,
    'Correct it, or leave that column out, and upload the file again.',
  );
}

interface SplitRow {
  readonly cells: readonly string[];
  /** `open`: inside a quoted cell. `unsure`: it is unclear whether the last quote opens or closes a cell. */
  readonly ends: 'closed' | 'open' | 'unsure';
  readonly fault?: string;
}

/** The cells of one line, or of several that a quoted cell spans. */
function splitRow(text: string, delimiter: string): SplitRow {
  const cells: string[] = [];
  let fault: string | undefined;
  let brokenOff = false;
  for (let at = 0; at <= text.length; ) {
    const start = pastBlanks(text, at);
    const quoted = text[start] === '"';
    const close = quoted ? closingQuote(text, start + 1) : start;
    if (close < 0) return { cells, ends: 'open', ...(fault && { fault }) };
    const end = cellEnd(text, quoted ? close + 1 : at, delimiter);
    if (quoted) {
      cells.push(text.slice(start + 1, close).replaceAll('""', '"'));
      brokenOff ||= isTextAfter(text, close, delimiter);
    } else {
      const cell = text.slice(at, end);
      cells.push(cell);
      if (cell.includes('"')) fault = STRAY_QUOTE;
    }
    at = end + delimiter.length;
  }
  if (!brokenOff) return { cells, ends: 'closed', ...(fault && { fault }) };
  return { cells, ends: quotesIn(text) % 2 === 0 ? 'closed' : 'unsure', fault: STRAY_QUOTE };
}

function pastBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at += 1;
  return at;
}

/** The index of the quote that closes a quoted cell, or -1. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

/** True when there is text between the closing quote and the end of the cell. */
function isTextAfter(text: string, close: number, delimiter: string): boolean {
  return text.slice(close + 1, cellEnd(text, close + 1, delimiter)).trim() !== '';
}

function cellEnd(text: string, from: number, delimiter: string): number {
  const next = text.indexOf(delimiter, from);
  return next < 0 ? text.length : next;
}

function quotesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}

function hasLongCell(text: string, cells: readonly string[]): boolean {
  return text.length > LONGEST_CELL && cells.some((cell) => cell.length > LONGEST_CELL);
}

/**
 * True for a cell of several lines of which one looks like a row with a number: two stray quotes can turn the rows between
 * them into one cell that is valid CSV.
 */
function holdsRow(cell: string, delimiter: string): boolean {
  if (!cell.includes('\n') || !cell.includes(delimiter)) return false;
  return cell.split('\n').some((line) => {
    const parts = line.split(delimiter);
    return parts.length > 1 && parts.some(looksLikeNumber);
  });
}

const DELIMITERS = [',', ';', '\t', '|'];

/** The delimiter with which most lines have as many cells as the header, and more than one. */
export function guessDelimiter(lines: readonly string[]): string {
  let best = { delimiter: ',', agreeing: 0, width: 0 };
  for (const delimiter of DELIMITERS) {
    const [width = 0, ...widths] = lines.map((line) => splitRow(line, delimiter).cells.length);
    const agreeing = widths.filter((one) => one === width).length + 1;
    const better = agreeing > best.agreeing || (agreeing === best.agreeing && width > best.width);
    if (width > 1 && better) best = { delimiter, agreeing, width };
  }
  return best.delimiter;
}
