import { expect, test } from 'vitest';
import { emojiOf, unknownEmojiNote, withEmoji } from '../../../../src/slack/kit/message-text/emoji.ts';
import { processorMsSince } from '../../../processor-time.ts';

test.each([
  [':tada:', '🎉'],
  ['Sale:tada:today', 'Sale🎉today'],
  [':+1: :thumbsup: :-1:', '👍 👍 👎'],
  // What a phone needs to draw a heart in colour, and a person at work as one character.
  [':heart: :male-technologist: :flag-in: :keycap_star:', '❤️ 👨‍💻 🇮🇳 *️⃣'],
  [':clap::skin-tone-4:', '👏🏽'],
  [':point_up::skin-tone-2: :woman-running::skin-tone-6:', '☝🏻 🏃🏿‍♀️'],
  [':tada::tada:', '🎉🎉'],
  ['10:30:tada:', '10:30🎉'],
  [':100: percent', '💯 percent'],
  ['your pin code is :1234:', 'your pin code is :1234:'],
  ['from 10:100:30 to aa:ab:ac, and a:b:c', 'from 10:100:30 to aa:ab:ac, and a:b:c'],
  ['https://a.example/:tada: and [2001:db8:a::1]', 'https://a.example/:tada: and [2001:db8:a::1]'],
  [':acme-logo: :tada', ':acme-logo: :tada'],
  ['🎉', '🎉'],
])('%s', (named, text) => {
  expect(withEmoji(named)).toBe(text);
});

test.each([
  [':acme-logo: for you', ':acme-logo:'],
  ['for you :acme-logo::skin-tone-3:', ':acme-logo::skin-tone-3:'],
  ['at 10:30:45 and 10:100:30', undefined],
  ['level:warn:host', undefined],
  ['avg(last_5m):avg:system.disk', undefined],
  ['Pin code:4f7a: keep it', undefined],
  ['🎉', undefined],
  // It was code, which phones show as it is typed.
  ['write :tada:', undefined],
])('what no phone knows in %s: %s', (text, name) => {
  const note = name && `${name} is no emoji that phones know: they show these letters.`;
  expect(unknownEmojiNote(text)).toBe(note);
});

test.each([
  ['tada', '1f389', '🎉'],
  ['clap', '1f44f-1f3fd', '👏🏽'],
  // Newer than the names that are known here.
  ['distorted_face', '1faea', '\u{1faea}'],
  ['wave::skin-tone-2', '', '👋🏻'],
  ['acme-logo', '', ':acme-logo:'],
  ['tada', 'no code point', '🎉'],
  ['tada', '110000', '🎉'],
])('an emoji of rich text: %s %s', (name, unicode, text) => {
  expect(emojiOf(name, unicode)).toBe(text);
});

test('a text that is full of colons is read in no time', () => {
  const begun = process.threadCpuUsage();
  for (const part of [':', ':a', ':a:', '::skin-tone-2:', ':clap::skin-tone-9', 'https://'])
    withEmoji(part.repeat(20_000));
  expect(processorMsSince(begun)).toBeLessThan(5_000);
});
