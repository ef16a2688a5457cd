import type { Clock } from '../core/clock.ts';
import { createExpiringMap } from '../core/expiring-map.ts';

/**
 * What any process may need for a while and nobody misses afterwards. Values are plain data; one-time passwords are none
 * of them.
 */
export interface Notes {
  /** Undefined when there is none, or its time is over. */
  find(key: string): Promise<unknown>;
  /** Takes the place of an earlier one. */
  put(key: string, value: unknown, keepMs: number): Promise<void>;
  /** True for the first who comes with this key; for everybody else within `keepMs` false. */
  claim(key: string, keepMs: number): Promise<boolean>;
}

/** More are the oldest forgotten for. */
const CAPACITY = 20_000;
/** No note is kept for longer. */
const LONGEST_MS = 24 * 60 * 60_000;

/** Notes of a process that has its store to itself: they end with it. */
export function createNotes(clock: Clock): Notes {
  const notes = createExpiringMap<{ readonly value: unknown; readonly until: number }>(
    LONGEST_MS,
    CAPACITY,
    clock,
  );
  const current = (key: string) => {
    const note = notes.get(key);
    return note !== undefined && note.until > clock.monotonic() ? note : undefined;
  };
  return {
    find: async (key) => current(key)?.value,
    put: async (key, value, keepMs) => {
      notes.set(key, { value: structuredClone(value), until: clock.monotonic() + keepMs });
    },
    claim: async (key, keepMs) => {
      if (current(key) !== undefined) return false;
      notes.set(key, { value: undefined, until: clock.monotonic() + keepMs });
      return true;
    },
  };
}
