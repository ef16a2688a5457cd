import { keepHeapSmall } from '../src/core/heap.ts';
import { heraldPerSecond } from './herald-dispatch.ts';

/* One send in a process of its own, so that its peak memory is its own; called with the service's address and the size. */
keepHeapSmall();
const [origin = '', recipients] = process.argv.slice(2);
const perSecond = await heraldPerSecond(origin, Number(recipients));
process.send?.({ perSecond, peakMb: process.resourceUsage().maxRSS / 1_024 });
