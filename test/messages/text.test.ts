import { describe, expect, it } from 'vitest';
import {
  insecureLink,
  isBlank,
  readsOddly,
  textProblem,
  unfilled,
  withLineFeeds,
} from '../../src/messages/text.ts';
import { processorMsSince } from '../processor-time.ts';

const FREE = { label: 'Text', lineBreaks: true };
const LINE = { label: 'Campaign name', lineBreaks: false };

describe('textProblem', () => {
  it.each([
    'Hello',
    'line one\nline two\tindented',
    'a < b & <!channel> <@U0ASHA>',
    'नमस्ते 漢字 😀 👨‍👩‍👧',
    'a'.repeat(3000),
    '😀'.repeat(3000),
    'שלום \u200F(דוגמה)\u200E',
    '\u2067שלום\u2069 and \u202Bשלום\u202C',
    '\u2067a \u202Ab\u202C c\u2069\nnext',
  ])('lets %j through', (text) => {
    expect(textProblem(text, FREE)).toBeUndefined();
  });

  const MARKS =
    'Text contains invisible direction marks that do not match. Type the text again without them.';
  const LONG = 'Text has 3001 characters; at most 3000 are possible. Shorten it.';
  const HALF = 'Text contains half of a character, often a cut emoji. Delete it and type it again.';
  const control = (name: string) =>
    `Text contains a control character (${name}) that cannot be sent. Delete it or type the text again.`;
  const override = (name: string) =>
    `Text contains a direction override (${name}), which makes it read differently from what is sent. Type the text again without it.`;

  it.each([
    ['a'.repeat(3001), LONG],
    ['😀'.repeat(3001), LONG],
    ['cut \uD83D', HALF],
    ['\uDE00 cut', HALF],
    ['a\u0000b', control('U+0000')],
    ['a\u001B[1m', control('U+001B')],
    ['a\u007F', control('U+007F')],
    ['a\u0085b', control('U+0085')],
    ['a\rb', control('U+000D')],
    ['pay \u202E001\u202C now', override('U+202E')],
    ['\u202Dabc\u202C', override('U+202D')],
    ['\u2066open', MARKS],
    ['\u202Aopen', MARKS],
    ['closed\u2069', MARKS],
    ['closed\u202C', MARKS],
    ['\u2067crossed \u202Ba\u2069 b\u202C', MARKS],
    ['\u2067open at the line’s end\nclosed later\u2069', MARKS],
  ])('refuses %j', (text, sentence) => {
    expect(textProblem(text, FREE)).toBe(sentence);
  });

  it.each(['a\nb', 'a\u2028b', 'a\u2029b'])('refuses %j where one line is asked for', (text) => {
    expect(textProblem(text, LINE)).toBe('Campaign name must be one line, without line breaks.');
    expect(textProblem(text, FREE)).toBeUndefined();
  });
});

describe('isBlank', () => {
  it.each([
    ...['', ' ', '\n\t ', '\u00A0', '\u200B', '\u2060\uFEFF', '\u3000', '\u3164', '\u2800'],
    ...['\u00AD', '\u202E', '\u0000'],
  ])('sees nothing in %j', (text) => expect(isBlank(text)).toBe(true));

  it.each(['a', ' a ', '0', '.', '😀', 'न', '\u200Ba'])('sees something in %j', (text) =>
    expect(isBlank(text)).toBe(false),
  );
});

it('withLineFeeds knows every kind of line break', () => {
  expect(withLineFeeds('a\r\nb\rc\nd\n\re')).toBe('a\nb\nc\nd\n\ne');
});

it.each([
  ...['', '  ', 'null', 'NULL ', 'undefined', 'NaN', '#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!'],
  ...['Dear {{name}}', 'Dear {{name', 'Dear {name}', 'Dear {first name}'],
])('“%s” reads oddly', (value) => {
  expect(readsOddly(value)).toBe(true);
});

it.each(['Asha', 'Nullarbor', 'N/A-1', '#1', '{}', '{ 1, 2 }', ':-{', 'undefined behaviour', '0'])(
  '“%s” does not',
  (value) => {
    expect(readsOddly(value)).toBe(false);
  },
);

it('what is left as typed, and links that are not https, are found', () => {
  expect(unfilled('Hello {name}!')).toBe('{name}');
  expect(insecureLink('at HTTP://a.test/b?c=1, now')).toBe('HTTP://a.test/b?c=1,');
  expect(insecureLink('at https://a.test')).toBeUndefined();
});

it('a long value is read in a moment', () => {
  const begun = process.threadCpuUsage();
  for (const value of ['{'.repeat(100_000), `{a${' a'.repeat(100_000)}`, 'http://'.repeat(20_000)]) {
    readsOddly(value.replaceAll('{{', '{ '));
    insecureLink(value);
  }
  expect(processorMsSince(begun)).toBeLessThan(1_000);
});
