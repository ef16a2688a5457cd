import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { emojiProblem, markdownProblem } from '../../../src/messages/interactive/plain-title.ts';
import { KINDS } from '../../../src/messages/kinds.ts';
import { buttonForm, changed } from '../interactive-samples.ts';
import { CONTEXT } from '../samples.ts';

const TITLE = 'interactive.action.buttons.0.reply.title';
const form = KINDS.interactive.form({ ...CONTEXT, entered: buttonForm() });

/** What stands under the title’s input once the form is submitted. */
function saidOf(title: string): string | undefined {
  const parsed = form.safeParse(changed(buttonForm(), TITLE, title));
  return parsed.error?.issues.find(({ path }) => path.join('.') === TITLE)?.message;
}

/** Every sequence of Unicode's emoji-test.txt: fully, minimally and not qualified, and the components. */
const list = createRequire(import.meta.url).resolve('emoji-test-regex-pattern/dist/latest/index-strings.txt');
const EMOJI = readFileSync(list, 'utf8').split('\n').filter(Boolean);

it('refuses every emoji of Unicode’s list on a button, alone and in a text', () => {
  expect(EMOJI.length).toBeGreaterThan(5_000);
  expect(EMOJI.filter((emoji) => emojiProblem(emoji, 'Title') === undefined)).toEqual([]);
  expect(EMOJI.filter((emoji) => emojiProblem(`Yes ${emoji}!`, 'Title') === undefined)).toEqual([]);
  const short = EMOJI.filter((emoji) => emoji.length <= 20);
  expect(short.filter((emoji) => saidOf(emoji)?.includes('has an emoji') !== true)).toEqual([]);
});

const LOCALES = ['en', 'ru', 'el', 'ar', 'he', 'hi', 'ta', 'th', 'zh', 'ko'];
const SCRIPTS = [
  ...['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew'],
  ...['Devanagari', 'Tamil', 'Thai', 'Han', 'Hangul'],
];

/** Names of regions and languages, as people write them in ten scripts. */
function ordinaryTitles(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const titles = LOCALES.flatMap((locale) => {
    const regions = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' });
    const languages = new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' });
    return codes.flatMap((code) => [regions.of(code), languages.of(code.toLowerCase())]);
  });
  const usable = titles.filter((title) => title !== undefined && title.length <= 20);
  return [...new Set(usable)] as string[];
}

it('takes more than two thousand ordinary titles in ten scripts', () => {
  const titles = ordinaryTitles();
  expect(titles.length).toBeGreaterThan(2_000);
  for (const script of SCRIPTS) {
    const letter = new RegExp(`\\p{Script=${script}}`, 'u');
    expect(titles.filter((title) => letter.test(title)).length, script).toBeGreaterThan(100);
  }
  expect(titles.filter((title) => saidOf(title) !== undefined)).toEqual([]);
});

it.each([
  ...['No. 1', '#1', '50 %', '3 * 4 * 5', 'a_b_c', '~ 10 min', '2 > 1', '1. Pizza', '10–12', '__', '5 * *'],
  ...['*Yes**', '****Yes****', '~~~Yes~~~', '*Yes *', 'a * Yes*', '*a\nb*', '*a_', '*a_b*c'],
  ...['x*Yes*', '*Yes*x', '5*Yes*', '*Yes*5', '𝐀*Yes*', '*Yes*𝐀', '`a\nb`'],
  ...['####### Head', 'a # b', 'a# b', '#Head', 'x>y', 'a - b', 'x- y', '-y'],
  ...['[a](b c)', '[a]()', '[a](b', '[a] (b)', '[](b)', '[a](b [c](d e)'],
])('finds no formatting in %s', (title) => expect(markdownProblem(title, 'Title')).toBeUndefined());

it.each([
  ['*Yes*', '*…*'],
  ['**Yes**', '*…*'],
  ['Say *yes* now', '*…*'],
  ['_Yes_', '_…_'],
  ['~No~', '~…~'],
  ['`code`', '`…`'],
  ['```code```', '`…`'],
  ['[here](https://x.y)', '[…](…)'],
  ['# Head', '# at the start'],
  ['> Quote', '> at the start'],
  ['- Point', 'the bullet at the start'],
  ['  + Point', 'the bullet at the start'],
  ['* Point', 'the bullet at the start'],
  ['***Yes***', '*…*'],
  ['😀*Yes*😀', '*…*'],
  ['No *, but *this*', '*…*'],
  ['___Yes___', '_…_'],
  ['~~No~~', '~…~'],
  [' ###### Head', '# at the start'],
  ['  > Quote', '> at the start'],
  ['[a](b c) [d](e)', '[…](…)'],
  ['[a](b [d](e)', '[…](…)'],
])('finds the formatting of %s', (title, what) =>
  expect(markdownProblem(title, 'Title')).toContain(` (${what}), `),
);
