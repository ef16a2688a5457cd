/** Whether the store refuses writes, e.g. because the disk is full. Then nothing is sent, and Slack says why. */
export interface StoreTrouble {
  /** Since when, in milliseconds since the epoch; undefined while every write is taken. */
  since(): number | undefined;
  /** A write was refused and is tried again. */
  began(at: number): void;
  /** That write succeeded, or was given up. */
  ended(): void;
}

/** @param onChange called when trouble begins and when it is over */
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
