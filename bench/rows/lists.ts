import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../../scripts/build.ts';
import { writeList } from '../list-file.ts';
import { contend, median, perSecondText, type Row, ratios } from '../row.ts';

interface Figures {
  readonly perSecond: number;
  readonly peakMb: number;
  /** Why the list was not taken. */
  readonly refused?: string;
}

/** Inside the repository, whose package.json says what a module is. */
const BUILT = fileURLToPath(new URL('../../dist/bench', import.meta.url));
const COMPARED_ROWS = 200_000;
const LONG_LISTS = [1_000_000, 3_000_000];

/** Reading a list, against what one would first write: csv-parse, libphonenumber, a Set, SQLite; then long ones. */
export async function lists(rounds: number): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  const rows: Row[] = [];
  await build(BUILT, undefined, 'bench/contenders/list.ts');
  const runs = { herald: [] as Figures[], usual: [] as Figures[] };
  const compared = await listOf(COMPARED_ROWS, folder);
  for (let round = 0; round < rounds; round += 1)
    for (const contender of ['herald', 'usual'] as const)
      runs[contender].push(await contend<Figures>('list', [contender, compared], BUILT));
  const rates = {
    herald: runs.herald.map((run) => run.perSecond),
    usual: runs.usual.map((run) => run.perSecond),
  };
  rows.push({
    work: 'list of 200,000 / csv-parse + libphonenumber + Set + SQLite',
    goal: '≥ 2.5',
    figures: ratios(rates.herald, rates.usual),
    note: `Herald ${perSecondText(median(rates.herald))}, the usual way ${perSecondText(median(rates.usual))}`,
  });
  for (const length of LONG_LISTS) {
    const file = await listOf(length, folder);
    const long = await contend<Figures>('list', ['herald', file], BUILT);
    rows.push({
      work: `peak memory of a list of ${length.toLocaleString('en-US')} rows of three columns`,
      goal: '≤ 300 MB',
      figures: [long.peakMb],
      unit: ' MB',
      note: long.refused ?? perSecondText(long.perSecond),
    });
    rmSync(file);
  }
  for (const made of [folder, BUILT]) rmSync(made, { recursive: true });
  return rows;
}

async function listOf(rows: number, folder: string): Promise<string> {
  const file = join(folder, `list-${rows}.csv`);
  await writeList(file, rows);
  return file;
}
