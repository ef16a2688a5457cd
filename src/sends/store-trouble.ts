/** Whether the store refuses writes, e.g. because the disk is full. Then nothing is sent, and Slack says why. */
export interface StoreTrouble {
  /** Since when, in milliseconds since the epoch; undefined while every write is taken. */
  since(): number | undefined;
  /** A write was refused and is tried again. */
  began(at: number): void;
  /** That write succeeded, or was given up. */
  ended(): void;
  /** `listener` is called when trouble begins and when it is over. */
  onChange(listener: () => void): void;
}

export function createStoreTrouble(): StoreTrouble {
  const listeners: (() => void)[] = [];
  let waiting = 0;
  let since: number | undefined;
  return {
    since: () => since,
    began: (at) => {
      waiting += 1;
      if (since !== undefined) return;
      since = at;
      for (const told of listeners) told();
    },
    ended: () => {
      waiting -= 1;
      if (waiting > 0) return;
      since = undefined;
      for (const told of listeners) told();
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
  };
}
