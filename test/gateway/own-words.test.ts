import { expect, it } from 'vitest';
import { ownWords } from '../../src/gateway/find-explanation.ts';

const long = (letter: string, length: number) => `${letter} `.repeat(length).slice(0, length - 1) + letter;

it.each<[readonly string[], string | undefined]>([
  [[], undefined],
  [['Said.'], undefined],
  [['It is SAID!', 'More'], 'More'],
  [['One. Two.'], 'One. Two'],
  [['One', 'Two'], 'One – Two'],
  [['One', 'one!'], 'One'],
  [['One', 'One two'], 'One two'],
  [['One two', 'Two'], 'One two'],
  [['One-two', 'one, two'], 'One-two'],
  [['Onetwo', 'one, two'], 'Onetwo – one, two'],
  [['Call 98123 45678, code 1234567'], 'Call •••, code 1234567'],
  [['Call 7654321 within 1024'], 'Call ••• within 1024'],
  [[long('m', 300)], long('m', 300)],
  [[long('m', 301)], `${long('m', 299)}…`],
  [[long('m', 147), long('d', 150)], `${long('m', 147)} – ${long('d', 150)}`],
  [[long('m', 149), long('d', 150)], `${long('m', 119)}… – ${long('d', 150)}`],
])('of %j it leaves %j', (parts, left) => {
  expect(ownWords(parts, '1234567', 'What is said is: It is said.')).toBe(left);
});

it('does not look at what comes after three thousand characters', () => {
  expect(ownWords([`${' '.repeat(2_999)}ab`], undefined, '')).toBe('a');
});
