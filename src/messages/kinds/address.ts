import { given } from '../../core/given.ts';
import { ok, type Result } from '../../core/result.ts';
import { ADDRESS_PARTS, addressForm, readAddressValue } from '../address/form.ts';
import { ADDRESS_FIELDS, type AddressMessage, type AddressValues } from '../address/message.ts';
import { ADDRESS_BUTTON, addressText } from '../address/preview.ts';
import type { TextOf } from '../columns.ts';
import {
  frameAttachments,
  framePersonaliser,
  frameProblem,
  frameTexts,
  frameValues,
  withoutFrameWords,
} from '../interactive/frame.ts';
import { countryName, countryOf, formatNumber, type Msisdn } from '../numbers/phone-number.ts';
import { DEFAULT_TERMS } from '../service-terms.ts';
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
  senderField: 'from',
  settings: ['campaignName'],
  personalPaths: ['header.text', 'body.text', 'footer.text', 'values'],
  form: addressForm,
  formValues,
  preview: (value, _template, { addressFields } = DEFAULT_TERMS) => ({
    text: addressText(value, addressFields),
  }),
  personalFields: (message) => [
    ...frameTexts(message, ''),
    ...Object.entries(message.values).map(([name, text]) => ({ path: `values.${name}`, text })),
  ],
  personaliser: (message, compile) => {
    const frame = framePersonaliser(message, compile);
    const texts = Object.entries(message.values).map(([name, text]) => [name, compile(text)] as const);
    return (values) => ({ ...message, ...frame(values), values: filledIn(message, texts, values) });
  },
  rowProblem,
  facts: ({ from, country, values, savedAddresses, validationErrors, campaignName }) => {
    const some = (count: number) => (count === 0 ? undefined : String(count));
    return [
      { label: 'From', value: formatNumber(from) },
      { label: 'Country', value: countryName(country) },
      ...fact('Values filled in', some(Object.keys(values).length)),
      ...fact('Saved addresses', some(savedAddresses.length)),
      ...fact('Corrections', some(Object.keys(validationErrors).length)),
      ...fact('Campaign', campaignName),
    ];
  },
  attachments: frameAttachments,
  text: (message) => addressText(formValues(message), fieldsOf(message)),
  buttonLines: () => [ADDRESS_BUTTON],
  withoutWords: (message) => ({
    ...withoutFrameWords(message),
    values: {},
    savedAddresses: [],
    validationErrors: {},
  }),
  inShort: ({ body }) => `Address form: ${body.replaceAll('\n', ' ')}`,
  templateName: () => undefined,
};

/** Only a message whose table is not the document's has it with it. */
function fieldsOf({ fields = ADDRESS_FIELDS }: AddressMessage) {
  return fields;
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

/** Of the groups and lists those that hold something. */
function filled(parts: Readonly<Record<string, object>>) {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0));
}

function rowProblem(message: AddressMessage, number: Msisdn): string | undefined {
  const { country } = message;
  const problem = frameProblem(message);
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

/** Of a field that the table no longer has: as it stands. */
function readValue(message: AddressMessage, name: string, text: string): Result<string, string> {
  const one = fieldsOf(message)[name];
  return one === undefined ? ok(text) : readAddressValue(one, message.country)(text);
}
