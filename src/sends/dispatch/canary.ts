import type { Failure, Outcome } from '../outcome.ts';

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

function reasonOf(outcome: Outcome): string {
  if (outcome.state === 'accepted') return 'accepted';
  const { code, status, what } = outcome.failure;
  return `${outcome.state}:${code ?? status ?? what}`;
}
