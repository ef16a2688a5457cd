import { type CsvRow, createRowReader, guessDelimiter } from './csv-rows.ts';
import { decode, ListRefusal, unpacked } from './decode.ts';

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
  if (cells.length < width) {
    const missing = Array.from({ length: width - cells.length }, () => '');
    return { ...row, cells: [...cells, ...missing] };
  }
  const wide = { ...row, cells: cells.slice(0, width) };
  if (fault !== undefined || cells.slice(width).every(isBlankCell)) return wide;
  const many = `Line ${line}: there are ${cells.length} cells and ${width} columns. Put a cell that contains the delimiter into quotation marks.`;
  return { ...wide, fault: many };
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

/** A file's lines, without line breaks of any kind. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let rest = '';
  for await (const piece of text) {
    const whole = rest + piece;
    // A carriage return at the end may be the first half of CRLF.
    const half = whole.endsWith('\r') ? '\r' : '';
    const lines = whole
      .slice(0, whole.length - half.length)
      .replaceAll(/\r\n?/g, '\n')
      .split('\n');
    rest = `${lines.pop() ?? ''}${half}`;
    if (lines.length > 0) yield lines;
  }
  if (rest !== '') yield [rest.replace(/\r$/, '')];
}
