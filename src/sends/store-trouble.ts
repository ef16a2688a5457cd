/** Whether the store refuses writes, e.g. because the disk is full: then nothing is sent, and people must be told why. */
export interface StoreTrouble {
  /** Since when, in milliseconds since the epoch; undefined while every write is taken. */
  since(): number | undefined;
  /** A write was refused and is tried again. */
  began(at: number): void;
  /** That write was taken, or given up. */
  ended(): void;
}

/** @param onChange told when trouble begins, and when it is over */
export function createStoreTrouble(onChange: () => void): StoreTrouble {
  let waiting = 0;
  let since: number | undefined;
  return {
    since: () => since,
    began: (at) => {
      waiting += 1;
      if (since !== undefined) return;
      since = at;
      onChange();
    },
    ended: () => {
      waiting -= 1;
      if (waiting > 0) return;
      since = undefined;
      onChange();
    },
  };
}
