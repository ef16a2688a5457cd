import { expect, test } from 'vitest';
import { escapeMrkdwn, literalMrkdwn, showInvisible } from '../../../src/slack/connection/escape.ts';
import { truncate } from '../../../src/slack/connection/limits.ts';

test.each([
  ['plain words stay', 'Hello Asha', 'Hello Asha'],
  ['a channel mention is letters', 'hi <!channel>', 'hi &lt;!channel&gt;'],
  ['a person mention is letters', '<@U0RAVI> now', '&lt;@U0RAVI&gt; now'],
  ['an ampersand is escaped once', 'Tom & Jerry &amp; co', 'Tom &amp; Jerry &amp;amp; co'],
  ['a right-to-left override is written out', 'abc\u202egpj.exe', 'abc⟨U+202E⟩gpj.exe'],
  ['isolates are written out', '\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
  ['a zero-width space is written out', 'pay\u200bpal', 'pay⟨U+200B⟩pal'],
  ['tag characters are written out', 'a\u{e0041}b', 'a⟨U+E0041⟩b'],
  ['joiners of scripts and emoji stay', 'क्‍ष 👨‍👩‍👧', 'क्‍ष 👨‍👩‍👧'],
  ['Arabic marks stay', 'سعر\u200f 5', 'سعر\u200f 5'],
  ['a lone high surrogate becomes a replacement character', 'a\ud83db', 'a\ufffdb'],
  ['a lone low surrogate becomes a replacement character', '\udc00', '\ufffd'],
  ['line ends become line feeds', 'a\r\nb\rc\nd', 'a\nb\nc\nd'],
  ['control characters become replacement characters', 'a\u0000b\u001bc\u0085', 'a\ufffdb\ufffdc\ufffd'],
  ['tabs stay', 'a\tb', 'a\tb'],
  ['nothing stays nothing', '', ''],
])('escapeMrkdwn: %s', (_name, text, expected) => {
  expect(escapeMrkdwn(text)).toBe(expected);
});

test.each([
  ['words alone', 'Spring sale, a snake_case_name', 'Spring sale, a snake_case_name'],
  ['a word that would be bold', 'a *b* c', '`a *b* c`'],
  ['a mark of code, and a struck word', '~x~ `y`', '`~x~ ’y’`'],
  ['a line that would be a quote', 'one\n> two', 'one\n`&gt; two`'],
  ['lines, each by itself', 'one\n_two_\nthree', 'one\n`_two_`\nthree'],
])('literalMrkdwn: %s', (_name, text, expected) => {
  expect(literalMrkdwn(text, 100)).toBe(expected);
});

test('showInvisible leaves & < > for plain text', () => {
  expect(showInvisible('a < b & c\u202e')).toBe('a < b & c⟨U+202E⟩');
});

test('the escaped text fits the limit and no entity is cut', () => {
  expect(escapeMrkdwn('&&&&', 20)).toBe('&amp;&amp;&amp;&amp;');
  expect(escapeMrkdwn('&&&&', 19)).toBe('&amp;&amp;&amp;…');
  expect(escapeMrkdwn('x'.repeat(3001), 3000)).toBe(`${'x'.repeat(2999)}…`);
  expect(escapeMrkdwn('<'.repeat(3000), 3000).length).toBeLessThanOrEqual(3000);
});

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
