import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { type Benchmark, median, type Row } from './row.ts';
import { lists } from './rows/lists.ts';
import { loop } from './rows/loop.ts';
import { replicas } from './rows/replicas.ts';
import { sending } from './rows/sending.ts';
import { slack } from './rows/slack.ts';

/*
 * Measures what Herald’s speed is judged by, each contender in a process of its own, as ratios within a round. Names of
 * benchmarks run only those. The table goes to standard output, what is going on to standard error.
 */
const BENCHMARKS: Readonly<Record<string, Benchmark>> = { slack, loop, sending, lists, replicas };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' } },
});
const names = positionals.length > 0 ? positionals : Object.keys(BENCHMARKS);
const loadBefore = loadavg()[0] ?? 0;
const rows: Row[] = [];
for (const name of names) {
  const benchmark = BENCHMARKS[name];
  if (benchmark === undefined)
    throw new Error(`There is no benchmark ${name}: there are ${Object.keys(BENCHMARKS).join(', ')}.`);
  for (const row of await benchmark(Number(values.rounds))) {
    console.error(`${row.work}: ${figureText(row)} (goal ${row.goal}). ${row.note ?? ''}`);
    rows.push(row);
  }
}
console.log(resultsText());

function figureText({ figures, unit = '' }: Row): string {
  if (figures.length === 0) return '–';
  const digits = unit === '' ? 2 : 0;
  const middle = `${median(figures).toFixed(digits)}${unit}`;
  if (figures.length === 1) return middle;
  return `${middle} (${Math.min(...figures).toFixed(digits)}–${Math.max(...figures).toFixed(digits)})`;
}

function resultsText(): string {
  const processors = cpus();
  const machine = `${processors.length} × ${processors[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const lines = rows.map((row) => `| ${row.work} | ${row.goal} | ${figureText(row)} | ${row.note ?? ''} |`);
  return `# What was measured

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${machine}, Node ${process.version}, ${values.rounds} rounds. Others had
${loadBefore.toFixed(1)} processors busy when it began. Ratios are Herald’s figure by the other’s within a round: the middle one, the
smallest and the largest. Absolute figures belong to this machine and this day.

| work | goal | measured | in absolute terms |
| --- | --- | --- | --- |
${lines.join('\n')}`;
}
