/** Whether the store refuses writes, e.g. because the disk is full or PostgreSQL is gone. Then nothing is sent, and Slack says why. */
export interface StoreTrouble {
  /** Since when, in milliseconds since the epoch; undefined while every write is taken. */
  since(): number | undefined;
  /** A write was refused and is tried again, or the database does not answer. */
  began(at: number, error: unknown): void;
  /** That is over, or was given up. */
  ended(): void;
  /** `listener` is called when trouble begins, with the error, and when it is over. */
  onChange(listener: (error?: unknown) => void): void;
}

export function createStoreTrouble(): StoreTrouble {
  const listeners: ((error?: unknown) => void)[] = [];
  let waiting = 0;
  let since: number | undefined;
  return {
    since: () => since,
    began: (at, error) => {
      waiting += 1;
      if (since !== undefined) return;
      since = at;
      for (const told of listeners) told(error);
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
