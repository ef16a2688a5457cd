import type { Failure, Outcome } from '../outcome.ts';
import type { Send } from '../send.ts';

/** Recipients that are sent to first, before the rest of a bulk send. */
const CANARY_SIZE = 5;

/** True when a send needs canaries: once per send, whatever restarts. */
export function needsCanary({ audience, recipientCount, canaryJudged }: Send): boolean {
  return audience !== undefined && recipientCount > CANARY_SIZE && canaryJudged !== true;
}

export type CanaryVerdict =
  | { readonly state: 'waiting' }
  | { readonly state: 'passed' }
  /** All failed for the same reason, so the rest probably would, too. */
  | { readonly state: 'failed'; readonly failure: Failure };

/** Judges the outcomes of `size` canaries: one success, or two different reasons, let the send go on. */
export function judgeCanary(outcomes: readonly Outcome[], size: number): CanaryVerdict {
  const [first] = outcomes;
  if (first === undefined) return { state: 'waiting' };
  const same = outcomes.every((outcome) => reasonOf(outcome) === reasonOf(first));
  if (first.state === 'accepted' || !same) return { state: 'passed' };
  return outcomes.length < size ? { state: 'waiting' } : { state: 'failed', failure: first.failure };
}

/** The canaries of one run. */
export interface Canary {
  /** How many must still be started before anybody else; 0 when none are needed. */
  readonly left: number;
  /** True until they are judged; then others may go, and share a request. */
  readonly isAlone: boolean;
  started(count: number): void;
  note(outcome: Outcome): void;
  verdict(): CanaryVerdict;
}

export function createCanary(needed: boolean): Canary {
  let left = needed ? CANARY_SIZE : 0;
  const outcomes: Outcome[] = [];
  const verdict = () => judgeCanary(outcomes, CANARY_SIZE);
  return {
    get left() {
      return left;
    },
    get isAlone() {
      return needed && (left > 0 || verdict().state === 'waiting');
    },
    started: (count) => {
      left = Math.max(0, left - count);
    },
    note: (outcome) => {
      if (outcomes.length < CANARY_SIZE) outcomes.push(outcome);
    },
    verdict,
  };
}

function reasonOf(outcome: Outcome): string {
  if (outcome.state === 'accepted') return 'accepted';
  const { code, status, what } = outcome.failure;
  // A 2xx that cannot be understood counts as one reason, even when each answer has another code.
  if (outcome.state === 'unknown' && status !== undefined && status < 300) return 'unknown:answer';
  return `${outcome.state}:${code ?? status ?? what}`;
}
