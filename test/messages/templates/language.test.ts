import { expect, it } from 'vitest';
import { languageCode, languageLabel } from '../../../src/messages/templates/language.ts';

it.each([
  ['en', 'en'],
  [' HI ', 'hi'],
  ['pt-br', 'pt-BR'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['es-419', 'es-419'],
  // Canonical would be `he`; the template is registered as `iw`.
  ['iw', 'iw'],
  ['en_US', undefined],
  ['english', undefined],
  ['e', undefined],
  ['', undefined],
  ['en-', undefined],
  ['en US', undefined],
])('reads the language code %j', (typed, code) => {
  expect(languageCode(typed)).toBe(code);
});

it('labels a language by its English name where it has one', () => {
  expect(['en', 'pt-BR', 'qaa'].map(languageLabel)).toEqual([
    'English (en)',
    'Brazilian Portuguese (pt-BR)',
    'qaa',
  ]);
});
