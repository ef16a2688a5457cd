import { z } from 'zod';
import { given } from '../core/given.ts';
import { CHOICE_VALUE_MAX_CHARACTERS } from './limits.ts';
import {
  countryCodeSchema,
  countryName,
  countryOf,
  formatNumber,
  type Msisdn,
  msisdnSchema,
} from './numbers/phone-number.ts';
import { checkRepeats, words } from './transforms.ts';

/** How an SMS is billed and filtered: transactional, promotional, one-time password (docs/wire.md, rows 9 and 10). */
export const SMS_TYPES = ['TRANS', 'PROMO', 'OTP'] as const;
export type SmsType = (typeof SMS_TYPES)[number];

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
    .readonly()
    .default([]);
}

const label = words('The label', false, true).optional();

const chatappSender = entry({
  number: msisdnSchema,
  label,
}).transform(({ number, label = formatNumber(number) }) => ({ number, label }));

const rcsSender = entry({
  botId: identifier('The bot’s id'),
  label,
  /** The message type of this bot's templates. */
  type: identifier('The type').default('PRETRANS'),
}).transform(({ botId, label = botId, type }) => ({ botId, label, type }));

const COUNTRIES = 'Enter the countries as a list, such as [IN, AE], or leave them out.';

const smsSender = entry({
  /** What the recipient sees; SMS and flash SMS share the list. */
  id: identifier('The sender id'),
  label,
  type: z.enum(SMS_TYPES, { error: `The type is one of ${SMS_TYPES.join(', ')}.` }),
  /** It sends to numbers of these only; without them, to all. */
  countries: z
    .array(countryCodeSchema, { error: COUNTRIES })
    .min(1, { error: COUNTRIES })
    .readonly()
    .optional(),
}).transform(({ id, label = id, ...rest }) => ({ id, label, ...rest }));

function checkCountries(senders: readonly SmsSender[], context: z.RefinementCtx): void {
  const named = senders.flatMap(({ countries = [], type }, sender) =>
    countries.map((country, place) => ({ country, type, path: ['sms', sender, 'countries', place] })),
  );
  const identities = named.map(({ country, type }) => `${country} ${type}`);
  checkRepeats(identities, (index) => {
    const { country, type, path } = named[index] as (typeof named)[number];
    const message = `${countryName(country)} has a ${type} sender already; each type has one for a country.`;
    context.addIssue({ code: 'custom', path, message, input: country });
  });
}

const NO_SENDER = 'Configure at least one sender, under chatapp, rcs or sms.';

/** `senders` of `herald.yml`; chat-app numbers have `+` and country code (interface document, `from`). */
export const sendersSchema = z
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
  .refine(({ chatapp, rcs, sms }) => chatapp.length + rcs.length + sms.length > 0, { error: NO_SENDER })
  .superRefine(({ sms }, context) => checkCountries(sms, context));

/** The configured senders. A kind without one cannot be used. */
export type Senders = z.output<typeof sendersSchema>;
export type RcsSender = Senders['rcs'][number];
export type SmsSender = z.output<typeof smsSender>;

/** The senders of an SMS: the country's own of `senders`, or else `sender`. A number may have neither. */
export interface SmsSenders {
  readonly sender?: string;
  /** Ids by country code. */
  readonly senders?: Readonly<Record<string, string>>;
}

export function senderFor({ sender, senders }: SmsSenders, number: Msisdn): string | undefined {
  return senders?.[countryOf(number) ?? '?'] ?? sender;
}

/**
 * Who of some senders sends, and as what type: to one number the one of its country, to a list the one of each country.
 *
 * @param asked the type, where the sender's own is not meant: of several senders only those of this type send
 */
export function sendersOf(chosen: readonly SmsSender[], asked?: SmsType, to?: Msisdn) {
  const ofType = (type: SmsType | undefined) =>
    chosen.length === 1 || type === undefined ? chosen : chosen.filter((one) => one.type === type);
  const able = ofType(asked);
  const ofAll = ({ countries }: SmsSender) => countries === undefined;
  const country = to && countryOf(to);
  const own = country && able.find(({ countries }) => countries?.includes(country));
  const first = own || (to && able.find(ofAll)) || able.find((one) => !ofAll(one)) || able[0];
  const type = asked ?? first?.type ?? 'TRANS';
  const named = ofType(type);
  const byCountry = named.flatMap(({ id, countries = [] }) => countries.map((code) => [code, id] as const));
  const all: SmsSenders = given({
    sender: named.find(ofAll)?.id,
    senders: byCountry.length > 0 ? Object.fromEntries(byCountry) : undefined,
  });
  const one = to && senderFor(all, to);
  return { type, ...(one === undefined ? all : { sender: one }) };
}

/** E.g. `ACMEIN for India, ACME for others`; of one for all its id. */
export function sendersText({ sender, senders = {} }: SmsSenders): string {
  const countries = Map.groupBy(Object.keys(senders), (code) => senders[code]);
  const own = [...countries].map(([id, codes]) => `${id} for ${codes.map(countryName).join(', ')}`);
  if (sender === undefined) return own.join(', ');
  return own.length === 0 ? sender : `${own.join(', ')}, ${sender} for others`;
}
