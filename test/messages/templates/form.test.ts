import { describe, expect, it } from 'vitest';
import {
  describePlaceholder,
  sameTemplate,
  templateDifferences,
} from '../../../src/messages/templates/differences.ts';
import {
  rowsIn,
  takesValues,
  templateForm,
  templateFormValues,
  templateFromForm,
  templateKindLabel,
  templateKindOf,
  templateKinds,
} from '../../../src/messages/templates/form.ts';
import { type Template, templateSchema } from '../../../src/messages/templates/template.ts';
import { leavesOf } from '../../../src/slack/kit/forms/leaves.ts';
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

  it('asks for exactly what a kind has', () => {
    const paths = (kind: ReturnType<typeof templateKindOf>, rows: number, existing = false) =>
      leavesOf(
        templateForm({
          kind,
          rows,
          ...(existing ? { existing: { channel: 'rcs', name: 'a' } as const } : {}),
        }),
      ).map(({ path }) => path);
    expect(paths('chatapp/text', 1)).toEqual([
      'variant',
      'name',
      'label',
      'languages',
      'text',
      'placeholders.0.name',
      'placeholders.0.example',
      'placeholders.0.rule',
      'placeholders.0.detail',
      'mayStayEmpty',
    ]);
    // Its request has no place for a language.
    expect(paths('chatapp/document', 0)).toEqual(['variant', 'name', 'label', 'text']);
    expect(paths('rcs/carousel-images', 0, true)).toEqual(['variant', 'label', 'text', 'cards']);
  });

  it('has words for every kind', () => {
    for (const kind of templateKinds()) expect(templateKindLabel(kind)).not.toBe(kind);
    expect(templateKinds().filter(takesValues)).toEqual([
      'chatapp/otp',
      'chatapp/text',
      'chatapp/document',
      'chatapp/image',
      'chatapp/video',
      'rcs/variables',
    ]);
  });

  it('counts the placeholders of a text, as far as there may be', () => {
    expect([rowsIn(null), rowsIn(''), rowsIn('{{2}} {{1}} {{2}}'), rowsIn('{{400}}')]).toEqual([0, 0, 2, 20]);
  });
});

describe('what a template’s form is refused for', () => {
  const broken = (
    values: Record<string, unknown>,
    kind: Parameters<typeof templateFromForm>[1]['kind'] = 'chatapp/text',
    rows = 1,
  ) => {
    const result = templateFromForm(values, { kind, rows });
    return result.ok ? [] : result.error.map(({ path, message }) => `${path}: ${message}`);
  };
  const row = (more: object = {}) => ({
    name: 'a',
    text: '{{1}}',
    placeholders: [{ name: 'x', rule: 'any', ...more }],
  });

  it.each([
    [
      { name: 'Order', text: 'Hi' },
      'name: Enter the name as registered: lowercase letters, digits and underscores only.',
    ],
    [{ text: 'Hi' }, 'name: Enter the name as registered: lowercase letters, digits and underscores only.'],
    [
      { name: 'a', languages: 'en, english' },
      'languages: Enter the language code that the template is registered with, such as en, en_US or pt-BR.',
    ],
    [
      { name: 'a', text: '{{1}} {{3}}' },
      'text: The sample text has {{3}} but no {{2}}: number placeholders from 1 without gaps.',
    ],
    [
      { ...row(), text: '{{1}} {{2}}' },
      'placeholders: Placeholders in the sample text: 2; in the list: 1. They must agree.',
    ],
    [row({ name: ' ' }), 'placeholders.0.name: A placeholder’s name is empty.'],
    [row({ rule: 'max' }), 'placeholders.0.detail: Enter how many characters a value may have, as a number.'],
    [
      row({ rule: 'max', detail: 'ten' }),
      'placeholders.0.detail: Enter how many characters a value may have, as a number.',
    ],
    [
      row({ rule: 'max', detail: '9999' }),
      'placeholders.0.detail: “maxLength” is a whole number from 1 to 3000.',
    ],
    [
      row({ rule: 'one-of', detail: 'S' }),
      'placeholders.0.detail: “oneOf” is a list of 2 to 100 texts; put each in quotes.',
    ],
    [row({ rule: 'one-of', detail: 'S, S' }), 'placeholders.0.detail: This value is listed twice.'],
    [
      row({ rule: 'number', detail: 'big' }),
      'placeholders.0.detail: Leave this empty, or enter how many characters a value may have.',
    ],
    [
      row({ rule: 'any', detail: '10' }),
      'placeholders.0.detail: With any text there is nothing to detail: choose a rule, or leave this empty.',
    ],
    [
      row({ rule: 'date', example: 'soon' }),
      'placeholders.0.example: The example breaks the rule: “x” must be a date that exists, such as 2027-05-31, 31/05/2027 or 31 May 2027.',
    ],
  ])('%j', (values, sentence) => {
    expect(broken(values)).toEqual([sentence]);
  });

  it.each([
    [
      { text: 'Hi' },
      'rcs/plain',
      'name: Enter the name as registered, on one line, without spaces around it.',
    ],
    [
      row({ rule: 'one-of', detail: '1, 2', example: '3' }),
      'chatapp/text',
      'placeholders.0.example: The example breaks the rule: “x” must be one of: 1, 2.',
    ],
    [
      row({ rule: 'date', detail: 'x1' }),
      'chatapp/text',
      'placeholders.0.detail: Leave this empty, or enter how many characters a value may have.',
    ],
    [
      row({ rule: 'max', detail: '1x' }),
      'chatapp/text',
      'placeholders.0.detail: Enter how many characters a value may have, as a number.',
    ],
    [
      { name: 'a', variant: 'chatapp/plain', text: 'Hi' },
      'chatapp/text',
      'variant: The variants of chatapp are otp, text, document, image, video.',
    ],
  ] as const)('%j as %s', (values, kind, sentence) => {
    expect(broken(values, kind)).toEqual([sentence]);
  });

  it.each([null, 'three'])('a carousel with %j for its number of cards', (cards) => {
    expect(broken({ name: 'a', cards }, 'rcs/carousel-images', 0)).toEqual([
      'cards: A carousel has 2 to 10 cards: enter a whole number.',
    ]);
  });
});

describe('what is made of a template’s form', () => {
  const made = (values: Record<string, unknown>, rows = 2) => {
    const result = templateFromForm({ name: 'a', ...values }, { kind: 'chatapp/text', rows });
    return result.ok ? result.value : result.error;
  };
  const base = { name: 'a', label: 'a', channel: 'chatapp', variant: 'text', languages: [], cards: 0 };
  const rows = (...placeholders: object[]) => ({ text: '{{1}}{{2}}', placeholders });

  it.each([
    [
      { text: ' Hi ', label: ' A ', cards: null },
      { label: 'A', text: ' Hi ', placeholders: [] },
    ],
    [{ text: '{{1}}' }, { text: '{{1}}', placeholders: [{ name: 'value 1' }] }],
    [
      { text: 'Hi', languages: ' en, ,hi ,' },
      { text: 'Hi', languages: ['en', 'hi'], placeholders: [] },
    ],
    [
      rows(
        { name: 'x', rule: 'max', detail: ' 12 ' },
        { name: 'y', rule: 'number', detail: '5' },
        { name: 'z' },
      ),
      {
        placeholders: [
          { name: 'x', maxLength: 12 },
          { name: 'y', type: 'number', maxLength: 5 },
        ],
      },
    ],
    [
      rows(
        { name: 'x', rule: 'one-of', detail: '1 | 2,5 |' },
        { name: 'y', rule: 'date', example: '2027-05-31' },
      ),
      {
        placeholders: [
          { name: 'x', oneOf: ['1', '2,5'] },
          { name: 'y', type: 'date', example: '2027-05-31' },
        ],
      },
    ],
    [
      { ...rows({ name: 'x' }, { name: 'y' }), mayStayEmpty: ['1'] },
      { placeholders: [{ name: 'x' }, { name: 'y', optional: true }] },
    ],
  ])('%j', (values, expected) => {
    expect(made(values)).toEqual({
      ...base,
      ...('text' in expected ? {} : { text: '{{1}}{{2}}' }),
      ...expected,
    });
  });

  it('opens with what the template has', () => {
    expect(templateFormValues(RULES)).toEqual({
      variant: 'rcs/variables',
      name: 'booking',
      label: 'Booking',
      languages: '',
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
      variant: 'rcs/carousel-images',
      name: 'weekly_offers',
      label: 'Weekly offers',
      languages: '',
      cards: 3,
      placeholders: [],
      mayStayEmpty: [],
    });
  });

  it('is offered for all channels, or for one', () => {
    expect(templateKinds('rcs')).toEqual(
      ['plain', 'rich', 'variables', 'carousel-fixed', 'carousel-images'].map((one) => `rcs/${one}`),
    );
    expect([...templateKinds(), 'rcs/poem'].map(templateKindLabel)).toEqual([
      ...['Chat-app: one-time password', 'Chat-app: text', 'Chat-app: document header'],
      ...['Chat-app: image header', 'Chat-app: video header', 'RCS: plain text', 'RCS: rich text'],
      ...['RCS: text with variables', 'RCS: carousel, fixed images', 'RCS: carousel, images of your own'],
      'rcs/poem',
    ]);
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
