import { describe, expect, it } from 'vitest';
import { isUnsent, retryGroupOf, type SendState } from '../../src/sends/send.ts';
import { NO_RECIPIENTS } from '../fakes/sends.ts';

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
