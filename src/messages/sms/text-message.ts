import { given } from '../../core/given.ts';
import type { TextOf } from '../columns.ts';
import { type FormContext, optionalChoice, readText, required, senderChoice } from '../form/form.ts';
import { read } from '../form/partial-values.ts';
import { recipientField } from '../form/recipient.ts';
import { NO_ROW_RULES, REMOVED_WORDS, WITHOUT_REPLY_IDS } from '../kinds/kind.ts';
import { TEXT_MAX_CHARACTERS } from '../limits.ts';
import { SMS_TYPES, type SmsSender, type SmsType } from '../senders.ts';
import { isBlank, withLineFeeds } from '../text.ts';
import { measureSms, segmentsLine, septetsOf } from './segments.ts';

const TEXT = 'Text';

const TYPE_LABELS: Readonly<Record<SmsType, string>> = {
  TRANS: 'Transactional (TRANS)',
  PROMO: 'Promotional (PROMO)',
  OTP: 'One-time password (OTP)',
};

/** The leaves that SMS and flash SMS share. */
export function smsFields(context: FormContext) {
  const { senders } = context;
  return {
    sender: senderChoice(
      'Sender',
      senders.sms.map((sender) => ({ value: sender.id, label: senderLabel(sender), sender })),
      'Choose the sender of the message.',
    ),
    to: recipientField(context),
    text: required(
      {
        label: TEXT,
        multiline: true,
        hint: 'One SMS holds 160 characters, or 70 once it has a character such as an emoji; longer texts go in parts.',
        maxLength: TEXT_MAX_CHARACTERS,
        affectsPreview: true,
      },
      'Enter the text of the message.',
      readText(TEXT),
    ),
    type: typeField(senders.sms),
  };
}

interface SmsFields {
  readonly sender: SmsSender;
  readonly text: string;
  readonly type?: SmsType | undefined;
}

/** What SMS and flash SMS messages have in common, once the fields are sound. */
export function smsContent({ sender, text, type }: SmsFields) {
  const unicode = measureSms(text).encoding === 'UCS-2';
  return { sender: sender.id, text, type: type ?? sender.type, unicode };
}

function typeField(senders: readonly SmsSender[]) {
  const types = new Set(senders.map(({ type }) => type));
  const [first] = types;
  const only = types.size === 1 ? given({ initial: first }) : {};
  return optionalChoice(
    { label: 'Type', hint: 'Left open, it is the type of the sender.', optionLabels: TYPE_LABELS, ...only },
    SMS_TYPES,
    `The type is one of ${SMS_TYPES.join(', ')}.`,
  );
}

function senderLabel({ id, label, type }: SmsSender): string {
  return label === id ? `${id}, ${type}` : `${label} (${id}, ${type})`;
}

/** What SMS and flash SMS have in common. */
export interface TextMessage {
  readonly kind: 'sms' | 'flash';
  readonly sender: string;
  readonly text: string;
  readonly type: SmsType;
  /** True when the text needs UCS-2; decided by the text, never by a person. */
  readonly unicode: boolean;
}

const isPassword = ({ type }: TextMessage): boolean => type === 'OTP';

/** What SMS and flash SMS have in common as kinds. */
export const TEXT_MESSAGE = {
  ...NO_ROW_RULES,
  ...WITHOUT_REPLY_IDS,
  senders: 'sms',
  textPath: ['text'],
  senderField: 'sender',
  settings: ['type'],
  personalPaths: ['text'],
  passwordPath: 'type',
  formValues: <M extends TextMessage>({ kind: _kind, unicode: _unicode, ...values }: M) => values,
  preview: (value: unknown) => {
    const entered = read(value, 'text');
    const text = typeof entered === 'string' ? withLineFeeds(entered) : '';
    return isBlank(text) ? { text: '' } : { text, segments: segmentsLine(text) };
  },
  personalFields: ({ text }: TextMessage) => [{ path: 'text', text }],
  personaliser: <M extends TextMessage>(message: M, compile: (text: string) => TextOf) => {
    const text = compile(message.text);
    return (values: readonly string[]) => withText(message, text(values));
  },
  attachments: () => [],
  text: (message: TextMessage) => (isPassword(message) ? undefined : message.text),
  inShort: ({ text }: TextMessage) => text.replaceAll('\n', ' '),
  templateName: () => undefined,
  // The password is somewhere in the text and cannot be found reliably.
  secretOf: () => undefined,
  needsSecret: isPassword,
  withoutSecret: <M extends TextMessage>(message: M) =>
    isPassword(message) ? { ...message, text: cover(message.text) } : message,
  withoutWords: <M extends TextMessage>(message: M) => ({ ...message, text: REMOVED_WORDS }),
  quietHoursType: ({ type }: TextMessage) => type,
  segments: ({ text }: TextMessage) => measureSms(text).segments,
} as const;

/** Sender, type and parts, as cards say them. */
export function textFacts({ sender, type, text }: TextMessage) {
  const { segments, encoding } = measureSms(text);
  return [
    { label: 'Sender', value: sender },
    { label: 'Type', value: type },
    { label: 'Segments', value: `${segments} (${encoding})` },
  ];
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
