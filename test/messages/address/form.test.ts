import { describe, expect, it } from 'vitest';
import { ADDRESS_PARTS, addressStructure, addressText } from '../../../src/messages/address/form.ts';
import { ADDRESS_FIELDS } from '../../../src/messages/address/message.ts';
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

/* Which fields there are, what can be added and removed, and what is shown. */

const NOTHING = { savedAddresses: 0, hasValues: false, hasValidationErrors: false };
const BLANK = { country: 'IN', header: 'none', ...NOTHING };
const FULL = { savedAddresses: [{}, {}, {}, {}], header: { type: 'image' } };

it.each<[unknown, string, object]>([
  [undefined, 'SG', { ...BLANK, country: 'SG' }],
  [{}, 'DE', BLANK],
  [{ country: 'DE' }, 'SG', { ...BLANK, country: undefined }],
  [{ country: 'SG', values: {} }, 'IN', { ...BLANK, country: 'SG', hasValues: true }],
  [{ values: null, validationErrors: null }, 'IN', BLANK],
  [{ values: 'x', validationErrors: 'x' }, 'IN', BLANK],
  [{ validationErrors: {} }, 'IN', { ...BLANK, hasValues: true, hasValidationErrors: true }],
  [FULL, 'IN', { ...BLANK, savedAddresses: 3, header: 'image' }],
])('reads from %j, at home in %s, which fields there are', (entered, home, expected) => {
  expect(addressStructure(entered, home)).toEqual(expected);
});

/** Where controls stand and what they do: `after: does path, label`. */
function controlsOf(entered: unknown): readonly string[] {
  return ADDRESS_PARTS.controls(entered).flatMap(({ after, controls }) =>
    controls.map(({ does, path, label }) => `${after}: ${does} ${path}, ${label}`),
  );
}
const FILL = 'open values, Fill in values…';
const add = (left: number) => `add savedAddresses, Add a saved address (${left} left)`;
const removed = (number: number) =>
  `savedAddresses.${number - 1}: remove savedAddresses.${number - 1}, Remove saved address ${number}`;

it('offers what can be added and removed, and no fourth saved address', () => {
  expect(controlsOf({})).toEqual([`country: ${FILL}`, `country: ${add(3)}`]);
  const errors = 'values: open validationErrors, Ask for corrections';
  expect(controlsOf({ values: {} })).toEqual([errors, `values: ${add(3)}`]);
  expect(controlsOf({ validationErrors: {}, savedAddresses: [{}] })).toEqual([
    removed(1),
    'values: remove validationErrors, Remove the corrections',
    `values: ${add(2)}`,
  ]);
  const moved = controlsOf({ savedAddresses: [{}, {}, {}] }).filter((one) => !one.includes(' Move '));
  expect(moved).toEqual([removed(1), removed(2), removed(3), `country: ${FILL}`]);
  expect(ADDRESS_PARTS.blank('savedAddresses')).toEqual({});
});

const BODY = { body: { text: 'Where to?' }, footer: { text: 'By noon.' } };
const FRAME = 'Where to?\nBy noon.\n\n[ Provide address ]\n';

it('shows the fields of Singapore, what they hold and what is wrong with it', () => {
  const entered = {
    ...BODY,
    country: 'SG',
    values: { name: 'Asha', sg_post_code: '0189' },
    validationErrors: { sg_post_code: 'Six digits.' },
  };
  expect(addressText(entered, ADDRESS_FIELDS)).toBe(
    `${FRAME}Name: Asha\nPhone Number: …\nPost Code: 0189  ⚠ Six digits.\nLandmark/Area: …`,
  );
});

it('shows three saved addresses at most, each in one line, above the fields of India', () => {
  const savedAddresses = [
    { value: { city: 'Pune', name: 'Asha', sg_post_code: '018956' } },
    { value: { city: ' ' } },
    {},
    { value: { city: 'Goa' } },
  ];
  const text = addressText({ ...BODY, country: 'DE', savedAddresses }, ADDRESS_FIELDS);
  expect(text).toBe(
    `${FRAME}○ Asha, Pune\n○ ⟨saved address 2⟩\n○ ⟨saved address 3⟩\n${[
      ...['Name', 'Phone Number', 'Pin Code', 'Flat/House Number', 'Floor Number', 'Tower Number'],
      ...['Building/Apartment Name', 'Address', 'Landmark/Area', 'Unit Number', 'City', 'State'],
    ]
      .map((label) => `${label}: …`)
      .join('\n')}`,
  );
});
