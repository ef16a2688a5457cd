import { read, readList, typed } from '../form/partial-values.ts';
import { withLineFeeds } from '../text.ts';
import { ADDRESS_FIELDS, type AddressCountry, addressFieldNames } from './fields.ts';
import { addressStructure } from './structure.ts';

/** An address message as the phone shows it once the form is opened, as far as it is filled in. Never throws. */
export function addressText(entered: unknown): string {
  const { country = 'IN', savedAddresses } = addressStructure(entered, '');
  const saved = readList(entered, 'savedAddresses').slice(0, savedAddresses);
  return [
    withLineFeeds(typed(read(entered, 'body', 'text')) ?? '⟨body⟩'),
    '',
    '[ Provide address ]',
    ...saved.map(
      (entry, index) => `○ ${addressLine(read(entry, 'value'), country) || `⟨saved address ${index + 1}⟩`}`,
    ),
    ...addressFieldNames(country).map((name) => {
      const correction = typed(read(entered, 'validationErrors', name));
      const value = typed(read(entered, 'values', name)) ?? '…';
      return `${ADDRESS_FIELDS[name].label}: ${value}${correction === undefined ? '' : `  ⚠ ${correction}`}`;
    }),
  ].join('\n');
}

function addressLine(value: unknown, country: AddressCountry): string {
  return addressFieldNames(country)
    .flatMap((name) => typed(read(value, name)) ?? [])
    .join(', ');
}
