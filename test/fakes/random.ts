import type { Random } from '../../src/core/random.ts';

/** Chance that a test knows: always the same fraction, and bytes that count on, so that ids differ. */
export function createCountingRandom(fraction = 0.5): Random {
  let seed = 0;
  return {
    fraction: () => fraction,
    bytes: (length) => {
      seed += 1;
      return Uint8Array.from({ length }, (_, place) => Math.floor(seed / 32 ** place) % 32);
    },
  };
}
