import { type RecipientCounts, settledOf } from '../../../sends/send.ts';

/** How many of those who are sent to have come to an outcome, and how many they are. */
export function tallyOf(counts: RecipientCounts): { readonly settled: number; readonly all: number } {
  const settled = settledOf(counts);
  return { settled, all: settled + counts.pending + counts.attempting };
}

const BAR_CELLS = 20;

export function bar(done: number, all: number): string {
  // Full only when nothing is left, and begun as soon as one is done.
  const share = all === 0 ? 1 : done / all;
  const cells = done === 0 ? (all === 0 ? BAR_CELLS : 0) : Math.max(1, Math.floor(share * BAR_CELLS));
  return '█'.repeat(cells) + '░'.repeat(BAR_CELLS - cells);
}
