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

const COUNTED = ['pending', 'attempting', 'accepted', 'rejected', 'not_sent', 'unknown', 'skipped'] as const;
const AT: Readonly<Record<RecipientState, number>> = {
  pending: 0,
  attempting: 1,
  accepted: 2,
  rejected: 3,
  not_sent: 4,
  unknown: 5,
  skipped: 6,
};

interface FailureTally {
  readonly state: RecipientState;
  readonly failure: string;
  count: number;
}

interface SendTally {
  readonly changes: number[];
  /** State and failure, joined, to how often. */
  readonly failures: Map<string, FailureTally>;
}

export function createTally(sql: Statements): Tally {
  const sends = new Map<string, SendTally>();

  function of(sendId: string): SendTally {
    const known = sends.get(sendId);
    if (known !== undefined) return known;
    const fresh: SendTally = { changes: COUNTED.map(() => 0), failures: new Map() };
    sends.set(sendId, fresh);
    return fresh;
  }

  function add(sendId: string, state: RecipientState, by: number): void {
    const { changes } = of(sendId);
    changes[AT[state]] = (changes[AT[state]] ?? 0) + by;
  }

  function note(sendId: string, { state, failure, count }: FailureTally): void {
    const { failures } = of(sendId);
    const known = failures.get(state + failure);
    if (known === undefined) failures.set(state + failure, { state, failure, count });
    else known.count += count;
  }

  return {
    move: (sendId, from, to, count, failure) => {
      if (from !== undefined) add(sendId, from, -count);
      add(sendId, to, count);
      if (failure !== undefined) note(sendId, { state: to, failure, count });
    },
    write: () => {
      for (const [sendId, { changes, failures }] of sends) {
        sql.countChanges.run(...changes, sendId);
        for (const { state, failure, count } of failures.values())
          sql.countFailures.run(sendId, state, failure, count);
      }
      return [...sends.keys()];
    },
  };
}
