import { describe, expect, it } from 'vitest';
import { PLACEHOLDERS_MAX } from '../../../src/messages/limits.ts';
import {
  type Placeholder,
  placeholderProblem,
  placeholderSchema,
  ruleHint,
} from '../../../src/messages/templates/placeholder.ts';
import { templateSchema } from '../../../src/messages/templates/template.ts';
import { table } from '../../table.ts';

const SIZE: Placeholder = { name: 'size', oneOf: ['S', 'M', 'L'] };
const AMOUNT: Placeholder = { name: 'amount', type: 'number' };
const DAY: Placeholder = { name: 'day', type: 'date' };
const NOT_A_NUMBER = '“amount” must be a number, such as 12, 1,299.00 or -3.';
const NOT_A_DATE = '“day” must be a date that exists, such as 2027-05-31, 31/05/2027 or 31 May 2027.';

describe('a value and the rule of its placeholder', () => {
  it.each([
    [SIZE, 'M'],
    [{ name: 'note', maxLength: 3 }, '👍👍👍'],
    ...['12', '-3', '+1', '1,299.00', '1 299', '12,34,567', '१२', '0.5', ' 7 '].map((value) => [
      AMOUNT,
      value,
    ]),
    ...['2027-05-31', '31/05/2027', '31.5.2027', '1-6-2027', '29/02/2028', ' 1/1/2027'].map((day) => [
      DAY,
      day,
    ]),
    ...['31 May 2027', '1 sep 2027', '5 Sept. 2027', ' 31 December 2027 '].map((day) => [DAY, day]),
    [{ name: 'any' }, 'anything at all'],
  ] as [Placeholder, string][])('%j takes %j', (placeholder, value) => {
    expect(placeholderProblem(placeholder, value)).toBeUndefined();
  });

  it.each([
    [SIZE, 'm', '“size” must be one of: S, M, L.'],
    [SIZE, 'M ', '“size” must be one of: S, M, L.'],
    [{ name: 'note', maxLength: 3 }, '👍👍👍👍', '“note” has 4 characters; at most 3 are allowed.'],
    ...['', 'ten', '1.', '1e3', '12 kg', '--1', ',5', '1  2'].map((value) => [AMOUNT, value, NOT_A_NUMBER]),
    ...[
      ...['31/04/2027', '29 February 2027', '2027-13-01', '00/01/2027', 'tomorrow', '5/2027', '1 m 2027'],
      ...['1 foo 2027', '0 December 2026', '32 December 2026', '99-01-2027', '31/05/27'],
    ].map((value) => [DAY, value, NOT_A_DATE]),
    [{ ...AMOUNT, maxLength: 3 }, '1000', '“amount” has 4 characters; at most 3 are allowed.'],
  ] as [Placeholder, string, string][])('%j refuses %j', (placeholder, value, sentence) => {
    expect(placeholderProblem(placeholder, value)).toBe(sentence);
  });

  it('is told beforehand', () => {
    expect(ruleHint({ name: 'a' })).toBeUndefined();
    expect(ruleHint(SIZE)).toBe('One of: S, M, L.');
    expect(ruleHint({ ...AMOUNT, maxLength: 5 })).toBe('A number. At most 5 characters.');
    expect(ruleHint(DAY)).toBe('A date, such as 2027-05-31, 31/05/2027 or 31 May 2027.');
    const ten = [...'0123456789'];
    expect(ruleHint({ name: 'a', oneOf: ten })).toBe('One of: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9.');
    expect(ruleHint({ name: 'a', oneOf: [...ten, 'x', 'y'] })).toBe(
      'One of: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more.',
    );
  });
});

describe('placeholderSchema', () => {
  it.each([
    { name: 'a', example: 'M', oneOf: ['S', 'M'], optional: true },
    { name: 'a', example: '12', type: 'number', maxLength: 2 },
    { name: 'a', example: '31 May 2027', type: 'date' },
    { name: 'a', maxLength: 3000 },
    { name: 'a', oneOf: Array.from({ length: 100 }, (_none, n) => `${n}`.padEnd(75, 'x')) },
  ])('takes %j', (value) => {
    expect(placeholderSchema.parse(value)).toEqual(value);
  });

  it.each(table`
{ "oneOf": ["S"] } | oneOf: “oneOf” is a list of 2 to 100 texts; put each in quotes.
{ "oneOf": ["S", "S"] } | oneOf.1: This value is listed twice.
{ "oneOf": ["S", " "] } | oneOf.1: A value of “oneOf” is empty.
{ "oneOf": ["S", 1] } | oneOf.1: A value of “oneOf” must be text; put it in quotes.
{ "oneOf": ["S", "${'x'.repeat(76)}"] } | oneOf.1: Slack’s menus hold values of at most 75 characters.
{ "oneOf": ["S", "M"], "maxLength": 1 } | oneOf: Where the values are listed there is no other rule: leave out maxLength and type.
{ "maxLength": 0 } | maxLength: “maxLength” is a whole number from 1 to 3000.
{ "maxLength": 3001 } | maxLength: “maxLength” is a whole number from 1 to 3000.
{ "type": "colour" } | type: “type” is number or date.
{ "type": "number", "example": "ten" } | example: The example breaks the rule: “a” must be a number, such as 12, 1,299.00 or -3.`)(
    'refuses %s in one sentence: %s',
    (rule = '', sentence) => {
      const { error } = placeholderSchema.safeParse({ name: 'a', ...JSON.parse(rule) });
      const said = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
      expect(said).toEqual([sentence]);
    },
  );
});

describe('the number of placeholders', () => {
  const withPlaceholders = (count: number) =>
    templateSchema.safeParse({
      name: 'a',
      channel: 'chatapp',
      variant: 'text',
      text: Array.from({ length: count }, (_none, index) => `{{${index + 1}}}`).join(' '),
    });

  it('is what a form has room for', () => {
    expect(withPlaceholders(PLACEHOLDERS_MAX).success).toBe(true);
    expect(withPlaceholders(PLACEHOLDERS_MAX + 1).error?.issues).toMatchObject([
      { path: ['text'], message: 'A template has at most 20 placeholders; this one has 21.' },
    ]);
  });
});
