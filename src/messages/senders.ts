import { z } from 'zod';
import { CHOICE_VALUE_MAX_CHARACTERS } from './limits.ts';
import { formatNumber, type Msisdn, msisdnSchema } from './numbers/phone-number.ts';
import { checkRepeats, words } from './transforms.ts';

/** How an SMS is billed and filtered: transactional, promotional, one-time password (docs/wire.md, rows 9 and 10). */
export const SMS_TYPES = ['TRANS', 'PROMO', 'OTP'] as const;
export type SmsType = (typeof SMS_TYPES)[number];

interface ChatappSender {
  readonly number: Msisdn;
  readonly label: string;
}

export interface RcsSender {
  readonly botId: string;
  readonly label: string;
  /** The message type of this bot's templates, typically PRETRANS. */
  readonly type: string;
}

export interface SmsSender {
  /** The sender id that the recipient sees; SMS and flash SMS share the list. */
  readonly id: string;
  readonly label: string;
  readonly type: SmsType;
}

/** The configured senders. A kind without one cannot be used. */
export interface Senders {
  readonly chatapp: readonly ChatappSender[];
  readonly rcs: readonly RcsSender[];
  readonly sms: readonly SmsSender[];
}

/** Sender ids and bot ids are values of options in Slack. */
function identifier(label: string) {
  return words(label, false)
    .trim()
    .max(CHOICE_VALUE_MAX_CHARACTERS, {
      error: `${label} has more than ${CHOICE_VALUE_MAX_CHARACTERS} characters.`,
    });
}

function entry<Shape extends z.ZodRawShape>(shape: Shape) {
  const example = `{ ${Object.keys(shape).join(', ')} }`;
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `Unknown key ${issue.keys.map((key) => `“${key}”`).join(', ')}: a sender is written ${example}.`
        : `A sender is written ${example}.`,
  });
}

function listOf<Entry extends z.ZodType<object>>(
  entrySchema: Entry,
  key: string,
  identityOf: (sender: z.output<Entry>) => string,
) {
  return z
    .array(entrySchema, { error: 'Enter the senders as a list.' })
    .superRefine((senders, context) => {
      checkRepeats(senders.map(identityOf), (index) => {
        const message = 'This sender is listed twice.';
        context.addIssue({ code: 'custom', path: [index, key], message, input: senders });
      });
    })
    .default([]);
}

const label = words('The label', false, true).optional();

const chatappSender = entry({
  number: msisdnSchema,
  label,
}).transform(({ number, label = formatNumber(number) }): ChatappSender => ({ number, label }));

const rcsSender = entry({
  botId: identifier('The bot’s id'),
  label,
  type: identifier('The type').default('PRETRANS'),
}).transform(({ botId, label = botId, type }): RcsSender => ({ botId, label, type }));

const smsSender = entry({
  id: identifier('The sender id'),
  label,
  type: z.enum(SMS_TYPES, { error: `The type is one of ${SMS_TYPES.join(', ')}.` }),
}).transform(({ id, label = id, type }): SmsSender => ({ id, label, type }));

const NO_SENDER = 'Configure at least one sender, under chatapp, rcs or sms.';

/**
 * `senders` of `herald.yml`: `{chatapp?: [{number, label?}], rcs?: [{botId, label?, type?}], sms?: [{id, label?,
 * type}]}`. At least one in all; none twice; chat-app numbers with `+` and country code (interface document,
 * `from`); RCS type PRETRANS when left out; SMS type TRANS, PROMO or OTP (docs/wire.md rows 9 and 10).
 */
export const sendersSchema: z.ZodType<Senders> = z
  .strictObject(
    {
      chatapp: listOf(chatappSender, 'number', ({ number }) => number),
      rcs: listOf(rcsSender, 'botId', ({ botId }) => botId),
      sms: listOf(smsSender, 'id', ({ id }) => id),
    },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `There is no sender of kind ${issue.keys.map((key) => `“${key}”`).join(', ')}; the kinds are chatapp, rcs and sms.`
          : NO_SENDER,
    },
  )
  .refine(({ chatapp, rcs, sms }) => chatapp.length + rcs.length + sms.length > 0, { error: NO_SENDER });
