import { setFlagsFromString } from 'node:v8';

/**
 * Limits the growth of V8's heap between collections to twofold instead of fourfold, because reading a large list leaves
 * much garbage. Measured with `npm run bench`: a quarter less memory for a few per cent more time.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
