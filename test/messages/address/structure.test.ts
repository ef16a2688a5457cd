import { expect, it } from 'vitest';
import { ADDRESS_PARTS, addressStructure } from '../../../src/messages/address/form.ts';

const BLANK = {
  country: 'IN',
  header: 'none',
  savedAddresses: 0,
  hasValues: false,
  hasValidationErrors: false,
};

it.each<[unknown, string, object]>([
  [undefined, 'SG', { ...BLANK, country: 'SG' }],
  [{}, 'DE', BLANK],
  [{ country: 'DE' }, 'SG', { ...BLANK, country: undefined }],
  [{ country: 'SG', values: {} }, 'IN', { ...BLANK, country: 'SG', hasValues: true }],
  [{ values: null, validationErrors: null }, 'IN', BLANK],
  [{ values: 'x', validationErrors: 'x' }, 'IN', BLANK],
  [{ validationErrors: {} }, 'IN', { ...BLANK, hasValues: true, hasValidationErrors: true }],
  [
    { savedAddresses: [{}, {}, {}, {}], header: { type: 'image' } },
    'IN',
    { ...BLANK, savedAddresses: 3, header: 'image' },
  ],
])('reads from %j, at home in %s, which fields there are', (entered, home, expected) => {
  expect(addressStructure(entered, home)).toEqual(expected);
});

const open = (path: string, label: string) => ({ does: 'open', path, label });
const add = (left: number) => ({
  does: 'add',
  path: 'savedAddresses',
  label: `Add a saved address (${left} left)`,
});

it.each<[unknown, readonly object[]]>([
  [{}, [{ after: 'country', controls: [open('values', 'Fill in values…'), add(3)] }]],
  [
    { values: {} },
    [{ after: 'values', controls: [open('validationErrors', 'Ask for corrections'), add(3)] }],
  ],
  [
    { validationErrors: {}, savedAddresses: [{}] },
    [
      {
        after: 'savedAddresses.0',
        controls: [{ does: 'remove', path: 'savedAddresses.0', label: 'Remove saved address 1' }],
      },
      {
        after: 'values',
        controls: [{ does: 'remove', path: 'validationErrors', label: 'Remove the corrections' }, add(2)],
      },
    ],
  ],
])('offers for %j what can be added and removed', (entered, groups) => {
  expect(ADDRESS_PARTS.controls(entered)).toEqual(groups);
});

it('has no room for a fourth saved address', () => {
  const groups = ADDRESS_PARTS.controls({ savedAddresses: [{}, {}, {}] });
  expect(groups.map(({ after }) => after)).toEqual([
    ...['savedAddresses.0', 'savedAddresses.1', 'savedAddresses.2'],
    'country',
  ]);
  expect(groups.at(-1)?.controls).toEqual([open('values', 'Fill in values…')]);
  expect(ADDRESS_PARTS.blank('savedAddresses')).toEqual({});
});
