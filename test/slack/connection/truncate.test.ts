import { expect, test } from 'vitest';
import { truncate } from '../../../src/slack/connection/limits.ts';

test.each([
  ['at the limit stays', 'abcde', 5, 'abcde'],
  ['one over is cut with an ellipsis', 'abcdef', 5, 'abcd…'],
  ['a surrogate pair is not cut in two', 'abc😀def', 5, 'abc…'],
  ['a family emoji is one character', 'a👨‍👩‍👧b', 8, 'a…'],
  ['an accent stays with its letter', 'ae\u0301x', 3, 'a…'],
  ['no blank before the ellipsis', 'abc defgh', 5, 'abc…'],
  ['no room for an ellipsis', 'abc', 0, ''],
  ['room for the ellipsis alone', 'abc', 1, '…'],
])('truncate: %s', (_name, text, maxLength, expected) => {
  expect(truncate(text, maxLength)).toBe(expected);
});
