import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { keepRows } from './results.ts';
import { type Benchmark, figureText } from './row.ts';
import { growth } from './rows/growth.ts';
import { lists } from './rows/lists.ts';
import { loop } from './rows/loop.ts';
import { replicas } from './rows/replicas.ts';
import { sending } from './rows/sending.ts';
import { slack } from './rows/slack.ts';

/*
 * Measures what Herald’s speed is judged by, each contender in a process of its own, as ratios within a round. Names of
 * benchmarks run only those. What was measured is kept in results.json, in the place of what was measured before.
 */
const BENCHMARKS: Readonly<Record<string, Benchmark>> = { slack, loop, sending, lists, replicas, growth };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    recipients: { type: 'string', default: '1000000' },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(BENCHMARKS);
for (const name of names) {
  const benchmark = BENCHMARKS[name];
  if (benchmark === undefined)
    throw new Error(`There is no benchmark ${name}: there are ${Object.keys(BENCHMARKS).join(', ')}.`);
  const [load = 0] = loadavg();
  const rounds = Number(values.rounds);
  const rows = await benchmark(rounds, Number(values.recipients));
  for (const row of rows)
    console.log(`${row.work}: ${figureText(row)} (goal ${row.goal ?? 'none'}). ${row.note ?? ''}`);
  keepRows(rows, { rounds, load: Number(load.toFixed(1)) });
}
// Reads what was just written.
await import('../scripts/update-documents.ts');
