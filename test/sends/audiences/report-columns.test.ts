import { expect, test } from 'vitest';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { csvLine, plainCell } from '../../../src/sends/audiences/csv-lines.ts';
import { REPORT_COLUMNS } from '../../../src/sends/audiences/report-columns.ts';
import type { RecipientState } from '../../../src/sends/send.ts';
import { reportFile } from '../../../src/slack/results/progress/report.ts';
import { found, openStore, prepare, SEND_ID } from '../../slack/bulk-sends.ts';
import { taken, text } from './setting.ts';

/** A report of a send to a list with these columns, a row for each line, in the state that it names. */
async function reportOf(
  columns: readonly string[],
  lines: readonly { number: string; values: readonly string[]; state: RecipientState; delivery?: 'failed' }[],
): Promise<string> {
  const store = openStore();
  await prepare(store, { columns });
  const recipients = lines.map(({ number, values, state }, index) => ({
    ...{ sendId: SEND_ID, row: index + 2, number: number as Msisdn, values, state },
  }));
  const deliveries = lines.flatMap(({ delivery }, index) =>
    delivery === undefined ? [] : [{ row: index + 2, status: delivery, at: 0 }],
  );
  const file = reportFile(await found(store), {
    store: { recipients: async (_id, afterRow = -1) => recipients.filter(({ row }) => row > afterRow) },
    answers: { deliveries: async () => deliveries },
  });
  return text(file.content);
}

const FAILED = { state: 'rejected', values: [] } as const;

test('a report that is uploaded again is the list it came from, cell by cell', async () => {
  const columns = ['state', 'phone', '@number', 'Herald', 'note'];
  const values = [
    ['Kerala', '+4420', '12', 'x', '=1+1'],
    ["'@home", "''-5", '-5 % off', '@home', 'a "quoted", long\nnote; done'],
    ['', '', '+', "'", "'plain"],
  ];
  const numbers = ['+6591234567', '+919812345671', '+14155552671'];
  const lines = numbers.map((number, at) => ({ ...FAILED, number, values: values[at] ?? [] }));
  const { audience, rows } = await taken(await reportOf(columns, lines));
  expect(audience).toMatchObject({ columns, numberColumn: 'Herald number', counts: { read: 3, valid: 3 } });
  expect(rows).toEqual(lines.map(({ number, values }, at) => ({ row: at + 2, number, values })));
});

test('a number of another country is not read as one of the default country', async () => {
  // Without its country code this is a number of Singapore, and with it, but no +, one of India.
  const { rows } = await taken(await reportOf([], [{ ...FAILED, number: '+6591234567' }]));
  expect(rows.map(({ number }) => number)).toEqual(['+6591234567']);
});

test('columns may be moved and left out in a spreadsheet, and any column chosen for the numbers', async () => {
  const moved = 'name;Herald state;Herald number\nAsha;rejected;+91 9812345671\n';
  const { audience, rows } = await taken(moved);
  expect([audience.columns, rows]).toEqual([
    ['name'],
    [{ row: 2, number: '+919812345671', values: ['Asha'] }],
  ]);
  const other = 'Herald number,new\n+91 9812345671,+91 9812345672\n';
  const chosen = await taken(other, { numberColumn: 'new' });
  expect(chosen.rows.map(({ number }) => number)).toEqual(['+919812345672']);
});

test('who has the message by the report, or may have it, gets it again only when somebody clears that', async () => {
  const line = (last: number, state: RecipientState, delivery?: 'failed') => ({
    ...{ number: `+91981234567${last}`, values: [], state, ...(delivery && { delivery }) },
  });
  const report = await reportOf(
    [],
    [
      ...[line(0, 'accepted'), line(1, 'unknown'), line(2, 'attempting'), line(3, 'rejected')],
      ...[line(4, 'not_sent'), line(5, 'pending'), line(6, 'skipped'), line(7, 'accepted', 'failed')],
    ],
  );
  const { audience, rows, audiences } = await taken(report);
  expect(rows.map(({ row }) => row)).toEqual([5, 6, 7, 8, 9]);
  expect(audience.counts).toMatchObject({ read: 8, valid: 5, duplicate: 3 });
  expect(await text(audiences.exclusionsCsv(audience.id))).toContain(
    '2,+91 9812345670,duplicate,"The report in this file says that the message was sent to it, or may have been. To send to it again, clear its “Herald state”."\r\n',
  );
  const cleared = await taken(report.replace('accepted', ''));
  expect(cleared.rows.map(({ row }) => row)).toEqual([2, 5, 6, 7, 8, 9]);
});

test('any other file keeps its apostrophes and a column that is called like one of a report', async () => {
  const { audience, rows } = await taken("phone,Herald state\n+919812345671,'=accepted\n");
  expect([audience.columns, rows[0]?.values]).toEqual([['Herald state'], ["'=accepted"]]);
  const report = await reportOf(
    ['Herald state', 'name'],
    [{ ...FAILED, number: '+919812345671', values: ['a', 'b'] }],
  );
  expect(report.split('\r\n')[0]?.split(REPORT_COLUMNS.state)).toHaveLength(2);
  expect((await taken(report)).rows[0]?.values).toEqual(['b']);
});

test.each([
  '',
  'a',
  '=1',
  '+1',
  '+1 2',
  '+1 2 3',
  '-1',
  '-',
  "'",
  "'=1",
  "''+1",
  "'+1",
  '\t',
  "'a",
  '@',
  '＝1+1',
  "'＋x",
])('a cell %j is inert in a report, and the same after it', (value) => {
  const [, quoted, plain] = /^(?:"(.*)"|(.*))\r\n$/s.exec(csvLine([value])) ?? [];
  const cell = quoted ?? plain ?? '';
  expect(cell).not.toMatch(/^(?:[=@＝＋－＠\t\r-](?!\d+$)|\+(?!\d+(?: \d+)?$))/);
  expect(plainCell(cell)).toBe(value);
});
