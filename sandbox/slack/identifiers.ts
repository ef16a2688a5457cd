import { randomBytes, randomInt } from 'node:crypto';
import type { WorkspaceClock } from './clock.ts';

const ID_ALPHABET = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const ID_LENGTH = 10;

/** An id as Slack makes them: a letter that says what it names, and random capitals and digits. */
export function newId(prefix: 'C' | 'D' | 'E' | 'F' | 'M' | 'V'): string {
  let id: string = prefix;
  for (let index = 0; index < ID_LENGTH; index += 1) id += ID_ALPHABET[randomInt(ID_ALPHABET.length)];
  return id;
}

/** An unguessable token for an address, e.g. a response_url or a socket ticket. */
export function newToken(): string {
  return randomBytes(18).toString('base64url');
}

/** A short random id as Slack gives to blocks and elements that came without one. */
export function newBlockId(): string {
  return randomBytes(4).toString('base64url').slice(0, 5);
}

/**
 * Slack's time stamps, `seconds.microseconds`: unique in the workspace and ever growing, since a message is
 * found by its stamp. Start after the newest one that is already stored.
 */
export class TimestampSource {
  #clock: WorkspaceClock;
  #lastMicros: number;

  constructor(clock: WorkspaceClock, newestStored = '0') {
    this.#clock = clock;
    this.#lastMicros = Math.round(Number(newestStored) * 1e6);
  }

  next(): string {
    this.#lastMicros = Math.max(this.#clock.now() * 1000, this.#lastMicros + 1);
    const seconds = Math.floor(this.#lastMicros / 1e6);
    return `${seconds}.${String(this.#lastMicros % 1e6).padStart(6, '0')}`;
  }
}
