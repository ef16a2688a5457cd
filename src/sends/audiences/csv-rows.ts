import { looksLikeNumber } from './number-column.ts';
import { ListRefusal } from './refusal.ts';

/** A row of a CSV file. */
export interface CsvRow {
  /** Its place as a spreadsheet shows it, blank rows counted; the header is row 1. */
  readonly row: number;
  /** The line of the file that it begins in, from 1: another number where cells above hold line breaks. */
  readonly line: number;
  readonly cells: readonly string[];
  /** What is wrong with its structure, in a sentence with its line. Nobody may be sent to by such a row. */
  readonly fault?: string;
}

/** No spreadsheet has longer cells: a quotation mark that is open for longer was never meant to open one. */
const LONGEST_CELL = 32_767;

/**
 * Makes rows of a file's lines, by RFC 4180: cells in quotes may hold delimiters, line breaks and doubled quotes.
 * Blanks before and after the quotes are let pass. What breaks these rules within its line makes that row a faulty
 * one. Where it cannot be known in which line a row ends the whole list is refused: another customer's row would
 * become a part of the text for this one.
 *
 * @returns `take`, for each line in turn: the row that ends with it, if one does and it is not empty; `end`, after the last
 *   line
 * @throws ListRefusal for a quotation mark that is not closed, or not where a cell ends
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
    // An even number of quotes closes no cell, save one that it opens again.
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
    `In ${lines} a quotation mark is not closed where its cell ends, so it cannot be told which row each part belongs to.`,
    'Correct it, or leave that column out, and upload the file again.',
  );
}

interface SplitRow {
  readonly cells: readonly string[];
  /** `open`: inside a cell in quotes. `unsure`: a quote that was meant to close a cell may have opened another. */
  readonly ends: 'closed' | 'open' | 'unsure';
  readonly fault?: string;
}

/** The cells of one line, or of several where a cell in quotes goes over them. */
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

/** Where a cell in quotes is closed, or -1. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

/** True when something else than the end of the cell follows the quote that closes it. */
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
 * True for a cell of several lines one of which is made as rows are, with a number for itself: two stray quotes, one
 * opening and one closing, take the rows between them into one cell by every rule of CSV.
 */
function holdsRow(cell: string, delimiter: string): boolean {
  if (!cell.includes('\n') || !cell.includes(delimiter)) return false;
  return cell.split('\n').some((line) => {
    const parts = line.split(delimiter);
    return parts.length > 1 && parts.some(looksLikeNumber);
  });
}

const DELIMITERS = [',', ';', '\t', '|'];

/** The delimiter by which most of these lines have as many cells, more than one, as the first: the header. */
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
