import { describe, expect, it } from 'vitest';
import { describePlaceholder, templateDifferences } from '../../../src/messages/templates/differences.ts';
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

  it('a carousel without a number of cards', () => {
    expect(broken({ name: 'a', cards: null }, 'rcs/carousel-images', 0)).toEqual([
      'cards: A carousel has 2 to 10 cards: enter a whole number.',
    ]);
  });
});

describe('two states of a template', () => {
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
