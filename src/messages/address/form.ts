import { z } from 'zod';
import { given } from '../../core/given.ts';
import { columnsUsed } from '../columns.ts';
import { type Arrangeable, controlsOfEntries } from '../form/arrangement.ts';
import {
  campaignNameOf,
  chatappSender,
  type Draft,
  type FormContext,
  type FormSchema,
  field,
  formSchema,
  group,
  optional,
  optionalLine,
  type Rule,
  readLine,
  sequence,
} from '../form/form.ts';
import { read, readList, typed } from '../form/partial-values.ts';
import { recipientField } from '../form/recipient.ts';
import { frameFields, frameOf } from '../interactive/frame.ts';
import { takeFreeId } from '../interactive/message.ts';
import { atMost } from '../interactive/plain-title.ts';
import { buttonLine, frameLines } from '../interactive/preview.ts';
import { headerTypeIn } from '../interactive/structure.ts';
import { INTERACTIVE_LIMITS, MOST_SAVED_ADDRESSES } from '../limits.ts';
import { countryName, parsePhoneNumber } from '../numbers/phone-number.ts';
import { DEFAULT_TERMS, type ServiceTerms } from '../service-terms.ts';
import { checkRepeats, madeOf, type Read, type Refuse } from '../transforms.ts';
import {
  ADDRESS_COUNTRIES,
  ADDRESS_FIELDS,
  type AddressCountry,
  type AddressField,
  type AddressMessage,
  type AddressTable,
  type AddressValues,
  addressFieldsOf,
  type SavedAddress,
} from './message.ts';

const SAVED_ADDRESSES = 'savedAddresses';
const VALUES = 'values';
const VALIDATION_ERRORS = 'validationErrors';

/**
 * Which fields an address form has, by what it holds; no country where address messages do not work.
 *
 * @param otherwise the country where the form names none
 */
export function addressStructure(entered: unknown, otherwise: string) {
  const named = read(entered, 'country') ?? (supported(otherwise) ? otherwise : ADDRESS_COUNTRIES[0]);
  const hasValidationErrors = read(entered, VALIDATION_ERRORS) instanceof Object;
  return {
    /** Undefined for a country where address messages do not work. */
    country: supported(named),
    header: headerTypeIn(entered),
    savedAddresses: Math.min(readList(entered, SAVED_ADDRESSES).length, MOST_SAVED_ADDRESSES),
    // Corrections come with them.
    hasValues: hasValidationErrors || read(entered, VALUES) instanceof Object,
    hasValidationErrors,
  };
}

function supported(country: unknown): AddressCountry | undefined {
  return ADDRESS_COUNTRIES.find((one) => one === country);
}

/** Saved addresses are added, removed and moved; values are opened, and sentences for a corrected form come and go. */
export const ADDRESS_PARTS: Arrangeable = {
  help: 'The customer’s number must be of the country. What you fill in stands in the customer’s form already; under a correction they read what is wrong with that field.',
  roots: ['header', VALUES, SAVED_ADDRESSES, VALIDATION_ERRORS],
  controls: (entered) => {
    const { savedAddresses: count, hasValues, hasValidationErrors } = addressStructure(entered, '');
    const entries = controlsOfEntries(SAVED_ADDRESSES, count, (number) => `saved address ${number}`, 0);
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
  const most = isPostCode ? mostDigits : atMost;
  const length = maxCharacters === undefined ? [] : [most(maxCharacters)];
  const digits = isPostCode || input === 'number' ? [digitsOnly(country)] : [];
  const read = readLine(label, ...length, ...digits);
  return isPostCode ? (typed) => read(typed.replace(/\s/gu, '')) : read;
}

function mostDigits(most: number): Rule {
  return (text, label) =>
    text.length <= most ? undefined : `A ${label.toLowerCase()} has ${most} digits; this has ${text.length}.`;
}

const POST_CODES: Readonly<Record<AddressCountry, string>> = { IN: '411001', SG: '018956' };

function digitsOnly(country: AddressCountry): Rule {
  return (text, label) =>
    /^\d+$/.test(text) ? undefined : `${label} has digits only, such as ${POST_CODES[country]}.`;
}

const ONLY_HERE =
  'Address messages work in India and Singapore only: the messaging service has address fields for no other country. Choose one of the two.';
const COUNTRY_LABELS = Object.fromEntries(ADDRESS_COUNTRIES.map((code) => [code, countryName(code)]));

/** Exactly the fields that the table gives the country; header and footer are those of interactive messages. */
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
      Array.from({ length: structure.savedAddresses }, (_none, index) => {
        const label = `Saved address ${index + 1}: `;
        const id = optionalLine({ label: `${label}id` }, atMost(INTERACTIVE_LIMITS.buttonId));
        return group({ id, value: fieldsOf(valueLeaf(country, { many: false, prefix: label })) });
      }),
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
  const meta = field({ label: 'Country', optionLabels: COUNTRY_LABELS, initial, reshapes: true });
  return z.enum(ADDRESS_COUNTRIES, ONLY_HERE).meta(meta);
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

function fieldsGroup(country: AddressCountry, { addressFields: table }: ServiceTerms, leafOf: LeafOf) {
  const leaves = addressFieldsOf(country, table).map(([name, one]) => [name, leafOf(one)] as const);
  return group(Object.fromEntries(leaves)).transform((values) => given(values) as AddressValues);
}

/** An optional value. `many`: one that names a column is checked row by row. */
function valueLeaf(country: AddressCountry, { many, prefix }: { many: boolean; prefix: string }): LeafOf {
  return (one) => {
    const read = readAddressValue(one, country);
    const meta = { label: `${prefix}${one.label}`, affectsPreview: true };
    return optional(meta, (typed) =>
      many && columnsUsed(typed).length > 0 ? readLine(one.label)(typed) : read(typed),
    );
  };
}

const correctionLeaf: LeafOf = ({ label }) =>
  optionalLine({ label: `Correction for ${label}`, affectsPreview: true });

function savedAddressesOf(
  entries: readonly { readonly id?: string | undefined; readonly value: AddressValues }[],
  refuse: Refuse,
): readonly SavedAddress[] {
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
