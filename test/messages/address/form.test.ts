import { describe, expect, it } from 'vitest';
import { parseBulkMessage } from '../../../src/messages/parse-submission.ts';
import { BROKEN, TAKEN } from '../address-rules.ts';
import {
  addressFormIn,
  addressFormSg,
  changed,
  FROM,
  messageOf,
  refusals,
  type Values,
} from '../interactive-samples.ts';
import { CONTEXT } from '../samples.ts';

describe('a form that breaks just one rule', () => {
  it.each(BROKEN)('%s', (_rule, form, path, sentence) => {
    expect(refusals('address', form)).toEqual({ [path]: sentence });
  });
});

it.each(TAKEN)('takes %s', (_what, form) => {
  expect(refusals('address', form)).toEqual({});
});

it('makes a message of what was filled in, and nothing of what was not', () => {
  const form = changed(
    changed(addressFormIn(), 'savedAddresses', [{ id: null, value: { name: 'Asha', city: null } }]),
    'validationErrors',
    { in_pin_code: 'We do not deliver there.', city: null },
  );
  expect(messageOf('address', form)).toEqual({
    kind: 'address',
    from: FROM,
    country: 'IN',
    body: 'Where shall we deliver?',
    values: { name: 'Asha Rao', phone_number: '+919876543219', in_pin_code: '560001' },
    savedAddresses: [{ id: 'address-1', value: { name: 'Asha' } }],
    validationErrors: { in_pin_code: 'We do not deliver there.' },
  });
});

it('makes ids of saved addresses unlike those that were chosen', () => {
  const saved = (id: string | null) => ({ id, value: { city: 'Pune' } });
  const form = changed(addressFormIn(), 'savedAddresses', [saved(null), saved('address-1'), saved(null)]);
  expect(messageOf('address', form)).toMatchObject({
    savedAddresses: [{ id: 'address-1-2' }, { id: 'address-1' }, { id: 'address-3' }],
  });
});

it('checks a value with a column row by row, and any other at once', () => {
  const parse = (values: object) => {
    const form: Values = { ...addressFormIn(), values };
    const context = { ...CONTEXT, recipients: 'many' as const, entered: form };
    const { to: _none, ...many } = form;
    const parsed = parseBulkMessage('address', context, many);
    return parsed.ok ? parsed.value : parsed.error.map(({ path, message }) => `${path}: ${message}`);
  };
  expect(parse({ in_pin_code: '{{pin code}}' })).toMatchObject({ values: { in_pin_code: '{{pin code}}' } });
  expect(parse({ in_pin_code: '5600011' })).toEqual([
    'values.in_pin_code: A pin code has 6 digits; this has 7.',
  ]);
});

it('takes blanks out of a post code', () => {
  const valuesOf = (form: Values) => messageOf('address', form);
  expect(valuesOf(changed(addressFormIn(), 'values.in_pin_code', ' 411 001 '))).toMatchObject({
    values: { in_pin_code: '411001' },
  });
  expect(valuesOf(changed(addressFormSg(), 'values.sg_post_code', '018\u00a0956'))).toMatchObject({
    values: { sg_post_code: '018956' },
  });
});
