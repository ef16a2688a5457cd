import { z } from 'zod';
import { given } from '../../core/given.ts';
import { columnsUsed } from '../columns.ts';
import { type Arrangeable, type ControlGroup, entryControls } from '../form/arrangement.ts';
import {
  campaignNameOf,
  chatappSender,
  type FormContext,
  type FormSchema,
  field,
  formSchema,
  group,
  optional,
  type Rule,
  readLine,
  sequence,
} from '../form/form.ts';
import { read, readList } from '../form/partial-values.ts';
import { recipientField } from '../form/recipient.ts';
import { frameFields, frameOf } from '../interactive/frame.ts';
import { takeFreeId } from '../interactive/message.ts';
import { atMost } from '../interactive/plain-title.ts';
import { type HeaderType, headerTypeIn } from '../interactive/structure.ts';
import { BUTTON_ID_MAX_CHARACTERS, MOST_SAVED_ADDRESSES } from '../limits.ts';
import { countryName, parsePhoneNumber } from '../numbers/phone-number.ts';
import { DEFAULT_TERMS, type ServiceTerms } from '../service-terms.ts';
import type { Draft } from '../submission.ts';
import { checkRepeats, madeOf, type Read, type Refuse } from '../transforms.ts';
import {
  ADDRESS_COUNTRIES,
  ADDRESS_FIELDS,
  type AddressCountry,
  type AddressField,
  type AddressMessage,
  type AddressValues,
  addressFieldsOf,
  type SavedAddress,
} from './message.ts';

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

/** Reads a value of a field by the table's rules. Phone numbers become E.164. */
export function readAddressValue(
  { label, input, maxCharacters, isPostCode }: AddressField,
  country: AddressCountry,
): Read<string> {
  if (input === 'tel') return (typed) => parsePhoneNumber(typed, country);
  const length = maxCharacters === undefined ? [] : [atMost(maxCharacters)];
  const digits = isPostCode || input === 'number' ? [digitsOnly(country)] : [];
  const read = readLine(label, ...length, ...digits);
  return isPostCode ? (typed) => read(typed.replace(/\s/gu, '')) : read;
}

const POST_CODES: Readonly<Record<AddressCountry, string>> = { IN: '411001', SG: '018956' };

function digitsOnly(country: AddressCountry): Rule {
  return (text, label) =>
    /^\d+$/.test(text) ? undefined : `${label} has digits only, such as ${POST_CODES[country]}.`;
}

const ONLY_HERE =
  'Address messages work in India and Singapore only: the messaging service has address fields for no other country. Choose one of the two.';
const COUNTRY_LABELS = Object.fromEntries(ADDRESS_COUNTRIES.map((code) => [code, countryName(code)]));

/**
 * The form of an address message; docs/wire.md row 12.
 *
 * In: `{country, header?: {type, …}, body: {text}, footer?: {text?}, values?: {<field>?}, validationErrors?: {<field>?},
 * savedAddresses?: [{id?, value: {<field>?}}…], to, from, campaignName?}` with exactly the fields that the table gives the
 * country. Header and footer are those of interactive messages. Out: the message and its recipient.
 */
export function addressForm(context: FormContext): FormSchema<Draft<AddressMessage>> {
  const structure = addressStructure(context.entered, context.defaultCountry);
  const country = structure.country ?? ADDRESS_COUNTRIES[0];
  const many = context.recipients !== undefined;
  const { terms = DEFAULT_TERMS } = context;
  const fieldsOf = (leafOf: LeafOf) => fieldsGroup(country, terms, leafOf);
  const shape = {
    ...frameOfTerms(frameFields({ type: 'button', header: structure.header }), terms),
    country: countryField(country),
    values: structure.hasValues ? fieldsOf(valueLeaf(country, { many, prefix: '' })) : group({}),
    validationErrors: structure.hasValidationErrors ? fieldsOf(correctionLeaf) : group({}),
    savedAddresses: sequence(
      Array.from({ length: structure.savedAddresses }, (_none, index) =>
        savedFields(country, index + 1, fieldsOf),
      ),
      `There is room for ${MOST_SAVED_ADDRESSES} saved addresses. Remove those that are too many.`,
    ).transform(madeOf(savedAddressesOf)),
    to: recipientField(context),
    from: chatappSender(context),
    ...campaignNameOf(context, 'address'),
  };
  return formSchema(
    shape,
    ({ to, from, values, savedAddresses, validationErrors, campaignName, ...frame }) => ({
      to,
      message: {
        kind: 'address',
        from,
        country,
        ...frameOf(frame),
        values,
        savedAddresses,
        validationErrors,
        ...given({
          campaignName,
          fields: terms.addressFields === ADDRESS_FIELDS ? undefined : terms.addressFields,
        }),
      },
    }),
  );
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

/** Header and footer where requests carry them. */
function frameOfTerms(
  { header, body, footer }: ReturnType<typeof frameFields>,
  { takes }: ServiceTerms,
): ReturnType<typeof frameFields> {
  return {
    header: takes('address', 'header') ? header : group({}).transform(() => undefined),
    body,
    footer: takes('address', 'footer') ? footer : (group({}) as typeof footer),
  };
}

type ValueLeaf = ReturnType<typeof optional<string>>;
type LeafOf = (field: AddressField) => ValueLeaf;

/** A leaf for each field of the country. */
function fieldsGroup(country: AddressCountry, { addressFields: table }: ServiceTerms, leafOf: LeafOf) {
  const leaves = addressFieldsOf(country, table).map(([name, one]) => [name, leafOf(one)] as const);
  return group(Object.fromEntries(leaves)).transform(present);
}

/** An optional value. `many`: one that names a column is checked row by row. */
function valueLeaf(country: AddressCountry, { many, prefix }: { many: boolean; prefix: string }): LeafOf {
  return (one) => {
    const read = readAddressValue(one, country);
    const meta = { label: `${prefix}${one.label}`, hint: hintOf(one), affectsPreview: true };
    return optional(meta, (typed) =>
      many && columnsUsed(typed).length > 0 ? readLine(one.label)(typed) : read(typed),
    );
  };
}

const correctionLeaf: LeafOf = ({ label: of }) => {
  const label = `Correction for ${of}`;
  const hint = 'What the customer reads under this field. Empty: nothing is wrong with it.';
  return optional({ label, hint, affectsPreview: true }, readLine(label));
};

function savedFields(
  country: AddressCountry,
  number: number,
  fieldsOf: (leafOf: LeafOf) => ReturnType<typeof fieldsGroup>,
) {
  const label = `Saved address ${number}`;
  return group({
    id: optional(
      { label: `${label}: id`, hint: 'Unlike every other saved address’s. Left empty, Herald makes one.' },
      readLine(`${label}: id`, atMost(BUTTON_ID_MAX_CHARACTERS)),
    ),
    value: fieldsOf(valueLeaf(country, { many: false, prefix: `${label}: ` })),
  });
}

function hintOf({ input, maxCharacters, isPostCode }: AddressField): string {
  const most = maxCharacters === undefined ? '' : ` At most ${maxCharacters} characters.`;
  const asked = isPostCode ? 'number' : input;
  const rule = { text: '', tel: ' A valid phone number.', number: ' Digits only.' }[asked];
  return `Optional: what the form holds already.${rule}${most}`;
}

function present(values: Readonly<Record<string, string | undefined>>): AddressValues {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

interface SavedFields {
  readonly id: string | undefined;
  readonly value: AddressValues;
}

function savedAddressesOf(entries: readonly SavedFields[], refuse: Refuse): readonly SavedAddress[] {
  const ids = entries.map(({ id }) => id);
  checkRepeats(ids, (index, first) =>
    refuse([index, 'id'], `Saved address ${first + 1} has this id. Each needs its own.`),
  );
  for (const [index, { value }] of entries.entries()) {
    if (Object.keys(value).length === 0) refuse([index, 'value'], 'Enter this saved address, or remove it.');
  }
  const taken = new Set(ids.flatMap((id) => id ?? []));
  return entries.map(({ id, value }, index) => ({
    id: id ?? takeFreeId(`address-${index + 1}`, taken),
    value,
  }));
}
