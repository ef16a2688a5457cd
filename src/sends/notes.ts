import type { Clock } from '../core/clock.ts';
import { createExpiringMap } from '../core/expiring-map.ts';

/** A cache that all replicas share. Values are plain data, never one-time passwords. */
export interface Notes {
  /** Undefined when there is none or it has expired. */
  find(key: string): Promise<unknown>;
  /** Replaces an earlier value. */
  put(key: string, value: unknown, keepMs: number): Promise<void>;
  /** True for the first caller with this key, false for all others within `keepMs`. */
  claim(key: string, keepMs: number): Promise<boolean>;
}

/** Beyond this the oldest notes are forgotten. */
const CAPACITY = 20_000;
/** Nothing is kept longer. */
const LONGEST_MS = 24 * 60 * 60_000;

/** Notes in memory, for a process with a store of its own. */
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
