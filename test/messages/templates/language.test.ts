import { expect, it } from 'vitest';
import { languageLabel, readLanguage } from '../../../src/messages/templates/template.ts';

it.each([
  ['en', 'en'],
  [' HI ', 'hi'],
  ['pt-br', 'pt-BR'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['es-419', 'es-419'],
  // Canonical would be `he`; the template is registered as `iw`.
  ['iw', 'iw'],
  // As the chat-app platform registers them: sent as they stand, not as BCP 47 would write them.
  ['en_US', 'en_US'],
  [' PT_br ', 'pt_BR'],
  ['zh_hant_tw', 'zh_Hant_TW'],
  ['zh_Hant-TW', undefined],
  ['en_', undefined],
  ['english', undefined],
  ['e', undefined],
  ['', undefined],
  ['en-', undefined],
  ['en US', undefined],
])('reads the language code %j', (typed, code) => {
  const read = readLanguage(typed);
  expect(read.ok ? read.value : undefined).toBe(code);
});

it('labels a language by its English name where it has one', () => {
  expect(['en', 'pt-BR', 'pt_BR', 'qaa'].map(languageLabel)).toEqual([
    'English (en)',
    'Brazilian Portuguese (pt-BR)',
    'Brazilian Portuguese (pt_BR)',
    'qaa',
  ]);
});
