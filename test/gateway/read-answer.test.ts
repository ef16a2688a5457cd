import { expect, it } from 'vitest';
import { readAnswer } from '../../src/gateway/read-answer.ts';
import { answerSecrets } from '../../src/gateway/secrets.ts';

const KEY = 'key-of-the-team-77';

function valuesIn(body: object, passwords: readonly string[]): readonly unknown[] {
  const answer = readAnswer(Buffer.from(JSON.stringify(body)), answerSecrets(KEY, passwords));
  return answer.members.map(({ value }) => value);
}

it('takes the echo of a password for nothing, so that it is no code and no id either', () => {
  const body = { code: 481516, id: ' 481516 ', error: '132000', valid: false };
  expect(valuesIn(body, ['481516'])).toEqual(['132000', false]);
  expect(valuesIn(body, [])).toEqual([481516, ' 481516 ', '132000', false]);
});

it('covers what is secret within a value, and leaves what is neither text nor number', () => {
  const body = { message: `The key ${KEY} or 481516 is wrong.`, code: 132000, valid: true, note: null };
  expect(valuesIn(body, ['481516'])).toEqual(['The key ••• or ••• is wrong.', 132000, true, null]);
});

/** What is read of a body, as `parents.key: value`; a text stays one. */
function readOf(body: string): unknown {
  const answer = readAnswer(Buffer.from(body));
  if (answer.value === undefined) return answer.text;
  return answer.members.map(({ parents, key, value }) => `${[...parents, key].join('.')}: ${value}`);
}

it.each([
  [' \n', undefined],
  ['{"a":1,"b":"x', ['a: 1']],
  ['{"a":{"b":[1,2],"c":3', ['a.b: 1', 'a.b: 2']],
  ['{"a":"x,\\"}","b":2,"c', ['a: x,"}', 'b: 2']],
  ['{"a":["]","\\\\"],"b', ['a: ]', 'a: \\']],
  ['{"a":[{"b":1},', ['a.b: 1']],
  ['[1,2,3', [': 1', ': 2']],
  ['{"a":"x', []],
  ['{"a":[1]],"b":2', '{"a":[1]],"b":2'],
  ['[{"a":1]', '[{"a":1]'],
  ['12,34', '12,34'],
  ['"a","b', '"a","b'],
  ['abc[', 'abc['],
  ['{nothing', []],
])('reads %j as far as it is whole', (body, expected) => {
  expect(readOf(body)).toEqual(expected);
});

it('gives up what is nested too deeply', () => {
  const lists = (count: number) => `${'['.repeat(count)}1,2`;
  expect(readAnswer(Buffer.from(lists(64))).text).toBeUndefined();
  expect(readAnswer(Buffer.from(lists(65))).text).toBe(lists(65));
});

it('reads ten thousand members, eight levels deep', () => {
  const many = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_none, n) => [`k${n}`, n])));
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const count = (body: string) => (readOf(body) as unknown[]).length;
  expect([count(many(9_999)), count(many(10_001))]).toEqual([9_999, 10_000]);
  expect(count(`[${many(7_500)},${many(7_500)}]`)).toBe(10_000);
  expect(count(JSON.stringify(Array(10_001).fill(1)))).toBe(10_000);
  expect([readOf(nested(9)), readOf(nested(10)), readOf('[[[[[[[[1]]]]]]]]')]).toEqual([
    [`${'a.'.repeat(8)}a: 1`],
    [],
    [`${'.'.repeat(7)}: 1`],
  ]);
});

it('keeps the digits of long whole numbers, and nothing else as it was written', () => {
  const body =
    '{"id":12345678901234567890,"rate":1.00000000000000000001,"n":-12345678901234567890,"big":1e400,"x":"1234567890123456"}';
  expect(readOf(body)).toEqual([
    'id: 12345678901234567890',
    'rate: 1',
    'n: -12345678901234567000',
    'big: Infinity',
    'x: 1234567890123456',
  ]);
});
