import { expect, it } from 'vitest';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { createNumberSet } from '../../../src/sends/audiences/number-set.ts';

it('takes each number once, as a Set of texts would, while it grows', () => {
  const numbers = createNumberSet();
  const texts = new Set<string>();
  for (let n = 0; n < 60_000; n += 1) {
    // Near one another, far apart, and each third one again.
    const number = `+${n % 3 === 0 ? 10_000_000 + ((n * 7_919) % 20_000) : 999_999_900_000_000 + n}`;
    expect(numbers.add(number as Msisdn)).toBe(!texts.has(number));
    texts.add(number);
  }
});

it('tells the longest numbers apart by their last digit', () => {
  const numbers = createNumberSet();
  expect(numbers.add('+999999999999998' as Msisdn)).toBe(true);
  expect(numbers.add('+999999999999999' as Msisdn)).toBe(true);
  expect(numbers.add('+999999999999998' as Msisdn)).toBe(false);
});

it('tells numbers apart that differ in their upper digits only, and at the edge of a table', () => {
  const numbers = createNumberSet();
  for (let high = 1; high < 400; high += 1) {
    for (const digits of [high * 2 ** 31 - 1, high * 2 ** 31, high * 2 ** 31 + 1])
      expect([numbers.add(`+${digits}` as Msisdn), numbers.add(`+${digits}` as Msisdn)]).toEqual([
        true,
        false,
      ]);
  }
});
