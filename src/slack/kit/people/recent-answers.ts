import type { Clock } from '../../../core/clock.ts';
import { createExpiringMap } from '../../../core/expiring-map.ts';
import { type ApiFailure, classifyApiError } from '../../connection/api-error.ts';

/** Asked for again after this: somebody who left must not act for long. */
const KEPT_MS = 60_000;
/** Fifty clicks within a moment are one question: what was asked this lately is as good as asked now. */
const SAME_MOMENT_MS = 1_000;
const KEPT = 1_000;

export interface AskedHow {
  /** Asks Slack anew, unless it was asked this very second. */
  readonly fresh: boolean;
}

export interface RecentAnswers<Answer> {
  /** May be a minute old, unless `fresh`. While Slack takes no more questions, a fresh answer may be as old as well. */
  of(id: string, how?: AskedHow): Promise<Answer | undefined>;
}

interface Question<Answer> {
  /** Undefined where Slack's answer says nothing. */
  readonly ask: (id: string) => Promise<Answer | undefined>;
  /** What a failure says, not kept. */
  readonly onFailure: (failure: ApiFailure, id: string) => Answer | undefined;
  readonly clock: Clock;
}

/** What Slack says about somebody, with no more questions than its limits allow (`usergroups.users.list`: 20 a minute). */
export function createRecentAnswers<Answer>(question: Question<Answer>): RecentAnswers<Answer> {
  const { ask, onFailure, clock } = question;
  const known = createExpiringMap<{ readonly at: number; readonly answer: Answer }>(KEPT_MS, KEPT, clock);
  const asking = new Map<string, Promise<Answer | undefined>>();
  let tooManyUntil = Number.NEGATIVE_INFINITY;

  async function askNow(id: string): Promise<Answer | undefined> {
    try {
      const answer = await ask(id);
      if (answer !== undefined) known.set(id, { at: clock.monotonic(), answer });
      return answer;
    } catch (error) {
      const failure = classifyApiError(error);
      const said = onFailure(failure, id);
      if (failure.kind !== 'rate_limited') return said;
      tooManyUntil = clock.monotonic() + failure.retryAfterMs;
      return known.get(id)?.answer;
    }
  }

  return {
    of: async (id, { fresh } = { fresh: false }) => {
      const before = known.get(id);
      const now = clock.monotonic();
      if (now < tooManyUntil) return before?.answer;
      if (before !== undefined && (!fresh || now - before.at < SAME_MOMENT_MS)) return before.answer;
      const inFlight = asking.get(id) ?? askNow(id).finally(() => asking.delete(id));
      asking.set(id, inFlight);
      return inFlight;
    },
  };
}
