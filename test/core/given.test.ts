import { expect, it } from 'vitest';
import { given } from '../../src/core/given.ts';

it('leaves out what is undefined, and nothing else', () => {
  const fields = given({ a: undefined, b: null, c: 0, d: '', e: false });
  expect(Object.entries(fields)).toEqual([
    ['b', null],
    ['c', 0],
    ['d', ''],
    ['e', false],
  ]);
});
