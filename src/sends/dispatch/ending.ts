import type { Failure, Outcome } from '../outcome.ts';

/** How a send that cannot go on ends here: `stopped` for good, or `paused` until a person decides. */
export interface Ending {
  readonly to: 'stopped' | 'paused';
  readonly reason: Failure;
  /** When it goes on by itself, in milliseconds since the epoch. */
  readonly resumeAt?: number;
}

/** HTTP statuses after which every later request would fail alike until the operator has acted. */
const REFUSES_EVERYTHING: ReadonlySet<number> = new Set([401, 403]);

/**
 * What an outcome means for the rest of its send: a failure of scope `send` ends it, because every later request
 * would fail alike. It is paused where the cause lies outside the send (a refused key, a certificate) and can be
 * put right, and stopped where it lies in the message itself.
 */
export function endingAfter(outcome: Outcome): Ending | undefined {
  if (outcome.state === 'accepted' || outcome.failure.scope !== 'send') return undefined;
  const { failure } = outcome;
  const curable =
    outcome.state === 'not_sent' || (failure.status !== undefined && REFUSES_EVERYTHING.has(failure.status));
  return { to: curable ? 'paused' : 'stopped', reason: failure };
}

/** The first recipients all failed alike: a person must look before everybody else gets the same. */
export function endingOfCanary(failure: Failure): Ending {
  return {
    to: 'paused',
    reason: {
      ...failure,
      what: `The first recipients all failed for the same reason, so the rest was held back. ${failure.what}`,
      next: `${failure.next} Then resume the send, or stop it.`,
    },
  };
}
