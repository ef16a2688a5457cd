import { type Arrangeable, type ControlGroup, entryControls } from '../form/arrangement.ts';
import { read, readList } from '../form/partial-values.ts';
import { type HeaderType, headerTypeIn } from '../interactive/structure.ts';
import { MOST_SAVED_ADDRESSES } from '../limits.ts';
import { ADDRESS_COUNTRIES, type AddressCountry } from './table.ts';

const SAVED_ADDRESSES = 'savedAddresses';
const VALUES = 'values';
const VALIDATION_ERRORS = 'validationErrors';

/** Which fields an address form has, by what it holds. */
export interface AddressStructure {
  /** Undefined for a country where address messages do not work. */
  readonly country: AddressCountry | undefined;
  readonly header: HeaderType;
  readonly savedAddresses: number;
  /** Whether the form asks for values; corrections come with them. */
  readonly hasValues: boolean;
  readonly hasValidationErrors: boolean;
}

/** @param otherwise the country where the form names none */
export function addressStructure(entered: unknown, otherwise: string): AddressStructure {
  const named = read(entered, 'country') ?? (supported(otherwise) ? otherwise : ADDRESS_COUNTRIES[0]);
  const hasValidationErrors = isGroup(read(entered, VALIDATION_ERRORS));
  return {
    country: supported(named),
    header: headerTypeIn(entered),
    savedAddresses: Math.min(readList(entered, SAVED_ADDRESSES).length, MOST_SAVED_ADDRESSES),
    hasValues: hasValidationErrors || isGroup(read(entered, VALUES)),
    hasValidationErrors,
  };
}

function isGroup(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function supported(country: unknown): AddressCountry | undefined {
  return ADDRESS_COUNTRIES.find((one) => one === country);
}

/** Saved addresses are added, removed and moved; values are opened, and sentences for a corrected form come and go. */
export const ADDRESS_PARTS: Arrangeable = {
  roots: ['header', VALUES, SAVED_ADDRESSES, VALIDATION_ERRORS],
  controls: (entered) => {
    const { savedAddresses: count, hasValues, hasValidationErrors } = addressStructure(entered, '');
    const entries = Array.from({ length: count }, (_none, index): ControlGroup => {
      const name = `saved address ${index + 1}`;
      return {
        after: `${SAVED_ADDRESSES}.${index}`,
        controls: entryControls(SAVED_ADDRESSES, index, count, name, 0),
      };
    });
    const left = MOST_SAVED_ADDRESSES - count;
    const add = { does: 'add' as const, path: SAVED_ADDRESSES, label: `Add a saved address (${left} left)` };
    const errors = hasValidationErrors
      ? { does: 'remove' as const, path: VALIDATION_ERRORS, label: 'Remove the corrections' }
      : { does: 'open' as const, path: VALIDATION_ERRORS, label: 'Ask for corrections' };
    const values = { does: 'open' as const, path: VALUES, label: 'Fill in values…' };
    const controls = [hasValues ? errors : values, ...(left > 0 ? [add] : [])];
    return [...entries, { after: hasValues ? VALUES : 'country', controls }];
  },
  blank: () => ({}),
};
