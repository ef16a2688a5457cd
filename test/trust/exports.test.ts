import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { csvLine, sampleForText } from '../../src/sends/audiences/csv-lines.ts';
import type { Failure } from '../../src/sends/outcome.ts';
import type { SendReader } from '../../src/sends/ports.ts';
import type { RecipientRow, Send } from '../../src/sends/send.ts';
import { reportFile } from '../../src/slack/results/progress/report.ts';
import { auditFile } from '../../src/slack/sends/audit.ts';
import { taken, text, upload } from '../sends/audiences/setting.ts';
import { ASKED_AT, move, openStore, openStores, prepare } from '../slack/bulk-sends.ts';
import { howMany } from './how-many.ts';

const GOOD = '+919812345678' as Msisdn;
const MEGABYTE = 1024 ** 2;

/**
 * Whether a spreadsheet could run a cell, or take it apart. Numbers are none of it, and neither is a line that begins with one
 * and was not taken apart at its commas.
 */
function isLive(cell: string): boolean {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(cell) && !/^[+-]?\d+(?: \d+)?(?:,|$)/.test(cell);
}
const SIGNS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', "'=", "''@"];
const HOSTILE = SIGNS.flatMap((sign) => [
  ...[`${sign}1+1`, `${sign}cmd|'/c calc'!A0`, `${sign}HYPERLINK("http://x";"y")`],
  ...[`${sign}\tb,c;d|e\r\nf`, sign],
]);

/** Cells by any delimiter that a spreadsheet may take. */
function cellsBy(content: string, delimiter: string): string[] {
  const lines = parse(content, { delimiter, bom: true, relax_column_count: true, relax_quotes: true });
  return (lines as string[][]).flat();
}

const NUMBERS = HOSTILE.map((_text, index) => `+9198120${String(10_000 + index)}` as Msisdn);

async function allExports(): Promise<Readonly<Record<string, string>>> {
  const list = csvText([['phone'], [GOOD], ['+91 98123 45678'], ...HOSTILE.map((cell) => [cell])]);
  const { result, audiences } = await upload(list, { numberColumn: 'phone', size: 65_536 });
  if (result.state !== 'ready') throw new Error(JSON.stringify(result));
  await audiences.optOut(GOOD, '@by');
  const recipients = HOSTILE.map((hostile, row) => recipient(row, NUMBERS[row] ?? GOOD, hostile));
  const store = {
    recipients: async (_id: string, after: number) => recipients.filter(({ row }) => row > after),
  };
  const deliveries = recipients.map(({ row, failure }) => ({
    ...{ row, status: 'failed' as const, at: ASKED_AT },
    failure: failure as Failure,
  }));
  const report = async (columns: readonly string[]) =>
    text(
      reportFile(await sendOf(columns), { store, answers: { deliveries: async () => deliveries } }).content,
    );
  return {
    report: await report(['note']),
    'report with hostile columns': await report(HOSTILE),
    exclusions: await text(audiences.exclusionsCsv(result.audience.id)),
    'opt-outs': await text(audiences.exportOptOuts()),
    record: await recordOf(),
    sample: HOSTILE.map((hostile) => sampleForText(`{{${hostile}}}`)).join(''),
    line: csvLine(HOSTILE),
  };
}

/** By the test's own rules, not by those that it tests. */
function csvText(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');
}

function recipient(row: number, number: Msisdn, hostile: string): RecipientRow {
  const failure = { code: hostile, what: hostile, next: hostile, explanation: hostile, scope: 'recipient' };
  const answer = { state: 'rejected', failure, messageId: hostile, settledAt: ASKED_AT };
  return { row, number, values: [hostile], ...answer } as unknown as RecipientRow;
}

function manyRecipients(rows: number): Pick<SendReader, 'recipients'> {
  return {
    recipients: async (_id, after = -1, limit = 0) =>
      Array.from({ length: Math.min(limit, rows - after - 1) }, (_none, index) =>
        recipient(after + 1 + index, `+9198${10_000_000 + after + index}` as Msisdn, 'Asha'),
      ),
  };
}

async function sendOf(columns: readonly string[]): Promise<Send> {
  const send = await prepare(openStore(), {});
  return { ...send, audience: { ...send.audience, columns } } as Send;
}

async function recordOf(): Promise<string> {
  const { sends, audiences } = openStores();
  for (const [index, what] of HOSTILE.entries()) {
    const id = `S-${String(index).padStart(10, '0')}`;
    const message = { kind: 'sms', sender: 'ACMEIN', text: what, type: 'PROMO', unicode: true } as const;
    await prepare(sends, { id, message, userId: what });
    await move(sends, 'rejected', { id, actor: what, reason: { what, next: what, scope: 'send' } });
  }
  const file = await auditFile({ store: sends, optOuts: audiences });
  return text(file.content);
}

test('exports: no cell does anything in a spreadsheet, and numbers can be taken in again', async ({
  task,
}) => {
  const exports = await allExports();
  const live: object[] = [];
  let cells = 0;
  for (const [name, content] of Object.entries(exports))
    for (const delimiter of [',', ';', '\t', '|'])
      for (const cell of cellsBy(content, delimiter)) {
        cells += 1;
        if (isLive(cell)) live.push({ name, delimiter, cell });
      }
  expect(live).toEqual([]);
  const { rows } = await taken(exports.report ?? '');
  expect(rows.map(({ number }) => number)).toEqual(NUMBERS);
  expect(rows.map(({ values }) => values[0])).toEqual(HOSTILE.map((cell) => cell.replaceAll(/\r\n?/g, '\n')));
  const again = await taken(exports.exclusions ?? '', { numberColumn: 'number', size: 65_536 });
  expect(again.rows.map(({ number }) => number)).toEqual([GOOD]);
  task.meta.figure = `${Object.keys(exports).length} kinds of file, ${cells} cells by four delimiters; ${NUMBERS.length} numbers in again`;
});

test('a large report: memory stays', async ({ task }) => {
  const { count: rows, said } = howMany(300_000, 1_000_000);
  const answers = { deliveries: async () => [] };
  const file = reportFile(await sendOf(['name']), { store: manyRecipients(rows), answers });
  let bytes = 0;
  let most = 0;
  const before = process.memoryUsage().heapUsed;
  for await (const part of file.content) {
    bytes += part.length;
    most = Math.max(most, process.memoryUsage().heapUsed);
  }
  const grown = Math.round((most - before) / MEGABYTE);
  expect(bytes).toBeGreaterThan(rows * 50);
  expect(grown).toBeLessThan(200);
  task.meta.figure = `${rows} rows${said}, ${Math.round(bytes / MEGABYTE)} MB; memory grew by ${grown} MB`;
});
