import { given } from '../../core/given.ts';
import { ok } from '../../core/result.ts';
import {
  ADDRESS_BUTTON,
  ADDRESS_PARTS,
  addressForm,
  addressText,
  readAddressValue,
} from '../address/form.ts';
import { ADDRESS_FIELDS, type AddressMessage, type AddressValues } from '../address/message.ts';
import type { TextOf } from '../columns.ts';
import { framed, frameValues } from '../interactive/frame.ts';
import { countryName, countryOf, formatNumber, type Msisdn } from '../numbers/phone-number.ts';
import { DEFAULT_TERMS } from '../service-terms.ts';
import { isBlank } from '../text.ts';
import { fact, type Kind } from './kind.ts';

const FRAMED = framed<AddressMessage>('');

export const address: Kind<AddressMessage, 'chatapp'> = {
  ...FRAMED,
  noun: 'an address message',
  title: 'Address message',
  purpose: 'A form for an address in India or Singapore',
  command: { builds: 'a form that asks a customer in India or Singapore for an address.' },
  parts: ADDRESS_PARTS,
  personalPaths: [...FRAMED.personalPaths, 'values'],
  form: addressForm,
  formValues,
  preview: (value, _template, { addressFields } = DEFAULT_TERMS) => ({
    text: addressText(value, addressFields),
  }),
  personalFields: (message) => [
    ...FRAMED.personalFields(message),
    ...Object.entries(message.values).map(([name, text]) => ({ path: `values.${name}`, text })),
  ],
  personaliser: (message, compile) => {
    const filled = FRAMED.personaliser(message, compile);
    const texts = Object.entries(message.values).map(([name, text]) => [name, compile(text)] as const);
    return (values) => ({ ...filled(values), values: filledIn(message, texts, values) });
  },
  rowProblem,
  facts: ({ from, country, values, savedAddresses, validationErrors, campaignName }) => [
    { label: 'From', value: formatNumber(from) },
    { label: 'Country', value: countryName(country) },
    ...fact('Values filled in', countIn(values)),
    ...fact('Saved addresses', countIn(savedAddresses)),
    ...fact('Corrections', countIn(validationErrors)),
    ...fact('Campaign', campaignName),
  ],
  text: (message) => addressText(formValues(message), message.fields ?? ADDRESS_FIELDS),
  buttonLines: () => [ADDRESS_BUTTON],
  withoutWords: (message) => ({
    ...FRAMED.withoutWords(message),
    values: {},
    savedAddresses: [],
    validationErrors: {},
  }),
  inShort: (message) => `Address form: ${FRAMED.inShort(message)}`,
};

function countIn(part: object): string | undefined {
  return Object.keys(part).length === 0 ? undefined : String(Object.keys(part).length);
}

function formValues(message: AddressMessage) {
  const { from, country, values, savedAddresses, validationErrors, campaignName } = message;
  return {
    from,
    country,
    ...frameValues(message),
    ...filled({ values, savedAddresses, validationErrors }),
    ...given({ campaignName }),
  };
}

function filled(parts: Readonly<Record<string, object>>) {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0));
}

function rowProblem(message: AddressMessage, number: Msisdn): string | undefined {
  const { country } = message;
  const problem = FRAMED.rowProblem(message);
  if (problem !== undefined) return problem;
  for (const [name, text] of Object.entries(message.values)) {
    const value = readValue(message, name, text);
    if (!value.ok) return value.error;
  }
  const own = countryOf(number);
  if (own === country) return undefined;
  const where = own === undefined ? 'belongs to no country' : `is of ${countryName(own)}`;
  return `This number ${where}, and the address form is for ${countryName(country)}: the service shows it there only. Enter a number of ${countryName(country)}, or choose the other country.`;
}

/** A value that is empty in a row is left out: the customer fills it in. One that breaks a rule stays, to be refused. */
function filledIn(
  message: AddressMessage,
  texts: readonly (readonly [name: string, text: TextOf])[],
  values: readonly string[],
): AddressValues {
  const filled = texts.map(([name, textOf]) => {
    const text = textOf(values);
    const value = readValue(message, name, text);
    return [name, value.ok ? value.value : text] as const;
  });
  return Object.fromEntries(filled.filter(([, text]) => !isBlank(text)));
}

/** Reads a value by the rules of its field; one whose field the table no longer has stays as it is. */
function readValue({ country, fields = ADDRESS_FIELDS }: AddressMessage, name: string, text: string) {
  const one = fields[name];
  return one === undefined ? ok(text) : readAddressValue(one, country)(text);
}
