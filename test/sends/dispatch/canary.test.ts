import { describe, expect, it } from 'vitest';
import { judgeCanary } from '../../../src/sends/dispatch/canary.ts';
import type { Outcome } from '../../../src/sends/outcome.ts';

const accepted: Outcome = { state: 'accepted', status: 200 };
function refused(code: string): Outcome {
  return { state: 'rejected', failure: { code, what: 'No.', next: 'Look.', scope: 'recipient' } };
}

function failed(state: 'rejected' | 'unknown', status: number | undefined, code: string): Outcome {
  const failure = { code, what: 'No.', next: 'Look.', scope: 'recipient' } as const;
  return { state, failure: { ...failure, ...(status !== undefined && { status }) } };
}

/** A 2xx whose body speaks of a failure that no list has. */
function doubted(code: string): Outcome {
  return { state: 'unknown', failure: { code, status: 200, what: 'No.', next: 'Look.', scope: 'recipient' } };
}

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
    expect(judgeCanary(outcomes, 3).state).toBe(state);
  });

  it.each([
    ['rejected', 200],
    ['unknown', 300],
    ['unknown', 500],
    ['unknown', undefined],
  ] as const)('goes on after two codes of answers that are %s with the status %s', (state, status) => {
    const of = (code: string) => failed(state, status, code);
    expect(judgeCanary([of('1'), of('2'), of('1')], 3).state).toBe('passed');
    expect(judgeCanary([of('1'), of('1'), of('1')], 3).state).toBe('failed');
  });

  it('says why it failed', () => {
    expect(judgeCanary([refused('132001')], 1)).toEqual({
      state: 'failed',
      failure: { code: '132001', what: 'No.', next: 'Look.', scope: 'recipient' },
    });
  });
});
