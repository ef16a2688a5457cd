import { expect, it } from 'vitest';
import { findNumberColumn, looksLikeNumber } from '../../../src/sends/audiences/number-column.ts';

const NUMBER = '+91 98123 45678';
/** Rows of one column, the first cells of which are numbers. */
const column = (numbers: number, others: number, other = 'x') => [
  ...Array.from({ length: numbers }, () => [NUMBER]),
  ...Array.from({ length: others }, () => [other]),
];

it('the column with the numbers is the one that is called so, whatever is in it and in others', () => {
  expect(findNumberColumn(['id', ' Mobile No. '], [[NUMBER, 'x']])).toBe(1);
  expect(findNumberColumn(['id', 'PHONE_NUMBER:'], [])).toBe(1);
});

it('the column with the numbers is, of several that are called so, the one that holds numbers', () => {
  expect(findNumberColumn(['id', 'phone', 'mobile'], [[NUMBER, 'none', NUMBER]])).toBe(2);
  expect(findNumberColumn(['id', 'phone', 'mobile'], [[NUMBER, NUMBER, NUMBER]])).toBeUndefined();
  expect(findNumberColumn(['id', 'phone', 'mobile'], [[NUMBER, 'none', 'none']])).toBeUndefined();
});

it('the column with the numbers is else the only one that holds numbers in most of its first fifty cells that are filled', () => {
  const found = (rows: readonly (readonly string[])[]) => findNumberColumn(['a'], rows);
  expect([found(column(3, 2)), found(column(5, 4)), found(column(0, 3, ' '))]).toEqual([
    0,
    undefined,
    undefined,
  ]);
  expect(found(column(1, 9, ' '))).toBe(0);
  expect(found([...column(50, 0), ...column(0, 99)])).toBe(0);
  expect(findNumberColumn(['a', 'b'], [['x', NUMBER], ['y']])).toBe(1);
  expect(findNumberColumn(['a', 'b'], [[NUMBER, NUMBER]])).toBeUndefined();
  expect(findNumberColumn([], [])).toBeUndefined();
});

it.each([
  ['+919812345678', true],
  [' (030) 123-45.67 ', true],
  ['९८१२३४५६७८', true],
  ['＋6591234567', true],
  ['12345678', true],
  ['1234567', false],
  ['1 2 3 4 5 6 7 ', false],
  ['-12345678', false],
  ['12345678a', false],
  ['a12345678', false],
  ['', false],
])('%j looks like a number: %s', (cell, isOne) => expect(looksLikeNumber(cell)).toBe(isOne));
