import { expect, it } from 'vitest';
import { ADDRESS_PARTS, addressStructure } from '../../../src/messages/address/form.ts';

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
