import { z } from 'zod';
import { columnsUsed } from '../columns.ts';
import { type FormSchema, field } from '../form/field.ts';
import {
  chatappSender,
  type FormContext,
  formSchema,
  group,
  optional,
  type Read,
  readLine,
  required,
  sequence,
} from '../form/form.ts';
import { recipientField, SENDER_IS_RECIPIENT } from '../form/recipient.ts';
import { readBody } from '../interactive/form.ts';
import { lengthProblem } from '../interactive/plain-title.ts';
import { takeFreeId } from '../interactive/reply-ids.ts';
import {
  BUTTON_ID_MAX_CHARACTERS,
  INTERACTIVE_BODY_MAX_CHARACTERS,
  MOST_SAVED_ADDRESSES,
} from '../limits.ts';
import { countryName, countryOf, type Msisdn } from '../numbers/phone-number.ts';
import type { Draft } from '../submission.ts';
import {
  ADDRESS_COUNTRIES,
  ADDRESS_FIELDS,
  type AddressCountry,
  type AddressFieldName,
  type AddressMessage,
  type AddressValues,
  addressFieldNames,
  readAddressValue,
  type SavedAddress,
} from './fields.ts';
import { addressStructure, SAVED_ADDRESSES } from './structure.ts';

const ONLY_HERE =
  'Address messages work in India and Singapore only: the messaging service has address fields for no other country. Choose one of the two.';
const COUNTRY_LABELS = Object.fromEntries(ADDRESS_COUNTRIES.map((code) => [code, countryName(code)]));

/**
 * The form of an address message; docs/wire.md row 12.
 *
 * In: `{country, body: {text}, values: {<field>?}, validationErrors?: {<field>?}, savedAddresses?: [{id?, value:
 * {<field>?}}…], to, from}` with exactly the fields that the interface document's table "Address fields" gives the
 * country. Out: the message and its recipient, whose number must be of the country.
 */
export function addressForm(context: FormContext): FormSchema<Draft<AddressMessage>> {
  const structure = addressStructure(context.entered, context.defaultCountry);
  const country = structure.country ?? ADDRESS_COUNTRIES[0];
  const many = context.recipients !== undefined;
  const shape = {
    country: countryField(structure.country ?? ADDRESS_COUNTRIES[0]),
    to: recipientField(context),
    from: chatappSender(context),
    body: group({ text: bodyField() }),
    values: valuesGroup(country, { many, prefix: '' }),
    validationErrors: structure.hasValidationErrors ? correctionsGroup(country) : group({}),
    [SAVED_ADDRESSES]: sequence(
      Array.from({ length: structure.savedAddresses }, (_none, index) => savedFields(country, index + 1)),
      `There is room for ${MOST_SAVED_ADDRESSES} saved addresses. Remove those that are too many.`,
    ),
  };
  return formSchema(shape, (fields, refuse) => {
    const { to, from, body } = fields;
    if (from === to) refuse(['to'], SENDER_IS_RECIPIENT);
    const abroad = to === undefined ? undefined : notOfCountry(to, country);
    if (abroad !== undefined) refuse(['to'], abroad);
    return {
      to,
      message: {
        kind: 'address',
        from,
        country,
        body: body.text,
        values: present(fields.values),
        savedAddresses: savedAddressesOf(fields[SAVED_ADDRESSES], refuse),
        validationErrors: present(fields.validationErrors),
      },
    };
  });
}

/** Why an address message of this country cannot go to a number; undefined when it can. */
export function notOfCountry(number: Msisdn, country: AddressCountry): string | undefined {
  const own = countryOf(number);
  if (own === country) return undefined;
  const where = own === undefined ? 'belongs to no country' : `is of ${countryName(own)}`;
  return `This number ${where}, and the address form is for ${countryName(country)}: the service shows it there only. Enter a number of ${countryName(country)}, or choose the other country.`;
}

function countryField(initial: AddressCountry) {
  const meta = field({
    label: 'Country',
    hint: 'The customer’s number must be of this country.',
    optionLabels: COUNTRY_LABELS,
    initial,
    reshapes: true,
  });
  return z.enum(ADDRESS_COUNTRIES, { error: ONLY_HERE }).meta(meta);
}

function bodyField() {
  return required(
    {
      label: 'Body',
      input: 'multiline',
      hint: `What stands above the address form: 1 to ${INTERACTIVE_BODY_MAX_CHARACTERS} characters; an emoji counts as two or more.`,
      affectsPreview: true,
    },
    'Enter the text of the message.',
    readBody,
  );
}

/** The country's fields, each optional. `many`: a value that names a column is checked row by row. */
function valuesGroup(country: AddressCountry, { many, prefix }: { many: boolean; prefix: string }) {
  return fieldsOf(country, (name) => {
    const { label } = ADDRESS_FIELDS[name];
    const read = readAddressValue(name, country);
    return optional({ label: `${prefix}${label}`, hint: hintOf(name), affectsPreview: true }, (typed) =>
      many && columnsUsed(typed).length > 0 ? readLine(label)(typed) : read(typed),
    );
  });
}

function correctionsGroup(country: AddressCountry) {
  return fieldsOf(country, (name) => {
    const label = `Correction for ${ADDRESS_FIELDS[name].label}`;
    return optional(
      { label, hint: 'What the customer reads under this field. Empty: nothing is wrong with it.' },
      readLine(label),
    );
  });
}

function savedFields(country: AddressCountry, number: number) {
  const label = `Saved address ${number}`;
  return group({
    id: optional(
      { label: `${label}: id`, hint: 'Unlike every other saved address’s. Left empty, Herald makes one.' },
      readId(`${label}: id`),
    ),
    value: valuesGroup(country, { many: false, prefix: `${label}: ` }),
  });
}

function readId(label: string): Read<string> {
  return (typed) => {
    const line = readLine(label)(typed);
    if (!line.ok) return line;
    const problem = lengthProblem(line.value, label, BUTTON_ID_MAX_CHARACTERS);
    return problem === undefined ? line : { ok: false, error: problem };
  };
}

function hintOf(name: AddressFieldName): string {
  const { input, ...field } = ADDRESS_FIELDS[name];
  const most = 'maxCharacters' in field ? ` At most ${field.maxCharacters} characters.` : '';
  const rule = { text: '', tel: ' A valid number of the country.', number: ' Digits only.' }[input];
  return `Optional: what the form holds already.${rule}${most}`;
}

type ValueLeaf = ReturnType<typeof optional<string>>;

function fieldsOf(country: AddressCountry, leafOf: (name: AddressFieldName) => ValueLeaf) {
  return group(
    Object.fromEntries(addressFieldNames(country).map((name) => [name, leafOf(name)])) as Partial<
      Record<AddressFieldName, ValueLeaf>
    > as Record<string, ValueLeaf>,
  );
}

function present(values: Readonly<Record<string, unknown>>): AddressValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

interface SavedFields {
  readonly id: string | undefined;
  readonly value: Readonly<Record<string, string | undefined>>;
}

function savedAddressesOf(
  entries: readonly SavedFields[],
  refuse: (path: readonly (string | number)[], message: string) => void,
): readonly SavedAddress[] {
  const ids = entries.map(({ id }) => id);
  for (const [index, { id, value }] of entries.entries()) {
    const first = ids.indexOf(id);
    if (id !== undefined && first < index) {
      refuse([SAVED_ADDRESSES, index, 'id'], `Saved address ${first + 1} has this id. Each needs its own.`);
    }
    if (Object.keys(present(value)).length === 0) {
      refuse([SAVED_ADDRESSES, index, 'value'], 'Enter this saved address, or remove it.');
    }
  }
  const taken = new Set(ids.flatMap((id) => id ?? []));
  return entries.map(({ id, value }, index) => ({
    id: id ?? takeFreeId(`address-${index + 1}`, taken),
    value: present(value),
  }));
}
