/** Counts what was started and has not ended; waiting for the next end needs no promise for each. */
export interface InFlight {
  readonly count: number;
  begin(): void;
  end(): void;
  /** Resolves when the next one ends. */
  next(): Promise<void>;
  /** Resolves when nothing is in flight. */
  none(): Promise<void>;
}

export function createInFlight(): InFlight {
  let count = 0;
  let awaited: PromiseWithResolvers<void> | undefined;

  function next(): Promise<void> {
    awaited ??= Promise.withResolvers();
    return awaited.promise;
  }

  return {
    get count() {
      return count;
    },
    begin: () => {
      count += 1;
    },
    end: () => {
      count -= 1;
      awaited?.resolve();
      awaited = undefined;
    },
    next,
    none: async () => {
      while (count > 0) await next();
    },
  };
}
