import type { TextOf } from '../columns.ts';
import { read } from '../form/partial-values.ts';
import { NO_ROW_RULES, REMOVED_WORDS, WITHOUT_REPLY_IDS } from '../kinds/kind.ts';
import type { SmsType } from '../senders.ts';
import { isBlank, withLineFeeds } from '../text.ts';
import { measureSms, segmentsLine, septetsOf } from './segments.ts';

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
