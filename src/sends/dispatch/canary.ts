import type { Failure, Outcome } from '../outcome.ts';
import type { Send } from '../send.ts';

/** Recipients that go alone at the start of a bulk send. */
const CANARY_SIZE = 5;

/** True when the first recipients of a send must go alone: once a send, whoever sends it and whatever restarts. */
export function needsCanary({ audience, recipientCount, canaryJudged }: Send): boolean {
  return audience !== undefined && recipientCount > CANARY_SIZE && canaryJudged !== true;
}

export type CanaryVerdict =
  | { readonly state: 'waiting' }
  | { readonly state: 'passed' }
  /** All of them failed for one reason: sending on would fail alike for everybody else. */
  | { readonly state: 'failed'; readonly failure: Failure };

/** Judges the first outcomes of a send with `size` canaries; any success, or two different reasons, let it go on. */
export function judgeCanary(outcomes: readonly Outcome[], size: number): CanaryVerdict {
  const [first] = outcomes;
  if (first === undefined) return { state: 'waiting' };
  const same = outcomes.every((outcome) => reasonOf(outcome) === reasonOf(first));
  if (first.state === 'accepted' || !same) return { state: 'passed' };
  return outcomes.length < size ? { state: 'waiting' } : { state: 'failed', failure: first.failure };
}

/** The canaries of one run; a run that needs none has none left from the start. */
export interface Canary {
  /** How many must still be started before anybody else is. */
  readonly left: number;
  started(count: number): void;
  note(outcome: Outcome): void;
  verdict(): CanaryVerdict;
}

export function createCanary(needed: boolean): Canary {
  let left = needed ? CANARY_SIZE : 0;
  const outcomes: Outcome[] = [];
  return {
    get left() {
      return left;
    },
    started: (count) => {
      left = Math.max(0, left - count);
    },
    note: (outcome) => {
      if (outcomes.length < CANARY_SIZE) outcomes.push(outcome);
    },
    verdict: () => judgeCanary(outcomes, CANARY_SIZE),
  };
}

function reasonOf(outcome: Outcome): string {
  if (outcome.state === 'accepted') return 'accepted';
  const { code, status, what } = outcome.failure;
  // An answer whose own code means nothing here is one reason, even where every answer has another code.
  if (outcome.state === 'unknown' && status !== undefined && status < 300) return 'unknown:answer';
  return `${outcome.state}:${code ?? status ?? what}`;
}
