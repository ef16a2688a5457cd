import {
  type AddressFieldName,
  type AddressMessage,
  type AddressValues,
  readAddressValue,
} from '../address/fields.ts';
import { addressForm, notOfCountry } from '../address/form.ts';
import { addressText } from '../address/preview.ts';
import { ADDRESS_PARTS } from '../address/structure.ts';
import type { TextOf } from '../columns.ts';
import { readBody } from '../interactive/form.ts';
import { countryName, formatNumber, type Msisdn } from '../numbers/phone-number.ts';
import { isBlank } from '../text.ts';
import { ANY_HOUR, fact, type Kind, WITHOUT_REPLY_IDS, WITHOUT_SECRET } from './kind.ts';

/** A form that asks the customer for an address; docs/wire.md row 12. Its own form: {@link addressForm}. */
export const address: Kind<AddressMessage, 'chatapp'> = {
  ...ANY_HOUR,
  ...WITHOUT_REPLY_IDS,
  ...WITHOUT_SECRET,
  noun: 'an address message',
  title: 'Address message',
  command: { builds: 'a form that asks a customer in India or Singapore for an address.' },
  textPath: ['body', 'text'],
  senders: 'chatapp',
  channel: 'chatapp',
  parts: ADDRESS_PARTS,
  personalKeys: ['body', 'values'],
  form: addressForm,
  formValues,
  preview: (value) => ({ text: addressText(value) }),
  personalFields: ({ body, values }) => [
    { path: 'body.text', text: body },
    ...Object.entries(values).map(([name, text]) => ({ path: `values.${name}`, text })),
  ],
  personaliser: (message, compile) => {
    const body = compile(message.body);
    const texts = Object.entries(message.values).map(([name, text]) => [name, compile(text)] as const);
    return (values) => ({ ...message, body: body(values), values: filledIn(texts, values) });
  },
  sameForAll: ({ savedAddresses, validationErrors }) => ({
    ...Object.fromEntries(
      savedAddresses.flatMap(({ value }, index) =>
        Object.entries(value).map(([name, text]) => [`savedAddresses.${index}.value.${name}`, text]),
      ),
    ),
    ...Object.fromEntries(
      Object.entries(validationErrors).map(([name, text]) => [`validationErrors.${name}`, text]),
    ),
  }),
  rowProblem,
  facts: ({ from, country, values, savedAddresses, validationErrors }) => {
    const some = (count: number) => (count === 0 ? undefined : String(count));
    return [
      { label: 'From', value: formatNumber(from) },
      { label: 'Country', value: countryName(country) },
      ...fact('Values filled in', some(Object.keys(values).length)),
      ...fact('Saved addresses', some(savedAddresses.length)),
      ...fact('Corrections', some(Object.keys(validationErrors).length)),
    ];
  },
  attachments: () => [],
  text: (message) => addressText(formValues(message)),
  inShort: ({ body }) => `Address form: ${body.replaceAll('\n', ' ')}`,
  templateName: () => undefined,
};

function formValues({ from, country, body, values, savedAddresses, validationErrors }: AddressMessage) {
  return {
    from,
    country,
    body: { text: body },
    values,
    ...(savedAddresses.length === 0 ? {} : { savedAddresses }),
    ...(Object.keys(validationErrors).length === 0 ? {} : { validationErrors }),
  };
}

function rowProblem({ body, values, country }: AddressMessage, number: Msisdn): string | undefined {
  const read = readBody(body);
  if (!read.ok) return read.error;
  for (const [name, text] of Object.entries(values)) {
    const value = readAddressValue(name as AddressFieldName, country)(text);
    if (!value.ok) return value.error;
  }
  return notOfCountry(number, country);
}

/** A value that is empty in a row is left out: the customer fills it in. */
function filledIn(
  texts: readonly (readonly [name: string, text: TextOf])[],
  values: readonly string[],
): AddressValues {
  const filled = texts.map(([name, text]) => [name, text(values)] as const);
  return Object.fromEntries(filled.filter(([, text]) => !isBlank(text)));
}
