import { expect, it } from 'vitest';
import type { Message } from '../../../src/messages/kinds.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import type { Failure } from '../../../src/sends/outcome.ts';
import { createQuietHoursGate } from '../../../src/sends/quiet-hours.ts';

const MESSAGE: Message = { kind: 'sms', sender: 'ACME', text: 'Hello', type: 'PROMO', unicode: false };
const REASON: Failure = { what: 'It is night.', next: 'It goes on by itself.', scope: 'send' };
const INDIA = { number: '+919812345001' as Msisdn };
const SINGAPORE = { number: '+6591234001' as Msisdn };
const NOWHERE = { number: '+4915112345001' as Msisdn };
const ALL = [INDIA, NOWHERE, SINGAPORE];

/** From 10 on it is night in India, until 30, and in Singapore, until 20. */
function gateAt(now: number) {
  const clock = { now: () => now };
  const ends = new Map([
    [INDIA.number, 30],
    [SINGAPORE.number, 20],
  ]);
  return createQuietHoursGate(
    MESSAGE,
    (message, at) => {
      expect(message).toBe(MESSAGE);
      if (at < 10) return undefined;
      return (number) => {
        const until = ends.get(number) ?? 0;
        return at < until ? { until, reason: REASON } : undefined;
      };
    },
    clock,
  );
}

it('names those who must wait, and remembers whose wait ends first', () => {
  const gate = gateAt(10);
  expect(gate.firstEnd()).toBeUndefined();
  expect(gate.waiting([INDIA, NOWHERE])).toEqual([INDIA]);
  expect(gate.firstEnd()).toEqual({ until: 30, reason: REASON });
  expect(gate.waiting(ALL)).toEqual([INDIA, SINGAPORE]);
  expect(gate.firstEnd()).toEqual({ until: 20, reason: REASON });
  expect(gate.waiting([INDIA])).toEqual([INDIA]);
  expect(gate.firstEnd()).toEqual({ until: 20, reason: REASON });
});

it('lets a request start only if nobody in it must wait', () => {
  const gate = gateAt(25);
  expect(ALL.map((one) => gate.mayStart([one]))).toEqual([false, true, true]);
  expect(gate.mayStart(ALL)).toBe(false);
  // Whoever has only asked has made nobody wait.
  expect(gate.firstEnd()).toBeUndefined();
});

it('holds nobody outside of quiet hours, or where there are none', () => {
  for (const gate of [gateAt(9), createQuietHoursGate(MESSAGE, undefined, { now: () => 10 })]) {
    expect(gate.waiting(ALL)).toEqual([]);
    expect(gate.mayStart(ALL)).toBe(true);
    expect(gate.firstEnd()).toBeUndefined();
  }
});
