import { expect, test } from 'vitest';
import { estimate, type Prices } from '../../src/sends/estimate.ts';
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
