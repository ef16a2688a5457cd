import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { z } from 'zod';
import {
  languageLabel,
  readLanguage,
  type Template,
  templateListSchema,
  templateSchema,
} from '../../../src/messages/templates/template.ts';
import { table } from '../../table.ts';

/** The templates of the configuration that the documents show. */
const EXAMPLE = `
  - { name: login_code, channel: chatapp, variant: otp, label: Login code, languages: [en, hi], text: "{{1}} is your code." }
  - { name: order_update, channel: chatapp, variant: text, label: Order update, languages: [en],
      placeholders: [{ name: customer, example: Asha }, { name: order, example: A-1001 }], text: "Hello {{1}}, your order {{2}} is on its way." }
  - { name: invoice, channel: chatapp, variant: document, label: Invoice, placeholders: [{ name: month, example: May }], text: "Your invoice for {{1}} is attached." }
  - { name: festive_photo, channel: chatapp, variant: image, label: Festive greeting, text: "Happy Diwali!" }
  - { name: store_open, channel: rcs, variant: plain, label: Store opening, text: "We are open." }
  - { name: rate_us, channel: rcs, variant: rich, label: Rate us, text: "How did we do?" }
  - { name: appointment, channel: rcs, variant: variables, label: Appointment, placeholders: [{ name: day, example: Monday }, { name: hour, example: "10:00" }], text: "See you {{1}} at {{2}}." }
  - { name: catalogue_fixed, channel: rcs, variant: carousel-fixed, label: Catalogue }
  - { name: weekly_offers, channel: rcs, variant: carousel-images, label: Weekly offers, cards: 3 }
`;

const NONE = { languages: [], placeholders: [], cards: 0 };

/** By channel, variant and name, with what else they have. */
const EXPECTED: readonly Template[] = table`
chatapp | otp | login_code | Login code | { "languages": ["en", "hi"], "placeholders": [{ "name": "value 1" }], "text": "{{1}} is your code." }
chatapp | text | order_update | Order update | { "languages": ["en"], "placeholders": [{ "name": "customer", "example": "Asha" }, { "name": "order", "example": "A-1001" }], "text": "Hello {{1}}, your order {{2}} is on its way." }
chatapp | document | invoice | Invoice | { "placeholders": [{ "name": "month", "example": "May" }], "text": "Your invoice for {{1}} is attached." }
chatapp | image | festive_photo | Festive greeting | { "text": "Happy Diwali!" }
rcs | plain | store_open | Store opening | { "text": "We are open." }
rcs | rich | rate_us | Rate us | { "text": "How did we do?" }
rcs | variables | appointment | Appointment | { "placeholders": [{ "name": "day", "example": "Monday" }, { "name": "hour", "example": "10:00" }], "text": "See you {{1}} at {{2}}." }
rcs | carousel-fixed | catalogue_fixed | Catalogue | {}
rcs | carousel-images | weekly_offers | Weekly offers | { "cards": 3 }`.map(
  ([channel, variant, name, label, more = '']) =>
    ({ ...NONE, channel, variant, name, label, ...JSON.parse(more) }) as Template,
);

const TEXT = { name: 'order_update', channel: 'chatapp', variant: 'text' };
const NAME = 'Enter the name as registered: lowercase letters, digits and underscores only.';
const KEYS =
  'name, channel, variant, label, languages, placeholders, text, cards, type, dltTemplateId, entityId';

function issues(result: z.ZodSafeParseResult<unknown>): string[] {
  return result.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

describe('templateSchema', () => {
  it('takes the example configuration as it stands', () => {
    expect(templateListSchema.parse(parse(EXAMPLE))).toEqual(EXPECTED);
  });

  it('names a template without a label after itself', () => {
    expect(templateSchema.parse(TEXT)).toEqual({ ...NONE, ...TEXT, label: 'order_update' });
  });

  it('takes a name of an RCS template as it is registered: the document has no rule for it', () => {
    for (const name of ['Summer-Sale', 'Été 2026', 'a/b', 'x'])
      expect(templateSchema.parse({ name, channel: 'rcs', variant: 'plain' })).toMatchObject({ name });
    for (const name of ['', ' x', 'x ', 'two\nlines', 'a\tb', '\ud800'])
      expect(issues(templateSchema.safeParse({ name, channel: 'rcs', variant: 'plain' }))).toEqual([
        'name: Enter the name as registered, on one line, without spaces around it.',
      ]);
    expect(issues(templateSchema.safeParse({ ...TEXT, name: 'Order-Update' }))).toEqual([`name: ${NAME}`]);
  });

  it('is stable: what it gives, it takes', () => {
    for (const template of EXPECTED) expect(templateSchema.parse(template)).toEqual(template);
  });

  it('takes limits as they are', () => {
    const name = 'a'.repeat(75);
    expect(templateSchema.parse({ ...TEXT, name })).toMatchObject({ name });
    for (const cards of [2, 10]) {
      const carousel = { name: 'c', channel: 'rcs', variant: 'carousel-images', cards };
      expect(templateSchema.parse(carousel)).toMatchObject({ cards });
    }
    expect(templateSchema.parse({ ...TEXT, text: 'x'.repeat(3000) })).toMatchObject({
      text: 'x'.repeat(3000),
    });
    expect(templateSchema.parse({ ...TEXT, languages: ['EN-us', 'zh-hant-TW', 'iw'] })).toMatchObject({
      languages: ['en-US', 'zh-Hant-TW', 'iw'],
    });
  });

  it('derives the placeholders of a text, each number once', () => {
    expect(templateSchema.parse({ ...TEXT, text: '{{2}} {{1}} {{2}}' })).toMatchObject({
      placeholders: [{ name: 'value 1' }, { name: 'value 2' }],
    });
  });

  it('keeps placeholders of a template whose text was never written down', () => {
    const placeholders = [{ name: 'a', optional: true }];
    expect(templateSchema.parse({ ...TEXT, placeholders })).toMatchObject({ placeholders });
  });

  it.each(table`
{"name":null} | name: Enter the name as registered: lowercase letters, digits and underscores only.
{"name":"Order"} | name: Enter the name as registered: lowercase letters, digits and underscores only.
{"name":"a\n"} | name: Enter the name as registered: lowercase letters, digits and underscores only.
{"name":"${'a'.repeat(76)}"} | name: Slack’s template picker holds names of at most 75 characters.
{"channel":"pigeon"} | channel: Enter the channel, one of chatapp, rcs, sms.
{"channel":null} | channel: Enter the channel, one of chatapp, rcs, sms.
{"variant":null} | variant: Enter the variant of the template.
{"variant":"plain"} | variant: The variants of chatapp are otp, text, document, image, video.
{"channel":"rcs","variant":"otp"} | variant: The variants of rcs are plain, rich, variables, carousel-fixed, carousel-images.
{"variant":"toString"} | variant: The variants of chatapp are otp, text, document, image, video.
{"label":""} | label: The label is empty.
{"label":5} | label: The label must be text; put it in quotes.
{"label":"a\nb"} | label: The label must be one line, without line breaks.
{"languages":"en"} | languages: Enter the languages as a list of codes, such as [en, en_US].
{"languages":["english"]} | languages.0: Enter the language code that the template is registered with, such as en, en_US or pt-BR.
{"languages":["english language"]} | languages.0: Enter the language code that the template is registered with, such as en, en_US or pt-BR.
{"languages":["en","EN"]} | languages.1: This language is listed twice.
{"languages":[false]} | languages.0: Enter the languages as a list of codes, such as [en, en_US].
{"text":" "} | text: The sample text is empty.
{"text":"${'x'.repeat(3001)}"} | text: The sample text has 3001 characters; at most 3000 are possible. Shorten it.
{"text":"Hi {{name}}"} | text: “{{name}}” is no placeholder: write them as {{1}}, {{2}} and so on, and name them under placeholders.
{"text":"{{1}} {{3}}"} | text: The sample text has {{3}} but no {{2}}: number placeholders from 1 without gaps.
{"text":"{{0}}"} | text: The sample text has {{0}} but no {{1}}: number placeholders from 1 without gaps.
{"text":"{{1}} {{2}}","placeholders":[{"name":"a"}]} | placeholders: Placeholders in the sample text: 2; in the list: 1. They must agree.
{"text":"{{1}}","placeholders":[]} | placeholders: Placeholders in the sample text: 1; in the list: 0. They must agree.
{"placeholders":[{"name":"a"},{"name":"A "}]} | placeholders.1.name: Another placeholder has this name already.
{"placeholders":[{"name":""}]} | placeholders.0.name: A placeholder’s name is empty.
{"placeholders":["a"]} | placeholders.0: A placeholder must be written as keys and values: name, example, optional, maxLength, oneOf, type.
{"placeholders":{}} | placeholders: Enter the placeholders as a list.
{"placeholders":[{"name":"a","example":1001,"optional":"no"}]} | placeholders.0.example: A placeholder’s example must be text; put it in quotes. ¶ placeholders.0.optional: “optional” is true or false.
{"placeholders":[{"name":"a","sample":"b"}]} | placeholders.0: A placeholder has no “sample”; it has name, example, optional, maxLength, oneOf, type.
{"variant":"otp","text":"{{1}} until {{2}}"} | text: A one-time password template takes one value only: the password.
{"channel":"rcs","variant":"plain","text":"Hi {{1}}"} | text: A template of variant plain takes no values, so it has no placeholders.
{"channel":"rcs","variant":"rich","placeholders":[{"name":"a"}]} | placeholders: A template of variant rich takes no values, so it has no placeholders.
{"cards":2} | cards: Only the variant carousel-images has a number of cards.
{"channel":"rcs","variant":"carousel-fixed","cards":2} | cards: Only the variant carousel-images has a number of cards.
{"channel":"rcs","variant":"carousel-images"} | cards: A carousel has 2 to 10 cards: enter a whole number.
{"channel":"rcs","variant":"carousel-images","cards":1} | cards: A carousel has 2 to 10 cards: enter a whole number.
{"channel":"rcs","variant":"carousel-images","cards":11} | cards: A carousel has 2 to 10 cards: enter a whole number.
{"channel":"rcs","variant":"carousel-images","cards":2.5} | cards: A carousel has 2 to 10 cards: enter a whole number.
{"cards":"3"} | cards: A carousel has 2 to 10 cards: enter a whole number.
{"cards":-1} | cards: A carousel has 2 to 10 cards: enter a whole number.
{"varient":"x"} | : A template has no “varient”; it has name, channel, variant, label, languages, placeholders, text, cards, type, dltTemplateId, entityId.`)(
    'refuses %s: %s',
    (change = '', said = '') => {
      expect(issues(templateSchema.safeParse({ ...TEXT, ...JSON.parse(change) }))).toEqual(said.split(' ¶ '));
    },
  );

  it.each([[null], [undefined], ['order_update'], [7]])('refuses %j instead of a template', (value) => {
    expect(issues(templateSchema.safeParse(value))).toEqual([
      `: A template must be written as keys and values: ${KEYS}.`,
    ]);
  });

  it('gives all problems of a template at once', () => {
    const wrong = { ...TEXT, text: '{{2}}', cards: 4, languages: ['en', 'en'] };
    expect(issues(templateSchema.safeParse(wrong))).toEqual([
      'text: The sample text has {{2}} but no {{1}}: number placeholders from 1 without gaps.',
      'languages.1: This language is listed twice.',
      'cards: Only the variant carousel-images has a number of cards.',
    ]);
  });
});

describe('templateListSchema', () => {
  it('refuses a name twice in a channel, and allows it in another', () => {
    const rcs = { name: TEXT.name, channel: 'rcs', variant: 'plain' };
    expect(issues(templateListSchema.safeParse([TEXT, rcs, TEXT]))).toEqual([
      '2.name: Another template of the same channel has this name already.',
    ]);
    expect(templateListSchema.safeParse([TEXT, rcs]).success).toBe(true);
    expect(templateListSchema.parse([])).toEqual([]);
    expect(issues(templateListSchema.safeParse({}))).toEqual([': Enter the templates as a list.']);
  });
});

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
