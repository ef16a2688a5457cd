import { onTestFinished, vi } from 'vitest';

/**
 * Watches every Map and Set that is made while `make` runs, e.g. by a service that lives as long as the process.
 *
 * @returns what `make` made, and how many entries they hold together
 */
export function watchCollections<Made>(make: () => Made): { made: Made; held: () => number } {
  const seen: { readonly size: number }[] = [];
  class WatchedMap<Key, Value> extends Map<Key, Value> {
    constructor(entries?: Iterable<readonly [Key, Value]> | null) {
      super(entries);
      seen.push(this);
    }
  }
  class WatchedSet<Value> extends Set<Value> {
    constructor(values?: Iterable<Value> | null) {
      super(values);
      seen.push(this);
    }
  }
  vi.stubGlobal('Map', WatchedMap);
  vi.stubGlobal('Set', WatchedSet);
  onTestFinished(() => void vi.unstubAllGlobals());
  const made = make();
  vi.unstubAllGlobals();
  return { made, held: () => seen.reduce((sum, { size }) => sum + size, 0) };
}
