import { z } from 'zod';
import { wireSchema } from '../gateway/wire.ts';
import { addressRangeSchema } from '../http/address-range.ts';
import { buttonTitle } from '../messages/interactive/form.ts';
import { CHANNELS, type Channel } from '../messages/kinds.ts';
import { countryCodeSchema } from '../messages/numbers/phone-number.ts';
import { SMS_TYPES, sendersSchema } from '../messages/senders.ts';
import {
  AND,
  channelId,
  documented,
  optionalSection,
  positive,
  section,
  text,
  timeOfDay,
  timeZone,
  wholeNumber,
} from '../messages/setting-values.ts';
import { FREE_TEXT } from '../messages/sms/free-text.ts';
import { INDIA_QUIET_HOURS } from '../messages/sms/quiet-hours.ts';
import { STOP_WORDS } from '../messages/stop-words.ts';
import { templateListSchema } from '../messages/templates/template.ts';
import { access, approvals, backup, frequencyCap, prices, retention } from '../sends/settings.ts';
import { alerts } from './alerts.ts';

const HEADER_EXPECTED = 'the name of an HTTP header, e.g. x-webhook-secret';
const RANGES_EXPECTED = 'a list of IP addresses or ranges, e.g. [203.0.113.0/24]';

/** What the messaging service posts back. */
const webhooks = optionalSection({
  channel: documented(channelId.optional(), {
    doc: 'Where answers go that match no send.',
    absent: 'nowhere; they are kept',
  }),
  stopWords: documented(z.array(text('a word'), 'a list of words').default([...STOP_WORDS]), {
    doc: 'Whole replies that put a number on the opt-out list; case and signs around them do not matter.',
    absent: `${STOP_WORDS.length} words in some twenty languages: STOP, UNSUBSCRIBE, OPT OUT, बंद, 停止, BAJA and more`,
  }),
  secretHeader: documented(
    z
      .string(HEADER_EXPECTED)
      .regex(/^[A-Za-z0-9-]+$/, HEADER_EXPECTED)
      .default('x-webhook-secret'),
    { doc: 'The header in which the service sends WEBHOOK_HEADER_SECRET, where that is set.' },
  ),
  allowFrom: documented(z.array(addressRangeSchema, RANGES_EXPECTED).default([]), {
    doc: 'The only addresses that webhooks may come from.',
    absent: 'anywhere',
  }),
  proxies: documented(z.array(addressRangeSchema, RANGES_EXPECTED).default([]), {
    doc: 'Proxies in front of Herald, whose X-Forwarded-For is believed.',
    absent: 'none',
  }),
});

function pace({ perSecond, concurrency }: { readonly perSecond: number; readonly concurrency: number }) {
  return {
    perSecond: documented(positive('starts a second, more than 0').default(perSecond), {
      doc: 'Requests started a second, at most.',
    }),
    concurrency: documented(wholeNumber(1).default(concurrency), {
      doc: 'Requests on their way at once, at most.',
    }),
  };
}

function pacing() {
  const names = Object.keys(CHANNELS) as Channel[];
  const sections = Object.fromEntries(
    names.map((name) => [name, optionalSection(pace(CHANNELS[name]))]),
  ) as Record<Channel, ReturnType<typeof optionalSection<ReturnType<typeof pace>>>>;
  const sms = {
    ...pace(CHANNELS.sms),
    recipientsPerRequest: documented(wholeNumber(1).default(100), {
      doc: 'Recipients of one bulk SMS request.',
    }),
  };
  return optionalSection({ ...sections, sms: optionalSection(sms) }, `the channels ${AND.format(names)}`);
}

const quietHoursEntry = section(
  {
    country: countryCodeSchema,
    types: z
      .array(z.enum(SMS_TYPES, `one of ${SMS_TYPES.join(', ')}`), 'a list of types')
      .min(1, 'a list of at least one type'),
    from: timeOfDay,
    to: timeOfDay,
    timezone: timeZone,
  },
  '{ country, types, from, to, timezone }',
).refine(({ from, to }) => from !== to, { path: ['to'], error: 'another time than from' });

const quietHours = documented(
  z.array(quietHoursEntry, 'a list of { country, types, from, to, timezone }').prefault([INDIA_QUIET_HOURS]),
  {
    doc: 'When which types of bulk SMS and flash SMS are held back, by country of the recipient; chat-app and RCS messages have no type and are never held.',
    absent: 'promotional SMS in India, 21:00 to 10:00 IST',
  },
);

const TITLE = 'at most 20 characters, without emoji and markdown';

/**
 * `herald.yml`: everything that a team decides. Only `senders` is needed to start. A key that is not known is an
 * error, because a misspelt limit that is silently ignored is worse than one that stops the start.
 */
export const teamSchema = section(
  {
    defaults: optionalSection({
      country: documented(countryCodeSchema.prefault('IN'), {
        doc: 'For numbers written without +; ISO 3166-1 alpha-2.',
      }),
      timezone: documented(timeZone.default('Asia/Kolkata'), {
        doc: 'For schedules and quiet hours where the person has none.',
      }),
      campaignName: documented(z.string('text').default(''), { doc: 'Pre-filled in forms.' }),
    }),
    senders: documented(sendersSchema, {
      doc: 'Chat-app numbers, RCS bots and SMS sender ids; of the latter, countries: [IN, AE] makes one for these only. Needed.',
    }),
    templates: documented(templateListSchema.default([]), {
      doc: 'The catalogue to begin with; then it is kept in Slack. A placeholder has a name and perhaps example, optional, maxLength, oneOf, type (number or date).',
    }),
    sms: optionalSection({
      freeText: documented(z.enum(FREE_TEXT, FREE_TEXT.join(', ')).default('allowed'), {
        doc: 'SMS and flash SMS that somebody writes without a template: allowed, asks (what a template says is offered as that, and a line to India opens the form with what happens to it there) or refused. Alerts are not asked.',
      }),
    }),
    answers: optionalSection({
      button: documented(
        text(TITLE)
          .refine((title) => buttonTitle('')(title).ok, TITLE)
          .default('OK'),
        {
          doc: 'What stands on the button of an answer to a customer in the chat app, which takes no text without one (see wire.sessionText).',
        },
      ),
    }),
    access,
    approvals,
    pacing: pacing(),
    quietHours,
    frequencyCap,
    alerts,
    webhooks,
    operators: documented(channelId.optional(), {
      doc: 'A channel that is notified once of what needs whoever runs Herald (a refused key or token, events that Slack drops, a full disk, a database that is gone, a service that fails for ten minutes, a rule that sees nothing, an overdue backup), and once that it is over.',
      absent: 'nobody is notified',
    }),
    media: optionalSection({
      check: documented(z.boolean('true or false').default(false), {
        doc: 'When a form is submitted, Herald asks each link of its media what it leads to (HEAD, at most 1.5 s, public addresses only): a wrong type or size is refused under its field.',
      }),
    }),
    prices,
    backup,
    retention,
    doctor: optionalSection({
      request: documented(
        section(
          { path: text('a path that begins with /').startsWith('/'), status: wholeNumber(1).default(200) },
          '{ path, status }',
        ).optional(),
        {
          doc: 'A GET, which sends nothing, by which the service shows whether it takes MESSAGING_API_KEY: { path, status }, the path after MESSAGING_BASE_URL and the status it then answers with (200). Doctor and the start ask it once.',
          absent: 'the key is not tried',
        },
      ),
    }),
    wire: documented(wireSchema.prefault({}), {
      doc: 'Overrides of shapes that the interface document does not show.',
    }),
  },
  'the sections of herald.example.yml',
).superRefine(({ alerts: { sender }, senders }, context) => {
  if (sender === undefined || senders.sms.some(({ id }) => id === sender)) return;
  const message = 'the id of one of senders.sms';
  context.addIssue({ code: 'custom', path: ['alerts', 'sender'], message, input: sender });
});

export type Team = z.output<typeof teamSchema>;
