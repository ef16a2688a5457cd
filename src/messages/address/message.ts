import { z } from 'zod';
import { given } from '../../core/given.ts';
import type { Frame } from '../interactive/message.ts';
import { POST_CODE_MAX_CHARACTERS } from '../limits.ts';
import type { Msisdn } from '../numbers/phone-number.ts';
import { characterLimit, madeOf, type Refuse, strict, words } from '../transforms.ts';

/** Where address messages work (interface document, "Address fields"). */
export const ADDRESS_COUNTRIES = ['IN', 'SG'] as const;
export type AddressCountry = (typeof ADDRESS_COUNTRIES)[number];

const INPUTS = ['text', 'tel', 'number'] as const;

export interface AddressField {
  /** The document's display label. */
  readonly label: string;
  /** The document's input type: what the customer's phone asks with. */
  readonly input: (typeof INPUTS)[number];
  readonly countries: readonly AddressCountry[];
  readonly maxCharacters?: number;
  /** Only digits; blanks between them are taken out, because people write `411 001`. */
  readonly isPostCode?: boolean;
}

/** Fields by the names that requests and answers have for them. */
export type AddressTable = Readonly<Record<string, AddressField>>;

const INDIA = ['IN'] as const;
const BOTH = ADDRESS_COUNTRIES;
const POST_CODE = { maxCharacters: POST_CODE_MAX_CHARACTERS, isPostCode: true } as const;

/** The table "Address fields" of the interface document, in its order. */
export const ADDRESS_FIELDS: AddressTable = {
  name: { label: 'Name', input: 'text', countries: BOTH },
  phone_number: { label: 'Phone Number', input: 'tel', countries: BOTH },
  in_pin_code: { label: 'Pin Code', input: 'text', countries: INDIA, ...POST_CODE },
  sg_post_code: { label: 'Post Code', input: 'number', countries: ['SG'], ...POST_CODE },
  house_number: { label: 'Flat/House Number', input: 'text', countries: INDIA },
  floor_number: { label: 'Floor Number', input: 'text', countries: INDIA },
  tower_number: { label: 'Tower Number', input: 'text', countries: INDIA },
  building_name: { label: 'Building/Apartment Name', input: 'text', countries: INDIA },
  address: { label: 'Address', input: 'text', countries: INDIA },
  landmark_area: { label: 'Landmark/Area', input: 'text', countries: BOTH },
  unit_number: { label: 'Unit Number', input: 'text', countries: INDIA },
  city: { label: 'City', input: 'text', countries: INDIA },
  state: { label: 'State', input: 'text', countries: INDIA },
};

/** The fields that a table gives a country, by name, in its order. */
export function addressFieldsOf(country: AddressCountry, table: AddressTable) {
  return Object.entries(table).filter(([, { countries }]) => countries.includes(country));
}

/** Slack: a form holds 100 blocks, and asks for a field up to five times: value, correction, three saved addresses. */
const MOST_FIELDS = 14;
const COUNTRIES_RULE = `“countries” is a list of any of ${ADDRESS_COUNTRIES.join(', ')}.`;

const correction = strict('An address field', {
  label: words('A field’s label', false).optional(),
  input: z.enum(INPUTS, `“input” is one of ${INPUTS.join(', ')}.`).optional(),
  countries: z.array(z.enum(ADDRESS_COUNTRIES), COUNTRIES_RULE).optional(),
  maxCharacters: characterLimit('maxCharacters').nullable().optional(),
});

/**
 * `wire.address.fields` of herald.yml: `{<field>: {label?, input?, countries?, maxCharacters?}}` over the document's
 * table. A field that the table does not have needs a label and countries; one without countries is in no form;
 * `maxCharacters: null` takes a limit away. Parses to the whole table.
 */
export const addressFieldsSchema = z
  .record(
    z.string().regex(/^[a-z][a-z0-9_]*$/, 'Write a field as requests name it, such as unit_number.'),
    correction,
    'Write address fields by their names.',
  )
  .transform(madeOf(tableWith));

function tableWith(
  corrections: Readonly<Record<string, z.output<typeof correction>>>,
  refuse: Refuse,
): AddressTable {
  const table: Record<string, AddressField> = { ...ADDRESS_FIELDS };
  for (const [name, { maxCharacters: most, ...corrected }] of Object.entries(corrections)) {
    const { label, countries, input = 'text' } = { ...table[name], ...corrected };
    if (label === undefined || countries === undefined) {
      refuse([name], 'This field is not in the document: give it a label and countries.');
      continue;
    }
    const limit = most === undefined ? table[name]?.maxCharacters : most;
    const { isPostCode } = table[name] ?? {};
    table[name] = {
      label,
      input,
      countries,
      ...given({ maxCharacters: limit ?? undefined, isPostCode }),
    };
  }
  for (const country of ADDRESS_COUNTRIES) {
    const count = addressFieldsOf(country, table).length;
    if (count > MOST_FIELDS)
      refuse([], `An address in ${country} has ${count} fields; a form has room for ${MOST_FIELDS}.`);
  }
  return table;
}

/** Texts by field; only fields of the country, and only those that have one. */
export type AddressValues = Readonly<Record<string, string>>;

/** An address that the customer can pick instead of typing one. */
export type SavedAddress = { readonly id: string; readonly value: AddressValues };

/** docs/wire.md row 12, without its recipient. */
export interface AddressMessage extends Frame {
  readonly kind: 'address';
  readonly from: Msisdn;
  readonly country: AddressCountry;
  /** What the form holds already; only fields of the country. */
  readonly values: AddressValues;
  readonly savedAddresses: readonly SavedAddress[];
  /** A sentence for the customer under each field that has to be corrected. */
  readonly validationErrors: AddressValues;
  readonly campaignName?: string;
  /** The table that its form had, where that was not the interface document's. */
  readonly fields?: AddressTable;
}
