import { z } from 'zod';
import { given } from '../../core/given.ts';
import type { TextOf } from '../columns.ts';
import {
  type campaignName,
  type Draft,
  type FormContext,
  type FormSchema,
  formSchema,
  optionalChoice,
  readText,
  required,
  senderChoice,
  unfinishedForm,
} from '../form/form.ts';
import { read } from '../form/partial-values.ts';
import { recipientField } from '../form/recipient.ts';
import { fact, REMOVED_WORDS, USUAL } from '../kinds/kind.ts';
import { TEXT_MAX_CHARACTERS } from '../limits.ts';
import { countryName, countryOf, type Msisdn } from '../numbers/phone-number.ts';
import {
  SMS_TYPES,
  type SmsSender,
  type SmsSenders,
  type SmsType,
  senderFor,
  sendersOf,
  sendersText,
} from '../senders.ts';
import { paramFields, paramTexts, templateField, unknownTemplateField } from '../templates/field.ts';
import { previewTemplate, renderTemplate } from '../templates/preview.ts';
import type { SmsTemplate, Template } from '../templates/template.ts';
import { isBlank, textProblem, withLineFeeds } from '../text.ts';
import { measureSms, segmentsLine, septetsOf } from './segments.ts';

const TEXT = 'Text';
const TYPE_LABELS: Readonly<Record<SmsType, string>> = {
  TRANS: 'Service message (TRANS)',
  PROMO: 'Advertising (PROMO)',
  OTP: 'One-time password (OTP)',
};

const TEXT_FIELD = required(
  {
    label: TEXT,
    multiline: true,
    hint: 'One SMS holds 160 characters, or 70 once it has a character such as an emoji; longer texts go in parts.',
    maxLength: TEXT_MAX_CHARACTERS,
    affectsPreview: true,
  },
  'Enter the text of the message.',
  readText(TEXT),
);

/** The leaves of the form, some of which a template or a kind has not. */
type Leaves = {
  readonly sender: z.ZodType<readonly SmsSender[]>;
  readonly to: ReturnType<typeof recipientField>;
  readonly text: z.ZodType<string | undefined>;
  readonly params: z.ZodType<readonly string[] | undefined>;
  readonly type: ReturnType<typeof smsTypeField>;
  readonly campaignName: ReturnType<typeof campaignName>;
};

/**
 * The form of an SMS or a flash SMS: `{template, params}` of a chosen template, else `{text}`. The type is the template's, if
 * it has one, or what was chosen, or the sender's.
 *
 * @param more leaves that only this kind has
 */
export function textForm<M extends TextMessage>(
  kind: M['kind'],
  context: FormContext,
  more: Partial<Leaves> = {},
): FormSchema<Draft<M>> {
  const template = context.template?.channel === 'sms' ? context.template : undefined;
  const around = {
    sender: senderField(context.senders.sms),
    to: recipientField(context),
    ...(template?.type === undefined && { type: smsTypeField(context.senders.sms) }),
    ...more,
  };
  if (template === undefined && context.freeText === 'refused')
    return unfinishedForm({ template: unknownTemplateField(), ...around });
  const shape = template
    ? { template: templateField(template), params: paramFields(template, context), ...around }
    : { template: unknownTemplateField(context.freeText ?? 'allowed'), text: TEXT_FIELD, ...around };
  const form = formSchema(shape as unknown as Leaves, ({ to, sender, text = '', params, ...fields }) => {
    const { type = template?.type, campaignName: campaign } = fields;
    const words = template && params ? wordsOf(template, params) : { text };
    const unicode = measureSms(words.text).encoding === 'UCS-2';
    const rest = given({ campaignName: campaign });
    return { to, message: { kind, ...sendersOf(sender, type, to), ...words, unicode, ...rest } as M };
  });
  if (template === undefined) return form;
  // What the inputs held before the template was chosen.
  const before = { text: undefined, ...(template.type !== undefined && { type: undefined }) };
  return z.preprocess((value) => (value instanceof Object ? { ...value, ...before } : value), form);
}

function wordsOf(template: SmsTemplate, params: readonly string[]) {
  const { name: templateName, dltTemplateId, entityId } = template;
  const text = withLineFeeds(renderTemplate(template, params));
  return { text, templateName, params, ...given({ dltTemplateId, entityId }) };
}

const BY_COUNTRY = 'By country';

/** One sender, or, where some are for some countries only, first of all those of the countries. */
function senderField(senders: readonly SmsSender[]) {
  const options = senders.map((one) => ({ value: one.id, label: senderLabel(one), sender: [one] }));
  const isByCountry = senders.some(({ countries }) => countries !== undefined);
  const all = { value: BY_COUNTRY, label: BY_COUNTRY, sender: [...senders] };
  const types = new Set(senders.map(({ type }) => type));
  const each = [...types].map((type) => `${type}: ${sendersText(sendersOf(senders, type))}`);
  return senderChoice(
    'Sender',
    isByCountry ? [all, ...options] : options,
    'Choose the sender of the message.',
    isByCountry ? { hint: `${BY_COUNTRY}, ${each.join('; ')}.` } : {},
  );
}

/** The leaf of a type, which mostly is the sender's. */
export function smsTypeField(senders: readonly SmsSender[]) {
  const types = new Set(senders.map(({ type }) => type));
  const [first] = types;
  const only = types.size === 1 ? given({ initial: first }) : {};
  return optionalChoice(
    {
      label: 'Type',
      hint: 'How operators treat it. Left open: what the sender is registered for.',
      optionLabels: TYPE_LABELS,
      ...only,
    },
    SMS_TYPES,
    `The type is one of ${SMS_TYPES.join(', ')}.`,
  );
}

function senderLabel({ id, label, type }: SmsSender): string {
  return label === id ? `${id}, ${type}` : `${label} (${id}, ${type})`;
}

/** What SMS and flash SMS have in common. */
export interface TextMessage extends SmsSenders {
  readonly kind: string;
  /** As the phone shows it. */
  readonly text: string;
  /** The template that the message is made of, and its values in template order. */
  readonly templateName?: string;
  readonly params?: readonly string[];
  readonly dltTemplateId?: string;
  readonly entityId?: string;
  readonly type: SmsType;
  /** True when the text needs UCS-2; decided by the text, never by a person. */
  readonly unicode: boolean;
}

const isPassword = ({ type }: TextMessage): boolean => type === 'OTP';

/** What SMS and flash SMS have in common as kinds. */
export const TEXT_MESSAGE = {
  ...USUAL,
  templateChannel: 'sms',
  senders: 'sms',
  textPath: ['text'],
  senderField: 'sender',
  settings: ['type'],
  personalPaths: ['text', 'params'],
  passwordPath: 'type',
  formValues: <M extends TextMessage>(message: M) => {
    const { kind: _kind, unicode: _unicode, dltTemplateId: _dlt, entityId: _entity, ...values } = message;
    const { templateName: template, text, sender, senders = {}, ...rest } = values;
    const ids = new Set([...Object.values(senders), ...(sender === undefined ? [] : [sender])]);
    const chosen = ids.size === 1 ? [...ids][0] : BY_COUNTRY;
    return { sender: chosen, ...rest, ...(template === undefined ? { text } : { template }) };
  },
  preview: (value: unknown, template: Template | undefined) => {
    const entered = template ? previewTemplate('sms', template, value) : read(value, 'text');
    const text = typeof entered === 'string' ? withLineFeeds(entered) : '';
    return isBlank(text) ? { text: '' } : { text, segments: segmentsLine(text) };
  },
  personalFields: ({ text, params }: TextMessage) =>
    params === undefined ? [{ path: 'text', text }] : paramTexts(params),
  personaliser: <M extends TextMessage>(message: M, compile: (text: string) => TextOf) => {
    const text = compile(message.text);
    const params = message.params?.map(compile);
    return (values: readonly string[]) => {
      const filled = params && { params: params.map((one) => one(values)) };
      return withText({ ...message, ...filled }, text(values));
    };
  },
  rowProblem: (message: TextMessage, number: Msisdn) => {
    const { params, text, type } = message;
    if (senderFor(message, number) === undefined) {
      const country = countryOf(number);
      const place = country === undefined ? 'no country' : countryName(country);
      return `The message has no ${type} sender for numbers of ${place}: choose another sender.`;
    }
    return params && textProblem(text, { label: TEXT, lineBreaks: true });
  },
  attachments: () => [],
  text: (message: TextMessage) => (isPassword(message) ? undefined : message.text),
  inShort: ({ text }: TextMessage) => text.replaceAll('\n', ' '),
  templateName: ({ templateName }: TextMessage) => templateName,
  // The password is somewhere in the text and cannot be found reliably: no field holds it.
  needsSecret: isPassword,
  withoutSecret: <M extends TextMessage>(message: M) =>
    isPassword(message) ? withWords(message, cover) : message,
  withoutWords: <M extends TextMessage>(message: M) => withWords(message, () => REMOVED_WORDS),
  quietHoursType: ({ type }: TextMessage) => type,
  segments: ({ text }: TextMessage) => measureSms(text).segments,
} as const;

/** Sender, type and parts, as cards say them. */
export function textFacts(message: TextMessage) {
  const { type, text, templateName } = message;
  const { segments, unitsPerSegment } = measureSms(text);
  return [
    ...fact('Template', templateName),
    { label: 'Sender', value: sendersText(message) },
    { label: 'Type', value: type },
    { label: 'SMS parts', value: `${segments} (${unitsPerSegment} letters a part)` },
  ];
}

/** The message with other words in the place of its own, in its text and in the values of its template. */
function withWords<M extends TextMessage>(message: M, other: (text: string) => string): M {
  const { text, params } = message;
  return { ...message, text: other(text), ...(params && { params: params.map(other) }) };
}

/** A value in another script may make the text need Unicode. */
function withText<M extends TextMessage>(message: M, text: string): M {
  if (text === message.text) return message;
  return { ...message, text, unicode: measureSms(text).encoding === 'UCS-2' };
}

/**
 * Covers a whole text, because it is unclear which part is secret, with characters of the same size in GSM-7 or in
 * UTF-16: parts and encoding stay the same.
 */
function cover(text: string): string {
  return Array.from(text, (character) => {
    if (character === ' ' || character === '\n') return character;
    const septets = septetsOf(character);
    if (septets === 1) return '#';
    if (septets === 2) return '^';
    return character.length === 1 ? '•' : '🔒';
  }).join('');
}
