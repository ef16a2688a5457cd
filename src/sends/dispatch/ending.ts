import type { Failure, Outcome } from '../outcome.ts';

/** How a run ends early: the send is `stopped` for good, or `paused` until a person or a known time resumes it. */
export interface Ending {
  readonly to: 'stopped' | 'paused';
  readonly reason: Failure;
  /** When it resumes by itself, in milliseconds since the epoch. */
  readonly resumeAt?: number;
  /** Whether it is the verdict of the canaries. */
  readonly ofCanaries?: true;
}

/** HTTP statuses after which every later request would fail alike until the operator has acted. */
const REFUSES_EVERYTHING: ReadonlySet<number> = new Set([401, 403]);

/**
 * What an outcome means for the rest of its send. A failure of scope `send` ends the run, because every later request would
 * fail the same way: paused when the cause lies outside the send and can be fixed (a refused key, a certificate), stopped
 * when it lies in the message.
 */
export function endingAfter(outcome: Outcome): Ending | undefined {
  if (outcome.state === 'accepted' || outcome.failure.scope !== 'send') return undefined;
  const { failure } = outcome;
  const curable =
    outcome.state === 'not_sent' || (failure.status !== undefined && REFUSES_EVERYTHING.has(failure.status));
  return { to: curable ? 'paused' : 'stopped', reason: failure };
}

/** The canaries all failed for the same reason: a person must decide about the rest. */
export function endingOfCanary(failure: Failure): Ending {
  return {
    ...{ to: 'paused', ofCanaries: true },
    reason: {
      ...failure,
      what: `The first recipients all failed for the same reason, so the send was paused. ${failure.what}`,
      next: `${failure.next} Then resume the send, or stop it.`,
    },
  };
}
