import { expect, test } from 'vitest';
import type { Message } from '../../../src/messages/kinds.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { templateSchema } from '../../../src/messages/templates/template.ts';
import { recipientMaker } from '../../../src/sends/bulk/recipients.ts';

const TEMPLATE = templateSchema.parse({
  name: 'booking',
  channel: 'chatapp',
  variant: 'text',
  text: '{{1}} {{2}}',
  placeholders: [
    { name: 'size', oneOf: ['small', 'large'] },
    { name: 'day', type: 'date', optional: true },
  ],
});
const FROM = '+919876543210' as Msisdn;
const BOOKING = { kind: 'chatapp', variant: 'text', from: FROM, templateName: 'booking' } as const;
const MESSAGE: Message = { ...BOOKING, params: ['{{Size}}', '{{Day}}'] };
const SMS = { kind: 'sms', sender: 'A', text: 'Hi {{name}}', type: 'TRANS', unicode: false } as const;
const rowOf = (values: readonly string[]) => ({ row: 2, number: '+919812345670' as Msisdn, values });
const NO_SUCH_DATE = '“day” must be a date that exists, such as 2027-05-31, 31/05/2027 or 31 May 2027.';

test.each([
  [['large', '31/05/2027'], undefined],
  [['small', ''], undefined],
  [['huge', ''], '“size” must be one of: small, large.'],
  [['', ''], 'The value for “size” is empty in this row.'],
  [['large', '31/04/2027'], NO_SUCH_DATE],
])('a row with %j is left out because: %s', (values, what) => {
  const row = rowOf(values);
  expect(recipientMaker(MESSAGE, ['Size', 'Day'], TEMPLATE, 0)(row)).toMatchObject({
    ...row,
    ...(what === undefined
      ? { reading: { seen: expect.any(String), at: 0 } }
      : { skipped: { what, next: 'Correct the row and send to it again.', scope: 'recipient' } }),
  });
});

test.each<[string, Message]>([
  ['a number of the chat app', { ...MESSAGE, from: '+6598765432' as Msisdn }],
  ['a sender id of digits', { ...SMS, sender: '6598765432', text: 'Hi' }],
  ['one with +', { ...SMS, kind: 'flash', sender: '+6598765432', text: 'Hi' }],
])('a row with the number that sends is left out: %s', (_sender, message) => {
  const row = { ...rowOf([]), number: '+6598765432' as Msisdn };
  expect(recipientMaker(message, [], undefined, 0)(row).skipped?.what).toBe('The recipient is the sender.');
});

const ACTION = { type: 'button', buttons: [{ id: 'yes', proposed: true, title: 'Yes' }] } as const;
const NAMED: Message = { ...MESSAGE, params: ['large', 'for {{name}}'] };
const WITH_BUTTONS = { kind: 'interactive', from: FROM, action: ACTION } as const;
const NEW = { savedAddresses: [], validationErrors: {} };
const ADDRESS = { kind: 'address', from: FROM, country: 'IN', ...NEW } as const;

test.each<[string, Message, readonly string[], string | undefined]>([
  ['an SMS', SMS, [' '], 'name'],
  ['a flash SMS', { ...SMS, kind: 'flash' }, [''], 'name'],
  ['buttons', { ...WITH_BUTTONS, body: 'Hi {{name}}' }, [''], 'name'],
  ['a footer', { ...WITH_BUTTONS, body: 'Hi', footer: 'By {{name}}' }, ['\u200b'], 'name'],
  ['an address form', { ...ADDRESS, body: 'Hi {{name}}', values: {} }, [''], 'name'],
  [
    'a part of an address',
    { ...ADDRESS, body: 'Hi', values: { house_number: 'No. {{name}}' } },
    [''],
    'name',
  ],
  // What an address form does not know it asks for, and what a placeholder may lack is no gap.
  ['a whole value of an address', { ...ADDRESS, body: 'Hi', values: { city: '{{name}}' } }, [''], undefined],
  ['a value that may stay empty', { ...MESSAGE, params: ['large', '{{name}}'] }, [''], undefined],
  ['a text with a cell in it', SMS, ['Asha'], undefined],
])('an empty cell inside %s is found', (_what, message, values, column) => {
  const template = 'templateName' in message ? TEMPLATE : undefined;
  const { skipped } = recipientMaker(message, ['name'], template, 0)(rowOf(values));
  expect(skipped?.what).toBe(column && `The column “${column}” is empty in this row.`);
});

test.each([
  ['for\nAsha', 'a line break'],
  ['for\tAsha', 'a tab'],
  ['for     Asha', 'more than four spaces in a row'],
])('a row whose value has %j is left out', (cell, what) => {
  const free = { ...TEMPLATE, placeholders: [{ name: 'size' }, { name: 'day' }] };
  const recipientOf = recipientMaker(NAMED, ['name'], free, 0);
  const { skipped } = recipientOf(rowOf([cell]));
  expect(skipped?.what).toBe(
    `“day” has ${what}: the chat app refuses such a value. Write it on one line, with single spaces.`,
  );
  expect(skipped?.short).toBe('with an unfit “day”');
  // Four are taken.
  expect(recipientOf(rowOf(['A    B'])).skipped).toBeUndefined();
});
