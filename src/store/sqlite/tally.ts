import type { RecipientState } from '../../sends/send.ts';
import type { Statements } from './statements.ts';

/**
 * Collects, within one transaction, by how much the counters of each send change, and how often each failure
 * came; written once a send at the end, however many recipients were touched.
 */
export interface Tally {
  /** `count` recipients are `to` now; they were `from`, or are new. */
  move(
    sendId: string,
    from: RecipientState | undefined,
    to: RecipientState,
    count: number,
    failure?: string,
  ): void;
  /** Writes, and returns the sends that were touched. */
  write(): readonly string[];
}

/** In the order in which `countChanges` takes them. */
const NO_CHANGES = {
  pending: 0,
  attempting: 0,
  accepted: 0,
  rejected: 0,
  not_sent: 0,
  unknown: 0,
  skipped: 0,
};

interface FailureTally {
  readonly state: RecipientState;
  readonly failure: string;
  count: number;
}

interface SendTally {
  readonly changes: Record<RecipientState, number>;
  /** State and failure, joined, to how often. */
  readonly failures: Map<string, FailureTally>;
}

export function createTally(sql: Statements): Tally {
  const sends = new Map<string, SendTally>();

  function of(sendId: string): SendTally {
    const known = sends.get(sendId);
    if (known !== undefined) return known;
    const fresh: SendTally = { changes: { ...NO_CHANGES }, failures: new Map() };
    sends.set(sendId, fresh);
    return fresh;
  }

  function note({ failures }: SendTally, { state, failure, count }: FailureTally): void {
    const known = failures.get(state + failure);
    if (known === undefined) failures.set(state + failure, { state, failure, count });
    else known.count += count;
  }

  return {
    move: (sendId, from, to, count, failure) => {
      const tally = of(sendId);
      if (from !== undefined) tally.changes[from] -= count;
      tally.changes[to] += count;
      if (failure !== undefined) note(tally, { state: to, failure, count });
    },
    write: () => {
      for (const [sendId, { changes, failures }] of sends) {
        sql.countChanges.run(...Object.values(changes), sendId);
        for (const { state, failure, count } of failures.values())
          sql.countFailures.run(sendId, state, failure, count);
      }
      return [...sends.keys()];
    },
  };
}
