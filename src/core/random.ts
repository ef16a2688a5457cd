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

/** Crockford's base 32 without I, L, O and U: an id can be read out over the phone. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 10;
const FAILURE_REFERENCE_LENGTH = 6;

/**
 * An id such as `S-7K2M9QX4TB`: 50 random bits, unguessable enough and short enough to type. It names a send, an audience,
 * a replica, or an installation, which is what one team has on record.
 */
export function newId(named: 'S' | 'A' | 'R' | 'I', random: Random): string {
  return `${named}-${lettersOf(random.bytes(LENGTH))}`;
}

/** Ties the answer that a person got after a bug to the log line that explains it, e.g. `E-4M8TQ2`. */
export function newFailureReference(random: Random): string {
  return `E-${lettersOf(random.bytes(FAILURE_REFERENCE_LENGTH))}`;
}

/** As many letters as an id has, from bytes that somebody else made, e.g. a hash. */
export function shortLetters(bytes: Uint8Array): string {
  return lettersOf(bytes.subarray(0, LENGTH));
}

function lettersOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => ALPHABET[byte & 31]).join('');
}
