import type { Random } from './random.ts';

/** Crockford's base 32 without I, L, O and U: an id can be read out over the phone. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SEND_ID_LENGTH = 10;
const FAILURE_REFERENCE_LENGTH = 6;

/** A send's public reference, e.g. `S-7K2M9QX4TB`: 50 random bits, unguessable enough and short enough to type. */
export function newSendId(random: Random): string {
  return `S-${randomLetters(random, SEND_ID_LENGTH)}`;
}

/** Names a list of recipients, e.g. `A-7K2M9QX4TB`. */
export function newAudienceId(random: Random): string {
  return `A-${randomLetters(random, SEND_ID_LENGTH)}`;
}

/** Names one process among several that share a database, e.g. `R-7K2M9QX4TB`. */
export function newReplicaId(random: Random): string {
  return `R-${randomLetters(random, SEND_ID_LENGTH)}`;
}

/** Names what one team has on record, wherever it is kept, e.g. `I-7K2M9QX4TB`. */
export function newInstallationId(random: Random): string {
  return `I-${randomLetters(random, SEND_ID_LENGTH)}`;
}

/** Ties what a person was told of a bug to the log line that explains it, e.g. `E-4M8TQ2`. */
export function newFailureReference(random: Random): string {
  return `E-${randomLetters(random, FAILURE_REFERENCE_LENGTH)}`;
}

function randomLetters(random: Random, length: number): string {
  let letters = '';
  for (const byte of random.bytes(length)) letters += ALPHABET[byte & 31];
  return letters;
}
