import type { Failure, Outcome } from '../outcome.ts';
import type { Send } from '../send.ts';

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
 * A failure of scope `send` ends the run, because every later request would fail the same way: the send is paused when the
 * cause lies outside of it and can be fixed (a refused key, a certificate), and stopped when it lies in the message.
 */
export function endingAfter(outcome: Outcome): Ending | undefined {
  if (outcome.state === 'accepted' || outcome.failure.scope !== 'send') return undefined;
  const { failure } = outcome;
  const curable =
    outcome.state === 'not_sent' || (failure.status !== undefined && REFUSES_EVERYTHING.has(failure.status));
  return { to: curable ? 'paused' : 'stopped', reason: failure };
}

/** Recipients that are sent to first, before the rest of a bulk send. */
const CANARY_SIZE = 5;

/** How many canaries a send needs before the rest of it, once per send, whatever restarts; 0 for none. */
export function canariesOf({ audience, recipientCount, canaryJudged }: Send): number {
  const isNeeded = audience !== undefined && recipientCount > CANARY_SIZE && canaryJudged !== true;
  return isNeeded ? CANARY_SIZE : 0;
}

const WAITING = { state: 'waiting' } as const;

/** The canaries of one run. @param size how many there are, see `canariesOf` */
export function createCanary(size: number) {
  let toStart = size;
  const outcomes: Outcome[] = [];

  /**
   * One success, or two different reasons, let the send go on. If all failed for the same reason, the rest probably would,
   * too.
   */
  function verdict() {
    const [first] = outcomes;
    if (first === undefined) return WAITING;
    const same = outcomes.every((outcome) => reasonOf(outcome) === reasonOf(first));
    if (first.state === 'accepted' || !same) return { state: 'passed' } as const;
    return outcomes.length < size ? WAITING : ({ state: 'failed', failure: first.failure } as const);
  }

  return {
    /** So many must still be started before anybody else; 0 when none are needed. */
    get toStart(): number {
      return toStart;
    },
    /** True until they are judged; then others may go, and share a request. */
    get isAlone(): boolean {
      return size > 0 && (toStart > 0 || verdict().state === 'waiting');
    },
    started: (count: number) => {
      toStart = Math.max(0, toStart - count);
    },
    note: (outcome: Outcome) => {
      if (outcomes.length < size) outcomes.push(outcome);
    },
    verdict,
  };
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

function reasonOf(outcome: Outcome): string {
  if (outcome.state === 'accepted') return 'accepted';
  const { code, status, what } = outcome.failure;
  // A 2xx that cannot be understood counts as one reason, even when each answer has another code.
  if (outcome.state === 'unknown' && status !== undefined && status < 300) return 'unknown:answer';
  return `${outcome.state}:${code ?? status ?? what}`;
}
