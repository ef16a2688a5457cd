import { contend, type Row } from '../row.ts';

/** For how long one input keeps the event loop without a break: hostile texts, and what is large, at every door. */
export async function loop(rounds: number): Promise<readonly Row[]> {
  const runs: {
    readonly p99: number;
    readonly max: number;
    readonly slowest: string;
    readonly count: number;
  }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const turns = await contend<readonly [what: string, ms: number][]>('loop', []);
    const sorted = turns.toSorted(([, a], [, b]) => b - a);
    const [slowest = '', max = Number.NaN] = sorted[0] ?? [];
    runs.push({
      max,
      slowest,
      p99: sorted[Math.floor(sorted.length / 100)]?.[1] ?? Number.NaN,
      count: sorted.length,
    });
  }
  const note = `${runs[0]?.count.toLocaleString('en-US')} inputs; the slowest: ${runs.map(({ slowest }) => slowest).join(', ')}`;
  return [
    {
      work: 'loop time of one input, 99 of 100',
      goal: '< 50 ms',
      figures: runs.map(({ p99 }) => p99),
      unit: ' ms',
      note: 'processor time of the longest turn of the event loop',
    },
    {
      work: 'loop time of one input, the longest',
      goal: '< 250 ms',
      figures: runs.map(({ max }) => max),
      unit: ' ms',
      note,
    },
  ];
}
