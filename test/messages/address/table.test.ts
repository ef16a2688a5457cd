import { expect, it } from 'vitest';
import { wireSchema } from '../../../src/gateway/wire.ts';
import { ADDRESS_FIELDS } from '../../../src/messages/address/message.ts';
import { KINDS, type Message } from '../../../src/messages/kinds.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { parseSubmission } from '../../../src/messages/parse-submission.ts';
import { leavesOf } from '../../../src/slack/kit/forms/form-blocks.ts';
import { table } from '../../table.ts';
import { addressFormSg, changed } from '../interactive-samples.ts';
import { CONTEXT } from '../samples.ts';

const CORRECTED = {
  unit_number: { countries: ['SG'] },
  sg_post_code: { maxCharacters: null, label: 'Postcode' },
  name: { maxCharacters: 4 },
  phone_number: { countries: [] },
  floor: { label: 'Floor', countries: ['SG'], input: 'number' },
};
const { terms } = wireSchema.parse({ address: { fields: CORRECTED } });
const context = { ...CONTEXT, terms };

function issues(fields: unknown): readonly string[] {
  const parsed = wireSchema.safeParse({ address: { fields } });
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

it('the form, its rules and its preview follow a corrected table', () => {
  const held = { country: 'SG', values: {} };
  const labels = leavesOf(KINDS.address.form({ ...context, entered: held }))
    .filter(({ path }) => path.startsWith('values.'))
    .map(({ path, meta }) => `${path}: ${meta.label}`);
  expect(labels).toEqual([
    'values.name: Name',
    'values.sg_post_code: Postcode',
    'values.landmark_area: Landmark/Area',
    'values.unit_number: Unit Number',
    'values.floor: Floor',
  ]);
  const submit = (values: object) => {
    const parsed = parseSubmission('address', context, { ...addressFormSg(), values });
    return parsed.ok ? [] : parsed.error.map(({ path, message }) => `${path}: ${message}`);
  };
  expect(submit({ city: 'x' })).toEqual(['values.city: The form has no such field. Open the form again.']);
  expect(submit({ name: 'Meiling', floor: 'two' })).toEqual([
    'values.name: Name has 7 characters; at most 4 are possible (an emoji counts as two or more). Shorten it by 3.',
    'values.floor: Floor has digits only, such as 018956.',
  ]);
  expect(KINDS.address.preview(held, undefined, terms).text).toContain('Floor: …');
});

it('a message keeps the table that it was made by: its rows are held to it, and its card says its labels', () => {
  const long = changed(addressFormSg(), 'values', { sg_post_code: '0189561', unit_number: '#05-01' });
  const parsed = parseSubmission('address', context, long);
  const message = (parsed.ok ? parsed.value.message : undefined) as Extract<Message, { kind: 'address' }>;
  expect(message).toMatchObject({ values: { sg_post_code: '0189561', unit_number: '#05-01' } });
  const stored = JSON.parse(JSON.stringify(message)) as typeof message;
  expect(KINDS.address.text(stored, undefined)).toContain('Postcode: 0189561');
  const problemOf = (values: typeof message.values, more = {}) =>
    KINDS.address.rowProblem({ ...stored, values, ...more }, '+6591234567' as Msisdn);
  expect(problemOf({ name: 'Meiling' })).toContain('Name has 7 characters');
  expect(problemOf({ nobody: 'Meiling', name: 'Mei' })).toBeUndefined();
  expect(problemOf({}, { footer: 'x'.repeat(61) })).toContain('Footer has 61 characters');
  expect(parseSubmission('address', CONTEXT, addressFormSg())).not.toHaveProperty('value.message.fields');
});

it('a correction changes what it names, and nothing else', () => {
  expect(terms.addressFields).toEqual({
    ...ADDRESS_FIELDS,
    unit_number: { label: 'Unit Number', input: 'text', countries: ['SG'] },
    sg_post_code: { label: 'Postcode', input: 'number', countries: ['SG'], isPostCode: true },
    name: { label: 'Name', input: 'text', countries: ['IN', 'SG'], maxCharacters: 4 },
    phone_number: { label: 'Phone Number', input: 'tel', countries: [] },
    floor: { label: 'Floor', input: 'number', countries: ['SG'] },
  });
  const two = Object.fromEntries(['a', 'b'].map((name) => [name, { label: name, countries: ['IN'] }]));
  expect(issues(two)).toEqual([]);
  expect(issues({ street: { countries: ['IN'] } })).toEqual([
    'address.fields.street: This field is not in the document: give it a label and countries.',
  ]);
  const pin = wireSchema.parse({ address: { fields: { in_pin_code: { label: 'PIN' }, lane: two.a } } });
  expect(pin.terms.addressFields).toMatchObject({
    in_pin_code: { label: 'PIN', maxCharacters: 6 },
    lane: { label: 'a', input: 'text', countries: ['IN'] },
  });
});

it('is the document’s where nothing is given', () => {
  expect(wireSchema.parse({}).terms.addressFields).toBe(ADDRESS_FIELDS);
});

const THREE = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { label: name, countries: ['IN'] }]));
it.each(table`
{ "street": { "label": "Street" } } | .street: This field is not in the document: give it a label and countries.
{ "city": { "countries": ["US"] } } | .city.countries.0:
{ "city": { "maxCharacters": 0 } } | .city.maxCharacters: “maxCharacters” is a whole number from 1 to 3000.
{ "city": { "max": 5 } } | .city: An address field has no “max”; it has label, input, countries, maxCharacters.
${JSON.stringify(THREE)} | : An address in IN has 15 fields; a form has room for 14.`)(
  'refuses the correction %s',
  (fields = '', said) => {
    expect(issues(JSON.parse(fields))).toEqual([expect.stringContaining(`address.fields${said}`)]);
  },
);
