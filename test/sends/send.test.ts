import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src/sends/outcome.ts';
import { isUnsent, isWithdrawn, retryGroupOf, type SendState, settledOf } from '../../src/sends/send.ts';
import { NO_RECIPIENTS } from '../fakes/sends.ts';

const REASON: Failure = { what: 'No.', next: 'Look.', scope: 'send' };

it('counts each outcome once, and not who was left out', () => {
  const settled = { accepted: 4, rejected: 8, not_sent: 16, unknown: 32 };
  expect(settledOf({ ...settled, pending: 1, attempting: 2, skipped: 64 })).toBe(60);
});

describe('a send that has not begun', () => {
  it.each<[SendState, boolean]>([
    ['draft', false],
    ['awaiting_approval', true],
    ['approved', true],
    ['scheduled', true],
    ['sending', false],
    ['paused', true],
    ['stopped', false],
    ['cancelled', false],
  ])('in state %s: %s', (state, unsent) => {
    expect(isUnsent({ state, counts: { ...NO_RECIPIENTS, pending: 3, skipped: 1 } })).toBe(unsent);
  });

  it.each(['attempting', 'accepted', 'rejected', 'not_sent', 'unknown'] as const)(
    'is not one that was paused with somebody %s',
    (state) =>
      expect(isUnsent({ state: 'paused', counts: { ...NO_RECIPIENTS, pending: 1, [state]: 1 } })).toBe(false),
  );
});

it('was withdrawn when it was cancelled without a reason', () => {
  expect(isWithdrawn({ state: 'cancelled' })).toBe(true);
  expect(isWithdrawn({ state: 'cancelled', reason: REASON })).toBe(false);
  expect(isWithdrawn({ state: 'rejected' })).toBe(false);
});

it.each([
  ['unknown', 'unknown'],
  ['rejected', 'failed'],
  ['not_sent', 'failed'],
  ['accepted', undefined],
  ['attempting', undefined],
] as const)('to one person, %s, is tried again as %s', (state, group) => {
  const report = (send: object) => retryGroupOf({ send, recipient: { state } } as never);
  expect(report({})).toBe(group);
  expect(report({ audience: { id: 'A', columns: [] } })).toBeUndefined();
  expect(report({ removedAt: 1 })).toBeUndefined();
});
