import { fail, ok } from '../../core/result.ts';
import { type Read, readLine } from '../form/form.ts';
import { lengthProblem } from '../interactive/plain-title.ts';
import { POST_CODE_MAX_CHARACTERS } from '../limits.ts';
import {
  countryName,
  countryOf,
  exampleNumber,
  type Msisdn,
  parsePhoneNumber,
} from '../numbers/phone-number.ts';

/** Where address messages work (interface document, "Address fields"). */
export const ADDRESS_COUNTRIES = ['IN', 'SG'] as const;
export type AddressCountry = (typeof ADDRESS_COUNTRIES)[number];

interface AddressField {
  /** The document's display label. */
  readonly label: string;
  /** The document's input type: what the customer's phone asks with. */
  readonly input: 'text' | 'tel' | 'number';
  readonly countries: readonly AddressCountry[];
  readonly maxCharacters?: number;
}

const INDIA = ['IN'] as const;
const BOTH = ['IN', 'SG'] as const;

/** The table "Address fields" of the interface document, in its order. */
export const ADDRESS_FIELDS = {
  name: { label: 'Name', input: 'text', countries: BOTH },
  phone_number: { label: 'Phone Number', input: 'tel', countries: BOTH },
  in_pin_code: {
    label: 'Pin Code',
    input: 'text',
    countries: INDIA,
    maxCharacters: POST_CODE_MAX_CHARACTERS,
  },
  sg_post_code: {
    label: 'Post Code',
    input: 'number',
    countries: ['SG'],
    maxCharacters: POST_CODE_MAX_CHARACTERS,
  },
  house_number: { label: 'Flat/House Number', input: 'text', countries: INDIA },
  floor_number: { label: 'Floor Number', input: 'text', countries: INDIA },
  tower_number: { label: 'Tower Number', input: 'text', countries: INDIA },
  building_name: { label: 'Building/Apartment Name', input: 'text', countries: INDIA },
  address: { label: 'Address', input: 'text', countries: INDIA },
  landmark_area: { label: 'Landmark/Area', input: 'text', countries: BOTH },
  unit_number: { label: 'Unit Number', input: 'text', countries: INDIA },
  city: { label: 'City', input: 'text', countries: INDIA },
  state: { label: 'State', input: 'text', countries: INDIA },
} as const satisfies Record<string, AddressField>;

export type AddressFieldName = keyof typeof ADDRESS_FIELDS;

/** Texts by field; only fields of the country, and only those that have one. */
export type AddressValues = Readonly<Partial<Record<AddressFieldName, string>>>;

/** An address that the customer can pick instead of typing one. */
export interface SavedAddress {
  readonly id: string;
  readonly value: AddressValues;
}

/** A form that asks the customer for an address, without its recipient: docs/wire.md row 12. */
export interface AddressMessage {
  readonly kind: 'address';
  readonly from: Msisdn;
  readonly country: AddressCountry;
  readonly body: string;
  /** What the form holds already; only fields of the country. */
  readonly values: AddressValues;
  readonly savedAddresses: readonly SavedAddress[];
  /** A sentence for the customer under each field that has to be corrected. */
  readonly validationErrors: AddressValues;
}

/** The fields that the table gives a country, in its order. */
export function addressFieldNames(country: AddressCountry): readonly AddressFieldName[] {
  return (Object.keys(ADDRESS_FIELDS) as AddressFieldName[]).filter((name) => {
    const { countries }: AddressField = ADDRESS_FIELDS[name];
    return countries.includes(country);
  });
}

/** Reads a value of a field by the table's rules. Phone numbers become E.164 and must be the country's. */
export function readAddressValue(name: AddressFieldName, country: AddressCountry): Read<string> {
  const { label, input, maxCharacters }: AddressField = ADDRESS_FIELDS[name];
  return (typed) => {
    if (input === 'tel') return readPhoneNumber(typed, country);
    const line = readLine(label)(typed);
    if (!line.ok) return line;
    const long = maxCharacters === undefined ? undefined : lengthProblem(line.value, label, maxCharacters);
    if (long !== undefined) return fail(long);
    if (input === 'number' && !/^\d+$/.test(line.value))
      return fail(`${label} has digits only, such as 018956.`);
    return ok(line.value);
  };
}

function readPhoneNumber(typed: string, country: AddressCountry) {
  const number = parsePhoneNumber(typed, country);
  if (!number.ok || countryOf(number.value) === country) return number;
  return fail(
    `This is no number of ${countryName(country)}. Enter one that is, for example ${exampleNumber(country)}.`,
  );
}
