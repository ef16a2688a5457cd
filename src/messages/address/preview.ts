import { read, readList, typed } from '../form/partial-values.ts';
import { buttonLine, frameLines } from '../interactive/preview.ts';
import { addressStructure } from './form.ts';
import { type AddressCountry, type AddressTable, addressFieldsOf } from './message.ts';

export const ADDRESS_BUTTON = buttonLine('Provide address');

/** An address message as the phone shows it once the form is opened, as far as it is filled in. Never throws. */
export function addressText(entered: unknown, table: AddressTable): string {
  const { country = 'IN', savedAddresses } = addressStructure(entered, '');
  const saved = readList(entered, 'savedAddresses').slice(0, savedAddresses);
  return [
    ...frameLines(entered),
    '',
    ADDRESS_BUTTON,
    ...saved.map((entry, index) => {
      const line = addressLine(read(entry, 'value'), country, table);
      return `○ ${line || `⟨saved address ${index + 1}⟩`}`;
    }),
    ...addressFieldsOf(country, table).map(([name, { label }]) => {
      const correction = typed(read(entered, 'validationErrors', name));
      const value = typed(read(entered, 'values', name)) ?? '…';
      return `${label}: ${value}${correction === undefined ? '' : `  ⚠ ${correction}`}`;
    }),
  ].join('\n');
}

function addressLine(value: unknown, country: AddressCountry, table: AddressTable): string {
  return addressFieldsOf(country, table)
    .flatMap(([name]) => typed(read(value, name)) ?? [])
    .join(', ');
}
