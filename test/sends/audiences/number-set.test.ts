import { expect, it } from 'vitest';
import { createNumberSet } from '../../../src/sends/audiences/ingest.ts';

it('says under which row each number was taken first, as a Map of texts would, while it grows', () => {
  const numbers = createNumberSet();
  const texts = new Map<string, number>();
  for (let n = 0; n < 60_000; n += 1) {
    // Near one another, far apart, and each third one again.
    const number = `+${n % 3 === 0 ? 10_000_000 + ((n * 7_919) % 20_000) : 999_999_900_000_000 + n}`;
    expect(numbers.add(number, n + 1)).toBe(texts.get(number));
    texts.getOrInsert(number, n + 1);
  }
});

it('tells the longest numbers apart by their last digit', () => {
  const numbers = createNumberSet();
  expect(numbers.add('+999999999999998', 2)).toBeUndefined();
  expect(numbers.add('+999999999999999', 3)).toBeUndefined();
  expect(numbers.add('+999999999999998', 4)).toBe(2);
});

it('tells numbers apart that differ in their upper digits only, and at the edge of a table', () => {
  const numbers = createNumberSet();
  for (let high = 1; high < 400; high += 1) {
    for (const digits of [high * 2 ** 31 - 1, high * 2 ** 31, high * 2 ** 31 + 1])
      expect([numbers.add(`+${digits}`, high), numbers.add(`+${digits}`, 1)]).toEqual([undefined, high]);
  }
});
