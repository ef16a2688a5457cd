import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/messages/message.ts';
import type { Msisdn } from '../../src/messages/phone-number.ts';
import { holdsAt } from '../../src/sends/quiet-hours.ts';

const PROMO: Message = { kind: 'sms', sender: 'ACME', text: 'Hello', type: 'PROMO', unicode: false };
const INDIA = { country: 'IN', types: ['PROMO'], from: '21:00', to: '10:00', timezone: 'Asia/Kolkata' };
const NOON = {
  country: 'SG',
  types: ['PROMO', 'TRANS'],
  from: '12:00',
  to: '13:30',
  timezone: 'Asia/Singapore',
};
const INDIAN = '+919812345678' as Msisdn;
const SINGAPOREAN = '+6591234567' as Msisdn;

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
    const template: Message = {
      kind: 'rcs',
      variant: 'plain',
      templateName: 'store_open',
      botId: 'acme',
      type: 'PRETRANS',
    };
    expect(holdsAt([INDIA], template, at)).toBeUndefined();
  });

  it('waits for the entry that ends last where several hold', () => {
    const longer = { ...INDIA, from: '20:00', to: '11:00' };
    expect(holdsAt([INDIA, longer], PROMO, at)?.(INDIAN)?.until).toBe(inKolkata(35, 0));
  });

  it('is asked by each entry in its own time zone', () => {
    const noon = Date.UTC(2026, 0, 5, 4, 30);
    const hold = holdsAt([INDIA, NOON], PROMO, noon);
    expect(hold?.(SINGAPOREAN)?.until).toBe(Date.UTC(2026, 0, 5, 5, 30));
    expect(hold?.(INDIAN)).toBeUndefined();
  });
});
