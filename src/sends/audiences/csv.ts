import { Readable } from 'node:stream';
import Papa from 'papaparse';
import { decode } from './decode.ts';
import { ListRefusal } from './refusal.ts';

/** A CSV file as it is read: its header, and its rows in batches of whatever size they come in. */
export interface CsvFile {
  readonly header: readonly string[];
  /** Cells of each row, as many as the header has: missing ones are empty, surplus ones dropped. */
  readonly batches: AsyncIterable<readonly (readonly string[])[]>;
}

/**
 * Reads a CSV file as a stream: comma, semicolon (Excel), tab or bar, quotes, any line breaks, blank lines left
 * out. Names in the header are trimmed; a missing one becomes “column 3”, a repeated one gets a number.
 *
 * @throws ListRefusal for a file that is empty, has only a header, or cannot be read
 */
export async function openCsv(bytes: AsyncIterable<Uint8Array>): Promise<CsvFile> {
  const batches = parse(decode(bytes));
  const first = await batches.next();
  const [header, ...rows] = first.done ? [] : first.value;
  if (header === undefined)
    throw new ListRefusal('The file is empty.', 'Upload a CSV file with a header and at least one row.');
  const names = uniqueNames(header);
  return { header: names, batches: rest(names.length, rows, batches) };
}

async function* rest(
  width: number,
  first: readonly string[][],
  batches: AsyncGenerator<string[][]>,
): AsyncGenerator<readonly (readonly string[])[]> {
  let any = first.length > 0;
  if (any) yield first.map((row) => ofWidth(row, width));
  for await (const batch of batches) {
    any ||= batch.length > 0;
    yield batch.map((row) => ofWidth(row, width));
  }
  if (!any)
    throw new ListRefusal('The file has a header and no rows.', 'Add at least one row and upload it again.');
}

function ofWidth(row: string[], width: number): readonly string[] {
  if (row.length === width) return row;
  return row.length > width
    ? row.slice(0, width)
    : [...row, ...Array.from({ length: width - row.length }, () => '')];
}

function uniqueNames(header: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return header.map((cell, index) => {
    const name = cell.trim() || `column ${index + 1}`;
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before === 0 ? name : `${name} ${before + 1}`;
  });
}

/** papaparse's chunks as an async generator: the next one is asked for only when this one has been worked off. */
async function* parse(text: AsyncIterable<string>): AsyncGenerator<string[][]> {
  type Step = { readonly rows: string[][]; readonly resume: () => void } | { readonly error: Error } | 'end';
  let step = Promise.withResolvers<Step>();
  Papa.parse<string[]>(Readable.from(text), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t', '|'],
    chunk: ({ data }, parser) => {
      parser.pause();
      step.resolve({ rows: data, resume: () => parser.resume() });
    },
    complete: () => step.resolve('end'),
    error: (error) => step.resolve({ error }),
  });
  for (;;) {
    const current = await step.promise;
    if (current === 'end') return;
    if ('error' in current) throw current.error;
    step = Promise.withResolvers<Step>();
    if (current.rows.length > 0) yield current.rows;
    current.resume();
  }
}
