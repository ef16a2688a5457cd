import { expect, test } from 'vitest';
import { templateSchema } from '../../../src/messages/templates/template.ts';
import { sampleForTemplate, sampleForText } from '../../../src/sends/audiences/csv-lines.ts';
import { recipientMaker } from '../../../src/sends/bulk/recipients.ts';
import { taken } from './setting.ts';

const TEMPLATE = templateSchema.parse({
  name: 'booking',
  channel: 'chatapp',
  variant: 'text',
  text: '{{1}} {{2}} {{3}} {{4}} {{5}}',
  placeholders: [
    { name: 'size', oneOf: ['small', 'large'] },
    { name: 'day', type: 'date' },
    { name: 'guests, in all', type: 'number' },
    { name: 'Customer', example: 'Asha' },
    { name: 'code', maxLength: 3 },
  ],
});
const MESSAGE = {
  kind: 'chatapp',
  variant: 'text',
  from: '+919876543210',
  templateName: 'booking',
  params: ['{{size}}', '{{day}}', '{{guests, in all}}', '{{Customer}}', '{{code}}'],
} as never;

test('a sample for a template is a list that is read whole, and every row of it fits', async () => {
  const csv = sampleForTemplate(TEMPLATE.placeholders);
  expect(csv).toBe(
    [
      'phone,size,day,"guests, in all",Customer,code',
      '+12025550101,small,2027-05-31,1,Asha,1 c',
      '+12025550102,large,2027-06-01,2,Asha,2 c',
      '+12025550103,small,2027-06-02,3,Asha,3 c',
      '',
    ].join('\r\n'),
  );
  const { audience, rows } = await taken(csv);
  expect(audience).toMatchObject({
    numberColumn: 'phone',
    columns: ['size', 'day', 'guests, in all', 'Customer', 'code'],
    counts: { read: 3, valid: 3 },
  });
  const recipientOf = recipientMaker(MESSAGE, audience.columns, TEMPLATE, 0);
  expect(rows.map(recipientOf).filter(({ skipped }) => skipped !== undefined)).toEqual([]);
});

test.each([
  ['Hello {{first_name}}, your order {{order}}', 'phone,first_name,order'],
  ['Hello', 'phone,name'],
])('a sample for the text %s has the columns that it uses', (text, header) => {
  expect(sampleForText(text).split('\r\n', 2)).toEqual([header, expect.stringContaining('+12025550101,1 ')]);
});
