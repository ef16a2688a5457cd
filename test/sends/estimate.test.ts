import { expect, test } from 'vitest';
import { countriesOf, durationOf, estimate } from '../../src/sends/estimate.ts';
import type { Prices } from '../../src/sends/settings.ts';
import { numberOf } from '../slack/bulk-sends.ts';
import { ORDER, SMS } from '../slack/kit/cards/reports.ts';

const INDIA = numberOf('+919812345678');
const SINGAPORE = numberOf('+6591234567');
const PRICES: Prices = { currency: 'INR', sms: { IN: 0.12, SG: 2 }, chatapp: { IN: 0.35 } };

const rows = (...numbers: (typeof INDIA)[]) => numbers.map((number) => ({ number, values: ['Asha'] }));

test('SMS are counted and paid by the part, as each recipient’s text comes out', () => {
  const message = { ...SMS, text: '{{text}}' };
  const long = { number: SINGAPORE, values: ['x'.repeat(161)] };
  const short = { number: INDIA, values: ['x'] };
  expect(estimate(message, ['text'], [long, short], 2, PRICES)).toEqual({
    exact: true,
    segments: { fewest: 1, most: 2, total: 3 },
    cost: { currency: 'INR', amount: 4.12, unpriced: [] },
  });
});

test('a flash SMS costs what an SMS costs', () => {
  expect(estimate({ ...SMS, kind: 'flash' }, [], rows(INDIA), 1, PRICES).cost?.amount).toBe(0.12);
});

test('a sample is scaled up, and said to be one', () => {
  expect(estimate(ORDER, [], rows(INDIA, INDIA, SINGAPORE, INDIA), 4_000, PRICES)).toEqual({
    exact: false,
    cost: { currency: 'INR', amount: expect.closeTo(1050, 6), unpriced: ['SG'] },
  });
});

test('without prices, without one that fits, or without recipients, nothing is made up', () => {
  expect(estimate(SMS, [], rows(INDIA), 1, undefined)).toEqual({
    exact: true,
    segments: { fewest: 1, most: 1, total: 1 },
  });
  expect(estimate(ORDER, [], rows(SINGAPORE), 1, PRICES)).toEqual({ exact: true });
  expect(estimate(ORDER, [], rows(INDIA), 1, { currency: 'INR' })).toEqual({ exact: true });
  expect(estimate(SMS, [], [], 0, PRICES)).toEqual({ exact: true });
});

test('at full pace a message takes as long as its requests do, and only one text goes to several at once', () => {
  const lane = { perSecond: 10 };
  const pacing = { chatapp: lane, rcs: lane, flash: lane, sms: { perSecond: 20, recipientsPerRequest: 100 } };
  expect(durationOf(ORDER, 1_001, pacing)).toBe(100_100);
  expect(durationOf(SMS, 1_001, pacing)).toBe(550);
  expect(durationOf({ ...SMS, text: '{{text}}' }, 1_001, pacing)).toBe(50_050);
});

test('the countries of a sample are those of all, in proportion', () => {
  const satellite = numberOf('+870773123456');
  expect(countriesOf(rows(INDIA, SINGAPORE, INDIA, satellite), 4)).toEqual({ IN: 2, SG: 1, '?': 1 });
  expect(countriesOf(rows(INDIA, SINGAPORE, INDIA), 1_000)).toEqual({ IN: 667, SG: 333 });
});

test('a number of no country has no price, and what has none is named once, in order', () => {
  const satellite = numberOf('+870773123456');
  const all = rows(satellite, SINGAPORE, INDIA, SINGAPORE);
  const prices = { currency: 'INR', sms: { IN: 0.5 } };
  expect(estimate(SMS, [], all, 4, prices).cost).toEqual({
    currency: 'INR',
    amount: 0.5,
    unpriced: ['?', 'SG'],
  });
});
