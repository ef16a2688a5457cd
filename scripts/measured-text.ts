import {
  LOG_BYTES,
  lastResults,
  ONE_REPLICA,
  type Result,
  THREE_REPLICAS,
  TRANSACTIONS,
} from '../bench/results.ts';
import { figureText, median } from '../bench/row.ts';
import { keptFigures } from './ci/kept-figures.ts';
import type { Occasion } from './machine.ts';

/*
 * What documents say of what was measured and counted: each figure with its day, from what the benchmarks and the tests have
 * written last.
 */

const PEOPLE = 100_000_000;
const GIGABYTE = 1e9;
/** Transactions after which PostgreSQL begins to freeze rows. */
const FREEZE_AFTER = 200_000_000;
/** Pages of recipients are filled to this at first; see the schema of PostgreSQL. */
const FILLED_TO = 60;

const { rows, storage } = lastResults();

/** `2026-11-22 (2 × AMD EPYC, 24 GB, Node v26.10.0)` */
function when({ on, machine }: Occasion): string {
  return `${on} (${machine})`;
}

function rowOf(work: string): Result {
  const row = rows.find((one) => one.work === work);
  if (row === undefined) throw new Error(`bench/results.json has no row “${work}”.`);
  return row;
}

/** The text of a row's figures, and their middle one. */
function measured(work: string) {
  const row = rowOf(work);
  return { text: figureText(row), middle: median(row.figures), when: when(row) };
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Every row that was measured, with its day. */
export function resultsTable(): string {
  const lines = rows.map((row) => [
    row.work,
    row.goal ?? '',
    figureText(row),
    row.note ?? '',
    `${row.on}, ${row.rounds === 1 ? 'one round' : `${row.rounds} rounds`}, load ${row.load}, ${row.machine}`,
  ]);
  return table(['work', 'goal', 'measured', 'in absolute terms', 'when and where'], lines);
}

/** How replicas compare, for the page on sizing. */
export function replicasText(): string {
  const [three, one] = [measured(THREE_REPLICAS), measured(ONE_REPLICA)];
  return `Measured by \`npm run bench -- replicas\` on ${three.when}: three replicas send ${three.text} times as fast as one towards a
service that takes 100 ms. Towards one that answers at once, where a machine whose processors are busy has nothing to give to a
second process, one replica on PostgreSQL has ${one.text} of the embedded store’s speed.`;
}

export function logText(): string {
  const [log, transactions] = [measured(LOG_BYTES), measured(TRANSACTIONS)];
  return `While a message is sent: ${log.middle.toFixed(0)} bytes of log (WAL) and ${transactions.middle} transactions, one for about
${Math.round(1 / transactions.middle)} people, with 100 connections (\`npm run bench -- replicas\`, ${log.when}).`;
}

function atFirst() {
  const pages = storage.pages.find(({ filledTo }) => filledTo === FILLED_TO);
  if (pages === undefined)
    throw new Error(`bench/results.json has no pages that are filled to ${FILLED_TO} %.`);
  return pages;
}

function bytesOf(name: string): number {
  const bytes = storage.rows[name];
  if (bytes === undefined) throw new Error(`bench/results.json has no bytes of ${name}.`);
  return bytes;
}

export function bytesTable(): string {
  const { before, after } = atFirst();
  const lines = [
    ['row of a list (`audience_rows`)', bytesOf('audience_rows')],
    ['recipient before it is sent to (`recipients`)', before],
    ['recipient afterwards', after],
    ['delivery report (`deliveries`)', bytesOf('deliveries')],
    ['webhook as it came (`webhooks`)', bytesOf('webhooks')],
  ].map((cells) => cells.map(String));
  const said = `(\`node bench/storage.ts ${storage.recipients}\`, ${when(storage)})`;
  return `${table(['for each', 'bytes on disk, indexes included'], lines)}\n\n${said}`;
}

export function pagesTable(): string {
  const lines = storage.pages.map(({ filledTo, after, log, inPlace }) => [
    `${filledTo} %`,
    String(after),
    log.toLocaleString('en'),
    `${inPlace} %`,
  ]);
  return table(['pages filled to', 'bytes on disk afterwards', 'bytes of log', 'changes in place'], lines);
}

/** What a send to 100 million leaves in the database and in its log. */
export function hundredMillionText(): string {
  const gigabytes = (bytes: number) => `${Math.round((bytes * PEOPLE) / GIGABYTE)} GB`;
  const reports = bytesOf('deliveries') + bytesOf('webhooks');
  const { middle } = measured(TRANSACTIONS);
  const millions = (transactions: number) => `${Number((transactions / 1e6).toFixed(2))} million`;
  return `The database then holds, by the bytes above, ${gigabytes(atFirst().after)} of recipients, ${gigabytes(bytesOf('audience_rows'))} of lists, and, where
every message is reported once, ${gigabytes(reports)} of reports and webhooks. It writes ${gigabytes(measured(LOG_BYTES).middle)} of log. Of transaction
numbers it takes ${millions(middle * PEOPLE)} of the ${millions(FREEZE_AFTER)} after which PostgreSQL begins to freeze rows: one send never comes near.`;
}

/** How long each group of tests took. */
export function durationsTable(): string {
  const lines = Object.entries(keptFigures().durations).map(([group, { seconds, ...occasion }]) => [
    group,
    `${Math.floor(seconds / 60)} min ${seconds % 60} s`,
    when(occasion),
  ]);
  return table(['group', 'time', 'on'], lines);
}

/** What the attacks came to when they were kept last. */
export function attacksTable(): string {
  const lines = keptFigures().attacks.map(({ file, test, figure, on, full }) => [
    `\`${file}\``,
    test,
    figure,
    `${on}${full ? ', in full' : ''}`,
  ]);
  return table(['test', 'attack', 'figure', 'on'], lines);
}
