import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatRound, median } from './figures.ts';
import { writeList } from './list-file.ts';

/*
 * Reading a list, against what one would first write: csv-parse, libphonenumber, a Set, SQLite. Rounds are interleaved;
 * what counts is the ratio within a round. Every run has a process of its own.
 */
const ROUNDS = Number(process.argv[2] ?? 3);
const ROWS = Number(process.argv[3] ?? 200_000);

interface Figures {
  readonly read: number;
  readonly perSecond: number;
  readonly peakMb: number;
}

const folder = mkdtempSync(join(tmpdir(), 'herald-bench-'));
const file = join(folder, 'list.csv');
await writeList(file, ROWS);

async function run(contender: 'herald' | 'usual'): Promise<Figures> {
  const child = fork(fileURLToPath(new URL('./ingest-contender.ts', import.meta.url)), [contender, file]);
  const [figures] = (await once(child, 'message')) as [Figures];
  if (figures.read !== ROWS) throw new Error(`${contender} read ${figures.read} rows of ${ROWS}`);
  return figures;
}

const ratios: number[] = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  const herald = await run('herald');
  const usual = await run('usual');
  ratios.push(herald.perSecond / usual.perSecond);
  console.log(formatRound(round, { herald: herald.perSecond, usual: usual.perSecond }));
  console.log(`  peak memory: herald ${herald.peakMb.toFixed(0)} MB, usual ${usual.peakMb.toFixed(0)} MB`);
}
console.log(`Herald / csv-parse + libphonenumber + Set + SQLite: ${median(ratios).toFixed(1)}  (aim 2.3)`);
rmSync(folder, { recursive: true });
