import { expect, test } from 'vitest';
import type { Message } from '../../../src/messages/kinds.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { templateSchema } from '../../../src/messages/templates/template.ts';
import { recipientFrom } from '../../../src/sends/bulk/prepare.ts';

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
const MESSAGE: Message = {
  kind: 'chatapp',
  variant: 'text',
  from: '+919876543210' as Msisdn,
  templateName: 'booking',
  params: ['{{Size}}', '{{Day}}'],
};

test.each([
  [['large', '31/05/2027'], undefined],
  [['small', ''], undefined],
  [['huge', ''], '“size” must be one of: small, large.'],
  [['', ''], 'The value for “size” is empty in this row.'],
  [
    ['large', '31/04/2027'],
    '“day” must be a date that exists, such as 2027-05-31, 31/05/2027 or 31 May 2027.',
  ],
])('a row with %j is left out because: %s', (values, what) => {
  const row = { row: 2, number: '+919812345670' as Msisdn, values };
  expect(recipientFrom(row, MESSAGE, ['Size', 'Day'], TEMPLATE)).toEqual({
    ...row,
    ...(what === undefined
      ? {}
      : { skipped: { what, next: 'Correct the row and send to it again.', scope: 'recipient' } }),
  });
});
