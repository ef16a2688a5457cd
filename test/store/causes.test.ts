import { expect, test } from 'vitest';
import { createCauseOf } from '../../src/store/rows.ts';

const failure = '{"what":"Refused."}';

test('what the service says alike is one cause, and no more than ten of a send', () => {
  const causeOf = createCauseOf();
  const said = (n: number, sendId = 'S-1') => causeOf(sendId, { failure, explanation: `It is ${n}` });
  const ten = Array.from({ length: 10 }, (_none, n) => said(n));
  expect(new Set(ten).size).toBe(10);
  expect(JSON.parse(ten[3] ?? '')).toEqual({ what: 'Refused.', explanation: 'It is 3' });
  expect(said(10)).toBe(failure);
  expect(said(3)).toBe(ten[3]);
  expect(said(10, 'S-2')).toContain('It is 10');
  const shaped = '{"what":"Refused.","shape":"{}"}';
  for (const one of [failure, shaped])
    expect(causeOf('S-1', { failure: one, explanation: null })).toBe(failure);
  expect(causeOf('S-1', { failure: null, explanation: null })).toBeNull();
});
