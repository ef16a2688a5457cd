import { describe, expect, it } from 'vitest';
import { fail } from '../../src/core/result.ts';
import { parseBulkMessage, parseSubmission } from '../../src/messages/parse-submission.ts';
import { templateSchema } from '../../src/messages/templates/template.ts';
import { CONTEXT } from './samples.ts';

const TEMPLATE = templateSchema.parse({
  name: 'booking',
  channel: 'chatapp',
  variant: 'text',
  label: 'Booking',
  text: '{{1}} {{2}} {{3}} {{4}}',
  placeholders: [
    { name: 'size', oneOf: ['small', 'large'], example: 'small' },
    { name: 'extra', oneOf: ['soup', 'salad'], optional: true },
    { name: 'amount', type: 'number', maxLength: 6 },
    { name: 'day', type: 'date', example: '31 May 2027' },
  ],
});
const context = { ...CONTEXT, template: TEMPLATE };
const given = (params: readonly (string | null)[]) => ({
  template: 'booking',
  params,
  to: '+919812345670',
  from: '+919876543210',
});
const RIGHT = ['large', 'soup', '1,200', '2027-05-31'];

describe('a send form holds values to the rules of their placeholders', () => {
  it('takes values that keep them, and an empty one where it may be', () => {
    expect(parseSubmission('chatapp', context, given(RIGHT))).toMatchObject({
      value: { message: { params: RIGHT } },
    });
    const without = ['small', null, '-3', '1/6/2027'];
    expect(parseSubmission('chatapp', context, given(without))).toMatchObject({
      value: { message: { params: ['small', '', '-3', '1/6/2027'] } },
    });
  });

  const DAY = '“day” must be a date that exists, such as 2027-05-31, 31/05/2027 or 31 May 2027.';
  const AMOUNT = '“amount” must be a number, such as 12, 1,299.00 or -3.';
  it.each([
    [0, 'huge', '“size” must be one of: small, large.'],
    [0, null, 'Choose a value for “size”.'],
    [1, 'cake', '“extra” must be one of: soup, salad.'],
    [2, 'much', AMOUNT],
    [2, '1000000', '“amount” has 7 characters; at most 6 are allowed.'],
    [2, null, 'Enter a value for “amount”.'],
    [3, '30 February 2027', DAY],
    [2, '{{amount}}', AMOUNT],
  ])('refuses at params.%i: %s', (place, value, message) => {
    const params = RIGHT.map((right, index) => (index === place ? value : right));
    expect(parseSubmission('chatapp', context, given(params))).toEqual(
      fail([{ path: `params.${place}`, message }]),
    );
  });

  it('leaves what comes from a column to its rows, and holds what is the same for all to the rule', () => {
    const many = { ...context, recipients: 'many' } as const;
    const { to: _one, ...asked } = given(['{{Size}}', 'soup', '{{Sum}}', '31 May 2027']);
    expect(parseBulkMessage('chatapp', many, asked, ['Size', 'Sum'])).toMatchObject({ ok: true });
    expect(
      parseBulkMessage('chatapp', many, { ...asked, params: ['{{Size}}', 'cake', 'x', '31 May 2027'] }),
    ).toEqual({
      ok: false,
      error: [
        { path: 'params.1', message: '“extra” must be one of: soup, salad.' },
        { path: 'params.2', message: '“amount” must be a number, such as 12, 1,299.00 or -3.' },
      ],
    });
  });
});
