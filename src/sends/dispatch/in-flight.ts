/** How much has been started and has not ended, and a way to wait for the next end without a promise for each. */
export interface InFlight {
  readonly count: number;
  begin(): void;
  end(): void;
  /** Resolves when the next one ends. */
  next(): Promise<void>;
  /** Resolves when nothing is under way. */
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
