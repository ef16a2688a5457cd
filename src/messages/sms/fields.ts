import { given } from '../../core/given.ts';
import { type FormContext, optionalChoice, readText, required, senderChoice } from '../form/form.ts';
import { recipientField } from '../form/recipient.ts';
import { TEXT_MAX_CHARACTERS } from '../limits.ts';
import { SMS_TYPES, type SmsSender, type SmsType } from '../senders.ts';
import { measureSms } from './segments.ts';

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
