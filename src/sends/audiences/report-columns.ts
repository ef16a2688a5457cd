import type { CsvFile, CsvRow } from './csv.ts';
import { plainCell } from './csv-lines.ts';

/** A report adds these to the columns of the list, by the names that its header has for them. */
export const REPORT_COLUMNS = {
  number: 'Herald number',
  row: 'Herald row',
  state: 'Herald state',
  code: 'Herald code',
  cause: 'Herald cause',
  next: 'Herald next step',
  messageId: 'Herald message id',
  time: 'Herald time',
  delivery: 'Herald delivery',
  deliveryCode: 'Herald delivery code',
  deliveryTime: 'Herald delivery time',
  explanation: 'Herald explanation',
  deliveryExplanation: 'Herald delivery explanation',
} as const;

const NAMES: ReadonlySet<string> = new Set(Object.values(REPORT_COLUMNS));
const SENT: ReadonlySet<string> = new Set(['accepted', 'attempting', 'unknown']);

/** True for a name that only a report's column has. */
export function isReportColumn(name: string): boolean {
  return NAMES.has(name);
}

/**
 * The list in a report that is uploaded again: its numbers and the list's own columns, with every cell as it was before the
 * report made it safe for spreadsheets. Any other file is as it was.
 */
export function listIn(file: CsvFile): CsvFile {
  const { header } = file;
  if (!header.includes(REPORT_COLUMNS.number)) return file;
  const kept = [...header.keys()].filter((index) => {
    const name = header[index] ?? '';
    return name === REPORT_COLUMNS.number || !isReportColumn(name);
  });
  const pick = (cells: readonly string[]) => kept.map((index) => plainCell(cells[index] ?? ''));
  const state = header.indexOf(REPORT_COLUMNS.state);
  const delivery = header.indexOf(REPORT_COLUMNS.delivery);
  const isSent = ({ cells }: CsvRow) => SENT.has(cells[state] ?? '') && cells[delivery] !== 'failed';
  async function* batches(): AsyncGenerator<readonly CsvRow[]> {
    for await (const batch of file.batches)
      yield batch.map((row) => ({ ...row, cells: pick(row.cells), ...(isSent(row) && { isSent: true }) }));
  }
  return { header: pick(header), batches: batches() };
}
