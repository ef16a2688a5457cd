import { decode, ListRefusal, linesOf, unpacked } from './decode.ts';
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
  /** By the report that it stands in, which people may clear to send to it again. */
  readonly isSent?: true;
}

/** A CSV file as it is read: its header, and its rows in batches of any size. */
export interface CsvFile {
  readonly header: readonly string[];
  /** Rows as wide as the header: missing cells are empty, surplus ones with text are a fault. */
  readonly batches: AsyncIterable<readonly CsvRow[]>;
}

/** Non-blank lines for guessing the delimiter, and how many lines are read at most to find them. */
const LOOKED_AT = 10;
const MOST_LOOKED_AT = 1_000;
/** More columns than any list has. */
const MOST_COLUMNS = 500;

/**
 * Reads a CSV file, packed with gzip or not, as a stream: comma, semicolon (Excel), tab or bar, quotes, any line breaks;
 * blank lines are skipped. Names in the header are trimmed; a missing one becomes “column 3”, a repeated one gets a number.
 *
 * @throws ListRefusal for a file that is empty, has only a header, or cannot be read
 */
export async function openCsv(bytes: AsyncIterable<Uint8Array>): Promise<CsvFile> {
  const batches = rowsOf(linesOf(decode(unpacked(bytes))));
  const first = await batches.next();
  const [header, ...rows] = first.done ? [] : first.value;
  const refusal = headerProblem(header);
  if (header === undefined || refusal !== undefined) {
    await batches.return(undefined);
    throw refusal;
  }
  const names = uniqueNames(header.cells);
  return { header: names, batches: rest(names.length, rows, batches) };
}

function headerProblem(header: CsvRow | undefined): ListRefusal | undefined {
  if (header === undefined)
    return new ListRefusal('The file is empty.', 'Upload a CSV file with a header and at least one row.');
  if (header.fault !== undefined)
    return new ListRefusal('The header of the file cannot be read.', header.fault);
  if (header.cells.length > MOST_COLUMNS)
    return new ListRefusal(
      `The file has more than ${MOST_COLUMNS} columns.`,
      'Leave out what the message does not need, and upload it again.',
    );
  return undefined;
}

async function* rest(
  width: number,
  first: readonly CsvRow[],
  batches: AsyncGenerator<readonly CsvRow[]>,
): AsyncGenerator<readonly CsvRow[]> {
  let any = first.length > 0;
  if (any) yield first.map((row) => ofWidth(row, width));
  for await (const batch of batches) {
    any = true;
    yield batch.map((row) => ofWidth(row, width));
  }
  if (!any)
    throw new ListRefusal('The file has a header and no rows.', 'Add at least one row and upload it again.');
}

function ofWidth(row: CsvRow, width: number): CsvRow {
  const { cells, line, fault } = row;
  if (cells.length === width) return row;
  const surplus = cells.slice(width);
  const missing = Array.from({ length: Math.max(0, width - cells.length) }, () => '');
  const fitting = { ...row, cells: [...cells.slice(0, width), ...missing] };
  if (fault !== undefined || surplus.every(isBlankCell)) return fitting;
  const many = `Line ${line}: there are ${cells.length} cells and ${width} columns. Put a cell that contains the delimiter into quotation marks.`;
  return { ...fitting, fault: many };
}

function isBlankCell(cell: string): boolean {
  return cell.trim() === '';
}

function uniqueNames(header: readonly string[]): readonly string[] {
  const trimmed = header.map((cell, index) => cell.trim() || `column ${index + 1}`);
  const taken = new Set(trimmed);
  const seen = new Map<string, number>();
  return trimmed.map((name) => {
    let count = seen.get(name) ?? 0;
    let unique = name;
    // A column of that name may be there already.
    do {
      count += 1;
      if (count > 1) unique = `${name} ${count}`;
    } while (count > 1 && taken.has(unique));
    seen.set(name, count);
    return unique;
  });
}

/** Batches of non-blank rows; no batch is empty. */
async function* rowsOf(lines: AsyncGenerator<readonly string[]>): AsyncGenerator<readonly CsvRow[]> {
  let first: readonly string[] = [];
  while (first.length < MOST_LOOKED_AT && filled(first).length < LOOKED_AT) {
    const next = await lines.next();
    if (next.done) break;
    first = [...first, ...next.value];
  }
  const reader = createRowReader(guessDelimiter(filled(first).slice(0, LOOKED_AT)));
  const take = (some: readonly string[]) =>
    some.flatMap((line) => reader.take(line) ?? []).filter((row) => !isBlank(row));
  const rows = take(first);
  if (rows.length > 0) yield rows;
  for await (const some of lines) {
    const more = take(some);
    if (more.length > 0) yield more;
  }
  reader.end();
}

function filled(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !isBlankCell(line));
}

function isBlank({ cells, fault }: CsvRow): boolean {
  return fault === undefined && cells.every(isBlankCell);
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
function createRowReader(delimiter: string) {
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
function guessDelimiter(lines: readonly string[]): string {
  let best = { delimiter: ',', agreeing: 0, width: 0 };
  for (const delimiter of DELIMITERS) {
    const [width = 0, ...widths] = lines.map((line) => splitRow(line, delimiter).cells.length);
    const agreeing = widths.filter((one) => one === width).length + 1;
    const better = agreeing > best.agreeing || (agreeing === best.agreeing && width > best.width);
    if (width > 1 && better) best = { delimiter, agreeing, width };
  }
  return best.delimiter;
}
