import { describe, expect, it } from 'vitest';
import { canariesOf, createCanary, endingAfter, endingOfCanary } from '../../../src/sends/dispatch/canary.ts';
import type { Failure, Outcome } from '../../../src/sends/outcome.ts';

const REASON: Failure = { what: 'No.', next: 'Look.', scope: 'send' };
const accepted: Outcome = { state: 'accepted', status: 200 };
function failed(state: 'rejected' | 'unknown', code: string, status?: number): Outcome {
  return { state, failure: { ...REASON, scope: 'recipient', code, ...(status && { status }) } };
}
const refused = (code: string) => failed('rejected', code);
/** The verdict of three canaries, of which these have come back. */
function verdictOf(...outcomes: readonly Outcome[]): string {
  const canary = createCanary(3);
  outcomes.forEach(canary.note);
  return canary.verdict().state;
}
/** A 2xx whose body speaks of a failure that no list has. */
const doubted = (code: string) => failed('unknown', code, 200);

describe('the canary', () => {
  it.each([
    ['nothing has come back', [], 'waiting'],
    ['some failed alike and some are out', [refused('100'), refused('100')], 'waiting'],
    ['one was accepted', [accepted], 'passed'],
    ['one was accepted after failures', [refused('100'), accepted], 'passed'],
    ['two failed for different reasons', [refused('100'), refused('131009')], 'passed'],
    ['all failed alike', [refused('100'), refused('100'), refused('100')], 'failed'],
    ['all were answered with codes that nobody knows', [doubted('1'), doubted('2'), doubted('1')], 'failed'],
    ['some were, and one was accepted', [doubted('1'), accepted], 'passed'],
  ] as const)('when %s', (_, outcomes, state) => {
    expect(verdictOf(...outcomes)).toBe(state);
  });

  it.each([
    ['rejected', 200],
    ['unknown', 300],
    ['unknown', 500],
    ['unknown', undefined],
  ] as const)('goes on after two codes of answers that are %s with the status %s', (state, status) => {
    const of = (code: string) => failed(state, code, status);
    expect(verdictOf(of('1'), of('2'), of('1'))).toBe('passed');
    expect(verdictOf(of('1'), of('1'), of('1'))).toBe('failed');
  });
});

describe('the canaries of a send', () => {
  it('are needed once, and by what is longer than they are', () => {
    const send = (over: object) =>
      ({ audience: { id: 'A', columns: [] }, recipientCount: 6, ...over }) as never;
    expect(canariesOf(send({}))).toBe(5);
    expect(canariesOf(send({ recipientCount: 5 }))).toBe(0);
    expect(canariesOf(send({ canaryJudged: true }))).toBe(0);
    expect(canariesOf(send({ audience: undefined }))).toBe(0);
  });

  it('are five, and are judged by the first five outcomes', () => {
    expect(createCanary(0).toStart).toBe(0);
    const canary = createCanary(5);
    canary.started(3);
    expect(canary.toStart).toBe(2);
    canary.started(9);
    expect(canary.toStart).toBe(0);
    for (let n = 0; n < 5; n += 1) {
      expect(canary.verdict().state).toBe('waiting');
      canary.note(refused('1'));
    }
    canary.note({ state: 'accepted', status: 200 });
    expect(canary.verdict()).toMatchObject({ state: 'failed', failure: { code: '1' } });
  });
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
