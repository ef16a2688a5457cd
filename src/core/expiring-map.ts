import type { Clock } from './clock.ts';

/** A map that forgets an entry `keepMs` after it was set, and the oldest ones beyond `capacity`. */
export interface ExpiringMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  entries(): readonly (readonly [string, Value])[];
}

export function createExpiringMap<Value>(keepMs: number, capacity: number, clock: Clock): ExpiringMap<Value> {
  // A Map keeps its keys in the order they were set, so the oldest entries are its first.
  const entries = new Map<string, { readonly value: Value; readonly setAt: number }>();

  function forgetOld(): void {
    const oldestKept = clock.monotonic() - keepMs;
    for (const [key, { setAt }] of entries) {
      if (setAt > oldestKept && entries.size <= capacity) return;
      entries.delete(key);
    }
  }

  return {
    get: (key) => {
      forgetOld();
      return entries.get(key)?.value;
    },
    set: (key, value) => {
      entries.delete(key);
      entries.set(key, { value, setAt: clock.monotonic() });
      forgetOld();
    },
    delete: (key) => void entries.delete(key),
    entries: () => {
      forgetOld();
      return [...entries].map(([key, { value }]) => [key, value] as const);
    },
  };
}
