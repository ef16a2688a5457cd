import { randomBytes } from 'node:crypto';

/** Randomness, passed in so that tests can repeat what happened. */
export interface Random {
  /** A number in [0, 1), for jitter. */
  fraction(): number;
  /** `length` unpredictable bytes, for identifiers. */
  bytes(length: number): Uint8Array;
}

export const systemRandom: Random = {
  fraction: () => Math.random(),
  bytes: (length) => randomBytes(length),
};
