import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/messages/kinds.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { QuietHours } from '../../src/messages/sms/quiet-hours.ts';
import type { Failure } from '../../src/sends/outcome.ts';
import { createQuietHours, createQuietHoursGate } from '../../src/sends/quiet-hours.ts';

const PROMO: Message = { kind: 'sms', sender: 'ACME', text: 'Hello', type: 'PROMO', unicode: false };
const INDIA = { country: 'IN', types: ['PROMO'], from: '21:00', to: '10:00', timezone: 'Asia/Kolkata' };
const AT_NOON = { from: '12:00', to: '13:30', timezone: 'Asia/Singapore' };
const NOON = { country: 'SG', types: ['PROMO', 'TRANS'], ...AT_NOON };
const INDIAN = '+919812345678' as Msisdn;
const SINGAPOREAN = '+6591234567' as Msisdn;

const holdsAt = (hours: readonly QuietHours[], message: Message, at: number) =>
  createQuietHours(hours)(message, at);

/** 5 January 2026, a time of day in Kolkata (UTC+5:30). */
const inKolkata = (hour: number, minute: number) => Date.UTC(2026, 0, 5, hour, minute) - 5.5 * 3_600_000;

describe('quiet hours over midnight', () => {
  it.each([
    [20, 59, false],
    [21, 0, true],
    [23, 59, true],
    [0, 0, true],
    [9, 59, true],
    [10, 0, false],
  ])('at %i:%i hold: %s', (hour, minute, held) => {
    expect(holdsAt([INDIA], PROMO, inKolkata(hour, minute)) !== undefined).toBe(held);
  });

  it('end in the morning that follows, to the minute', () => {
    expect(holdsAt([INDIA], PROMO, inKolkata(21, 0))?.(INDIAN)?.until).toBe(inKolkata(34, 0));
    expect(holdsAt([INDIA], PROMO, inKolkata(3, 17) + 42_000)?.(INDIAN)?.until).toBe(inKolkata(10, 0));
  });
});

describe('quiet hours within a day', () => {
  /** Singapore is eight hours ahead. */
  const inSingapore = (hour: number, minute: number) => Date.UTC(2026, 0, 5, hour - 8, minute);

  it.each([
    [11, 59, undefined],
    [12, 0, inSingapore(13, 30)],
    [13, 29, inSingapore(13, 30)],
    [13, 30, undefined],
    [23, 0, undefined],
  ])('at %i:%i hold until %s', (hour, minute, until) => {
    expect(holdsAt([NOON], PROMO, inSingapore(hour, minute))?.(SINGAPOREAN)?.until).toBe(until);
  });

  it('hold at no time where they end as they begin', () => {
    const never = { ...NOON, from: '00:00', to: '00:00' };
    for (const hour of [8, 12, 23]) expect(holdsAt([never], PROMO, inSingapore(hour, 0))).toBeUndefined();
  });
});

describe('who is held', () => {
  const at = inKolkata(22, 0);

  it('is who has a number of the country', () => {
    const hold = holdsAt([INDIA], PROMO, at);
    expect(hold?.(INDIAN)?.reason).toEqual({
      what: 'Messages of this type to India are held back from 21:00 to 10:00 (Asia/Kolkata).',
      next: 'What is left goes on by itself at 10:00.',
      scope: 'send',
    });
    expect(hold?.(SINGAPOREAN)).toBeUndefined();
  });

  it('is nobody for another type, or for a message without one', () => {
    expect(holdsAt([INDIA], { ...PROMO, type: 'TRANS' }, at)).toBeUndefined();
    const named = { templateName: 'store_open', botId: 'acme', type: 'PRETRANS' } as const;
    expect(holdsAt([INDIA], { kind: 'rcs', variant: 'plain', ...named }, at)).toBeUndefined();
  });

  it('waits for the entry that ends last where several hold', () => {
    const longer = { ...INDIA, from: '20:00', to: '11:00' };
    for (const hours of [
      [INDIA, longer],
      [longer, INDIA],
    ])
      expect(holdsAt(hours, PROMO, at)?.(INDIAN)).toMatchObject({
        until: inKolkata(35, 0),
        ends: '11:00 (Asia/Kolkata)',
      });
  });

  it('is asked by each entry in its own time zone', () => {
    const noon = Date.UTC(2026, 0, 5, 4, 30);
    const hold = holdsAt([INDIA, NOON], PROMO, noon);
    expect(hold?.(SINGAPOREAN)?.until).toBe(Date.UTC(2026, 0, 5, 5, 30));
    expect(hold?.(INDIAN)).toBeUndefined();
  });
});

describe('a number of no country', () => {
  const SATELLITE = '+870773123456' as Msisdn;
  const FREEPHONE = '+80012345678' as Msisdn;

  it('waits while any country does, for the one that waits longest', () => {
    const tokyo = { country: 'JP', types: ['PROMO'], from: '20:00', to: '08:00', timezone: 'Asia/Tokyo' };
    const at = inKolkata(22, 0);
    const hold = holdsAt([INDIA, tokyo], PROMO, at);
    for (const number of [SATELLITE, FREEPHONE]) {
      expect(hold?.(number)).toEqual({
        until: inKolkata(34, 0),
        ends: '10:00 (Asia/Kolkata)',
        reason: {
          what: 'Messages of this type to numbers of no country are held back from 21:00 to 10:00 (Asia/Kolkata).',
          next: 'What is left goes on by itself at 10:00.',
          scope: 'send',
        },
      });
    }
    expect(holdsAt([INDIA], PROMO, inKolkata(12, 0))).toBeUndefined();
  });
});

const GERMAN = '+4915112345678' as Msisdn;
const GERMANY = { country: 'DE', types: ['PROMO'], timezone: 'Europe/Berlin' };
const berlin = (from: string, to: string) => ({ ...GERMANY, from, to });

describe('where clocks change', () => {
  const until = (from: string, to: string, at: string) =>
    new Date(holdsAt([berlin(from, to)], PROMO, Date.parse(at))?.(GERMAN)?.until ?? 0).toISOString();

  it.each([
    ['put forward in the night', '21:00', '08:00', '2026-03-28T22:00Z', '2026-03-29T06:00:00.000Z'],
    ['put back in the night', '21:00', '08:00', '2026-10-24T21:00Z', '2026-10-25T07:00:00.000Z'],
    ['an end that is skipped', '21:00', '02:30', '2026-03-28T22:00Z', '2026-03-29T01:30:00.000Z'],
    ['an end that comes twice', '21:00', '02:30', '2026-10-24T21:00Z', '2026-10-25T00:30:00.000Z'],
    ['an end that comes twice, between', '21:00', '02:30', '2026-10-25T01:10Z', '2026-10-25T01:30:00.000Z'],
    ['an ordinary night', '21:00', '08:00', '2026-06-01T20:00Z', '2026-06-02T06:00:00.000Z'],
  ])('%s, they end when the clock says so', (_, from, to, at, expected) => {
    expect(until(from, to, at)).toBe(expected);
  });

  it('never ends at a moment at which it still holds', () => {
    const hours = berlin('21:00', '02:30');
    for (let at = Date.parse('2026-03-28T12:00Z'); at < Date.parse('2026-03-30T12:00Z'); at += 600_000) {
      const hold = holdsAt([hours], PROMO, at)?.(GERMAN);
      if (hold === undefined) continue;
      expect(hold.until).toBeGreaterThan(at);
      expect(holdsAt([hours], PROMO, hold.until)?.(GERMAN)).toBeUndefined();
    }
  });
});

it.each([
  ['21:00', '02:30'],
  ['02:30', '08:00'],
] as const)(
  'says from %s to %s what the clocks say, however long it has been asked, where they change',
  (from, to) => {
    const hours = [berlin(from, to)];
    const asked = createQuietHours(hours);
    // Backwards, too: what is known of one day does not hold for a day before.
    for (const day of ['2026-10-24', '2026-03-28'])
      for (let at = Date.parse(`${day}T12:00Z`), end = at + 86_400_000; at < end; at += 300_000)
        expect([new Date(at), asked(PROMO, at)?.(GERMAN)?.until]).toEqual([
          new Date(at),
          holdsAt(hours, PROMO, at)?.(GERMAN)?.until,
        ]);
  },
);

describe('the gate of a run', () => {
  const REASON: Failure = { what: 'It is night.', next: 'It goes on by itself.', scope: 'send' };
  const IN_INDIA = { number: INDIAN };
  const IN_SINGAPORE = { number: SINGAPOREAN };
  const NOWHERE = { number: '+4915112345001' as Msisdn };
  const ALL = [IN_INDIA, NOWHERE, IN_SINGAPORE];

  /** From 10 on it is night in India, until 30, and in Singapore, until 20. */
  function gateAt(now: number) {
    const clock = { now: () => now };
    const ends = new Map([
      [IN_INDIA.number, 30],
      [IN_SINGAPORE.number, 20],
    ]);
    return createQuietHoursGate(
      PROMO,
      (message, at) => {
        expect(message).toBe(PROMO);
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
    expect(gate.waiting([IN_INDIA, NOWHERE])).toEqual([IN_INDIA]);
    expect(gate.firstEnd()).toEqual({ until: 30, reason: REASON });
    expect(gate.waiting(ALL)).toEqual([IN_INDIA, IN_SINGAPORE]);
    expect(gate.firstEnd()).toEqual({ until: 20, reason: REASON });
    expect(gate.waiting([IN_INDIA])).toEqual([IN_INDIA]);
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
    for (const gate of [gateAt(9), createQuietHoursGate(PROMO, undefined, { now: () => 10 })]) {
      expect(gate.waiting(ALL)).toEqual([]);
      expect(gate.mayStart(ALL)).toBe(true);
      expect(gate.firstEnd()).toBeUndefined();
    }
  });
});
