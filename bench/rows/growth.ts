import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { grownFile } from '../grown-file.ts';
import { contend, median, type Row, ratios } from '../row.ts';

const SMALL = 10_000;
type Times = Readonly<Record<string, number>>;

/** What somebody waits for, by its name in the contender. */
const INTERACTIVE: Readonly<Record<string, string>> = {
  claim: 'claiming 500',
  settle: 'settling 500 with ids of their own',
  cap: 'the frequency cap of 500',
  sends: '/sends, and who got what',
  report: 'a delivery report, kept and recorded',
  'report without a number': 'a report without a number',
  'report of an unknown number': 'a report of an unknown number and id',
  start: 'opening the file',
};
/** What holds the store for a moment, by its name in the contender. */
const BACKGROUND: Readonly<Record<string, string>> = {
  retention: 'a step of retention',
  index: 'bringing 500 ids into the index',
  backup: 'the longest wait beside a backup',
};

/** What the store takes with a hundred times as much on record, each round on files of its own. */
export async function growth(rounds: number, recipients: number): Promise<readonly Row[]> {
  const runs: { readonly small: Times; readonly large: Times }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [small, large] = [await measure(SMALL), await measure(recipients)];
    runs.push({ small, large });
  }
  const at = recipients.toLocaleString('en-US');
  const of = (size: 'small' | 'large', name: string) => runs.map((run) => run[size][name] ?? Number.NaN);
  const rows: Row[] = Object.entries(INTERACTIVE).map(([name, work]) => ({
    work: `${work}, ${at} recipients on record / 10,000`,
    goal: '≤ 1.2',
    figures: ratios(of('large', name), of('small', name)),
    note: `${median(of('large', name)).toFixed(2)} ms, ${median(of('small', name)).toFixed(2)} ms`,
  }));
  const held: Row[] = Object.entries(BACKGROUND).map(([name, work]) => ({
    work: `${work}, ${at} recipients on record`,
    goal: '< 50 ms',
    figures: of('large', name),
    unit: ' ms',
    note: `with 10,000 it is ${median(of('small', name)).toFixed(0)} ms`,
  }));
  return [...rows, ...held];
}

async function measure(recipients: number): Promise<Times> {
  const folder = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  const file = await grownFile(folder, recipients);
  const times = await contend<Times>('growth', [file, recipients]);
  rmSync(folder, { recursive: true });
  return times;
}
