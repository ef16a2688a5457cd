import type { Clock } from './clock.ts';

export type ExpiringMap<Value> = ReturnType<typeof createExpiringMap<Value>>;

/** A map that forgets an entry `keepMs` after it was set, and the oldest ones beyond `capacity`. */
export function createExpiringMap<Value>(keepMs: number, capacity: number, clock: Clock) {
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
    get: (key: string) => {
      forgetOld();
      return entries.get(key)?.value;
    },
    set: (key: string, value: Value) => {
      entries.delete(key);
      entries.set(key, { value, setAt: clock.monotonic() });
      forgetOld();
    },
    delete: (key: string) => void entries.delete(key),
    entries: () => {
      forgetOld();
      return [...entries].map(([key, { value }]) => [key, value] as const);
    },
  };
}
