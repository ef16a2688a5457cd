import type { Random } from './random.ts';

/** Crockford's base 32 without I, L, O and U: an id can be read out over the phone. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SEND_ID_LENGTH = 10;

/** A send's public reference, e.g. `S-7K2M9QX4TB`: 50 random bits, unguessable enough and short enough to type. */
export function newSendId(random: Random): string {
  let id = 'S-';
  for (const byte of random.bytes(SEND_ID_LENGTH)) id += ALPHABET[byte & 31];
  return id;
}
