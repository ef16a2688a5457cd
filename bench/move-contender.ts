import { systemClock } from '../src/core/clock.ts';
import { keepHeapSmall } from '../src/core/heap.ts';
import { moveInstallation } from '../src/store/moving/move.ts';
import { createBenchLogger } from './bench-send.ts';

/* One move in a process of its own, so that its peak memory is its own; called with the file and the target's address. */
keepHeapSmall();
const [from = '', to = ''] = process.argv.slice(2);
const begun = performance.now();
const moved = await moveInstallation({
  from,
  to,
  clock: systemClock,
  logger: createBenchLogger(),
  stopping: new AbortController().signal,
  progressed: () => {},
});
if (!moved.ok) throw new Error(moved.error);
process.send?.({
  seconds: (performance.now() - begun) / 1_000,
  peakMb: process.resourceUsage().maxRSS / 1_024,
});
