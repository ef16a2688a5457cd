import type { Clock } from '../core/clock.ts';
import type { Failure } from './outcome.ts';
import type { SendReader } from './ports.ts';
import type { Origin } from './send.ts';

const HOUR_MS = 3_600_000;

/** `approvals.singlesPerHour`: how many messages one person sends within an hour without an approval. */
export interface Singles {
  /** Does one person's `work` after what they asked for before, so that each is counted by the next. */
  inTurn<T>(origin: Origin, work: () => Promise<T>): Promise<T>;
  /** Why so many messages more need an approval; undefined when they need none. Alerts never do. */
  whyWait(origin: Origin, more: number): Promise<Failure | undefined>;
}

/** One person's requests to two replicas at the same moment are not counted by each other. */
export function createSingles(
  perHour: number,
  { store, clock }: { readonly store: Pick<SendReader, 'unasked'>; readonly clock: Pick<Clock, 'now'> },
): Singles {
  const last = new Map<string, Promise<unknown>>();
  const why: Failure = {
    what: `More than ${perHour} messages of one person within an hour need an approval.`,
    next: 'Nothing was sent yet.',
    scope: 'send',
  };

  return {
    inTurn: ({ userId }, work) => {
      const turn = (last.get(userId) ?? Promise.resolve()).then(work, work);
      last.set(userId, turn);
      const forget = () => last.get(userId) === turn && last.delete(userId);
      turn.then(forget, forget);
      return turn;
    },
    whyWait: async ({ userId, alert }, more) => {
      if (alert !== undefined) return undefined;
      return (await store.unasked(userId, clock.now() - HOUR_MS)) + more > perHour ? why : undefined;
    },
  };
}
