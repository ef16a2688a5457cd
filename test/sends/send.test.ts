import { describe, expect, it } from 'vitest';
import { endingAfter, endingOfCanary } from '../../src/sends/dispatch/canary.ts';
import type { Failure } from '../../src/sends/outcome.ts';
import { isUnsent, isWithdrawn, retryGroupOf, type SendState, settledOf } from '../../src/sends/send.ts';

const NONE = { pending: 0, attempting: 0, accepted: 0, rejected: 0, not_sent: 0, unknown: 0, skipped: 0 };
const REASON: Failure = { what: 'No.', next: 'Look.', scope: 'send' };

it('counts each outcome once, and not who was left out', () => {
  const counts = {
    pending: 1,
    attempting: 2,
    accepted: 4,
    rejected: 8,
    not_sent: 16,
    unknown: 32,
    skipped: 64,
  };
  expect(settledOf(counts)).toBe(60);
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
    expect(isUnsent({ state, counts: { ...NONE, pending: 3, skipped: 1 } })).toBe(unsent);
  });

  it.each(['attempting', 'accepted', 'rejected', 'not_sent', 'unknown'] as const)(
    'is not one that was paused with somebody %s',
    (state) => expect(isUnsent({ state: 'paused', counts: { ...NONE, pending: 1, [state]: 1 } })).toBe(false),
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

describe('what a failure means for the rest of its send', () => {
  const never = { retry: { kind: 'never' } } as const;
  it.each([
    ['accepted', { state: 'accepted', status: 200 }, undefined],
    ['of one recipient', { state: 'rejected', failure: { ...REASON, scope: 'recipient' } }, undefined],
    ['in the message', { state: 'rejected', failure: { ...REASON, status: 400 } }, 'stopped'],
    ['without a status', { state: 'unknown', failure: REASON }, 'stopped'],
    ['a refused key', { state: 'rejected', failure: { ...REASON, status: 401 } }, 'paused'],
    ['a right that is missing', { state: 'rejected', failure: { ...REASON, status: 403 } }, 'paused'],
    ['before anything left', { state: 'not_sent', failure: REASON, ...never }, 'paused'],
  ] as const)('%s', (_, outcome, to) => {
    const reason = outcome.state === 'accepted' ? undefined : outcome.failure;
    expect(endingAfter(outcome)).toEqual(to && { to, reason });
  });

  it('of all canaries is a person’s to decide', () => {
    expect(endingOfCanary({ ...REASON, code: '7' })).toEqual({
      ...{ to: 'paused', ofCanaries: true },
      reason: {
        what: 'The first recipients all failed for the same reason, so the send was paused. No.',
        next: 'Look. Then resume the send, or stop it.',
        scope: 'send',
        code: '7',
      },
    });
  });
});
