import { describe, expect, it } from 'vitest';
import {
  describePlaceholder,
  sameTemplate,
  templateDifferences,
} from '../../../src/messages/templates/differences.ts';
import {
  rowsIn,
  type TemplateKind,
  takesValues,
  templateKindLabel,
  templateKindOf,
  templateKinds,
} from '../../../src/messages/templates/form.ts';
import { templateFormValues, templateFromForm } from '../../../src/messages/templates/form-values.ts';
import { type Template, templateSchema } from '../../../src/messages/templates/template.ts';
import { table } from '../../table.ts';
import { RCS_TEMPLATES, TEMPLATES } from '../samples.ts';

const RULES = templateSchema.parse({
  name: 'booking',
  channel: 'rcs',
  variant: 'variables',
  label: 'Booking',
  text: '{{1}} {{2}} {{3}} {{4}} {{5}}',
  placeholders: [
    { name: 'who', example: 'Asha\nRao' },
    { name: 'size', oneOf: ['S', 'M'], example: 'S', optional: true },
    { name: 'table', oneOf: ['1, window', '2'] },
    { name: 'day', type: 'date', maxLength: 10 },
    { name: 'note', maxLength: 20 },
  ],
});

describe('the form of a template', () => {
  it.each([...Object.values(TEMPLATES), ...Object.values(RCS_TEMPLATES), RULES] as Template[])(
    'holds $name, and gives it back',
    (template) => {
      const context = { kind: templateKindOf(template), rows: template.placeholders.length };
      const values = templateFormValues(template);
      expect(templateFromForm(values, context)).toEqual({ ok: true, value: template });
    },
  );

  // The words for every kind, and which are offered for a channel, stand in forms.txt.
  it('knows which kinds take values, and names one that it does not know', () => {
    expect(templateKinds().filter(takesValues)).toEqual([
      ...['otp', 'text', 'document', 'image', 'video'].map((variant) => `chatapp/${variant}`),
      ...['rcs/variables', 'sms/text'],
    ]);
    expect(templateKindLabel('rcs/poem')).toBe('rcs/poem');
  });

  it('counts the placeholders of a text, as far as there may be', () => {
    expect([rowsIn(null), rowsIn(''), rowsIn('{{2}} {{1}} {{2}}'), rowsIn('{{400}}')]).toEqual([0, 0, 2, 20]);
  });
});

describe('what a template’s form is refused for', () => {
  const broken = (values: Record<string, unknown>, kind: TemplateKind = 'chatapp/text', rows = 1) => {
    const result = templateFromForm(values, { kind, rows });
    return result.ok ? [] : result.error.map(({ path, message }) => `${path}: ${message}`);
  };
  const row = (more: object = {}) => ({
    name: 'a',
    text: '{{1}}',
    placeholders: [{ name: 'x', rule: 'any', ...more }],
  });

  it.each(table`
chatapp/text | { "name": "Order", "text": "Hi" } | name: Enter the name as registered: lowercase letters, digits and underscores only.
chatapp/text | { "text": "Hi" } | name: Enter the name as registered: lowercase letters, digits and underscores only.
rcs/plain | { "text": "Hi" } | name: Enter the name as registered, on one line, without spaces around it.
chatapp/text | { "name": "a", "variant": "chatapp/plain", "text": "Hi" } | variant: The variants of chatapp are otp, text, document, image, video.
chatapp/text | { "name": "a", "languages": "en, english" } | languages: Enter the language code that the template is registered with, such as en, en_US or pt-BR.
chatapp/text | { "name": "a", "text": "{{1}} {{3}}" } | text: The sample text has {{3}} but no {{2}}: number placeholders from 1 without gaps.`)(
    '%s: %s',
    (kind = '', values = '', sentence = '') => {
      expect(broken(JSON.parse(values), kind as TemplateKind)).toEqual([sentence]);
    },
  );

  it('other numbers of placeholders than the text has', () => {
    expect(broken({ ...row(), text: '{{1}} {{2}}' })).toEqual([
      'placeholders: Placeholders in the sample text: 2; in the list: 1. They must agree.',
    ]);
  });

  it.each(table`
{ "name": " " } | name: A placeholder’s name is empty.
{ "rule": "max" } | detail: Enter how many characters a value may have, as a number.
{ "rule": "max", "detail": "ten" } | detail: Enter how many characters a value may have, as a number.
{ "rule": "max", "detail": "1x" } | detail: Enter how many characters a value may have, as a number.
{ "rule": "max", "detail": "9999" } | detail: “maxLength” is a whole number from 1 to 3000.
{ "rule": "one-of", "detail": "S" } | detail: “oneOf” is a list of 2 to 100 texts; put each in quotes.
{ "rule": "one-of", "detail": "S, S" } | detail: This value is listed twice.
{ "rule": "number", "detail": "big" } | detail: Leave this empty, or enter how many characters a value may have.
{ "rule": "date", "detail": "x1" } | detail: Leave this empty, or enter how many characters a value may have.
{ "rule": "any", "detail": "10" } | detail: With any text there is nothing to detail: choose a rule, or leave this empty.
{ "rule": "one-of", "detail": "1, 2", "example": "3" } | example: The example breaks the rule: “x” must be one of: 1, 2.
{ "rule": "date", "example": "soon" } | example: The example breaks the rule: “x” must be a date that exists, such as 2027-05-31, 31/05/2027 or 31 May 2027.`)(
    'a placeholder with %s',
    (more = '', sentence = '') => {
      expect(broken(row(JSON.parse(more)))).toEqual([`placeholders.0.${sentence}`]);
    },
  );

  it.each([null, 'three'])('a carousel with %j for its number of cards', (cards) => {
    expect(broken({ name: 'a', cards }, 'rcs/carousel-images', 0)).toEqual([
      'cards: A carousel has 2 to 10 cards: enter a whole number.',
    ]);
  });
});

describe('what is made of a template’s form', () => {
  const base = { name: 'a', label: 'a', channel: 'chatapp', variant: 'text', languages: [], cards: 0 };

  it.each(table`
{"text":" Hi ","label":" A ","cards":null} | {"label":"A","text":" Hi ","placeholders":[]}
{"text":"{{1}}"} | {"text":"{{1}}","placeholders":[{"name":"value 1"}]}
{"text":"Hi","languages":" en, ,hi ,"} | {"text":"Hi","languages":["en","hi"],"placeholders":[]}
{"placeholders":[{"name":"x","rule":"max","detail":" 12 "},{"name":"y","rule":"number","detail":"5"},{"name":"z"}]} | {"placeholders":[{"name":"x","maxLength":12},{"name":"y","type":"number","maxLength":5}]}
{"placeholders":[{"name":"x","rule":"one-of","detail":"1 \u007c 2,5 |"},{"name":"y","rule":"date","example":"2027-05-31"}]} | {"placeholders":[{"name":"x","oneOf":["1","2,5"]},{"name":"y","type":"date","example":"2027-05-31"}]}
{"placeholders":[{"name":"x"},{"name":"y"}],"mayStayEmpty":["1"]} | {"placeholders":[{"name":"x"},{"name":"y","optional":true}]}`)(
    '%s',
    (values = '', expected = '') => {
      const typed = { name: 'a', text: '{{1}}{{2}}', ...JSON.parse(values) };
      const made = templateFromForm(typed, { kind: 'chatapp/text', rows: 2 });
      expect(made).toEqual({ ok: true, value: { ...base, text: '{{1}}{{2}}', ...JSON.parse(expected) } });
    },
  );

  it('opens with what the template has', () => {
    expect(templateFormValues(RULES)).toEqual({
      ...{ variant: 'rcs/variables', name: 'booking', label: 'Booking', languages: '' },
      text: '{{1}} {{2}} {{3}} {{4}} {{5}}',
      placeholders: [
        { name: 'who', example: 'Asha\nRao', rule: 'any' },
        { name: 'size', example: 'S', rule: 'one-of', detail: 'S, M' },
        { name: 'table', rule: 'one-of', detail: '1, window | 2' },
        { name: 'day', rule: 'date', detail: '10' },
        { name: 'note', rule: 'max', detail: '20' },
      ],
      mayStayEmpty: ['1'],
    });
    expect(templateFormValues(RCS_TEMPLATES['carousel-images'])).toStrictEqual({
      ...{ variant: 'rcs/carousel-images', name: 'weekly_offers', label: 'Weekly offers', languages: '' },
      ...{ cards: 3, placeholders: [], mayStayEmpty: [] },
    });
  });
});

describe('two states of a template', () => {
  it('differ in kind, languages and cards, too', () => {
    const before = { ...RCS_TEMPLATES['carousel-images'], text: undefined };
    const { text: _none, ...after } = {
      ...before,
      variant: 'carousel-fixed',
      cards: 0,
      languages: ['en', 'hi'],
    } as const;
    expect(templateDifferences(before, after)).toEqual([
      { what: 'Kind', before: 'carousel-images', after: 'carousel-fixed' },
      { what: 'Languages', before: 'none', after: 'en, hi' },
      { what: 'Cards', before: '3', after: '0' },
    ]);
    expect(sameTemplate(before, after)).toBe(false);
    const { name, ...rest } = RCS_TEMPLATES['carousel-images'];
    expect(sameTemplate(before, { ...rest, name })).toBe(true);
  });

  it('are told apart in words', () => {
    const after = templateSchema.parse({
      ...RULES,
      label: 'Bookings',
      text: '{{1}} {{2}} {{3}} {{4}}',
      placeholders: [{ name: 'who' }, ...RULES.placeholders.slice(1, 4)],
    });
    expect(templateDifferences(RULES, RULES)).toEqual([]);
    expect(templateDifferences(RULES, after)).toEqual([
      { what: 'Label', before: 'Booking', after: 'Bookings' },
      { what: 'Sample text', before: '{{1}} {{2}} {{3}} {{4}} {{5}}', after: '{{1}} {{2}} {{3}} {{4}}' },
      { what: '{{1}}', before: 'who, e.g. Asha\nRao.', after: 'who.' },
      { what: '{{5}}', before: 'note. At most 20 characters.', after: 'none' },
    ]);
    expect(describePlaceholder(RULES.placeholders[1])).toBe('size, e.g. S. One of: S, M. May stay empty.');
  });
});
