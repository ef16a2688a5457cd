import { z } from 'zod';
import { wireSchema } from '../gateway/wire.ts';
import { CHANNELS, type Channel, MESSAGE_KINDS } from '../messages/kinds.ts';
import { countryCodeSchema } from '../messages/numbers/phone-number.ts';
import { SMS_TYPES, sendersSchema } from '../messages/senders.ts';
import { INDIA_QUIET_HOURS } from '../messages/sms/quiet-hours.ts';
import { templateListSchema } from '../messages/templates/template.ts';
import { alerts } from './alerts.ts';
import { documented } from './key.ts';
import {
  channelId,
  optionalSection,
  positive,
  section,
  slackId,
  text,
  timeOfDay,
  timeZone,
  wholeNumber,
} from './values.ts';
import { webhooks } from './webhooks.ts';

const backup = documented(
  section(
    {
      every: positive('hours, more than 0').default(24),
      keep: wholeNumber(1).default(14),
      to: text('the path of a folder'),
    },
    '{ every, keep, to }',
  ).optional(),
  {
    doc: 'Backups of the database file while Herald runs: the hours between two (24), how many are kept (14), and the folder they go to, best on another disk: { every, keep, to }.',
    absent: 'none; PostgreSQL is backed up by its own tools',
  },
);

function days(doc: string) {
  return documented(positive('days, more than 0').optional(), { doc, absent: 'kept for ever' });
}

/** Nothing is removed of a send that has not ended, and nothing that may still be announced or tried again. */
const retention = optionalSection(
  {
    recipients: days(
      'Days after a send’s end: numbers become names made with PSEUDONYM_KEY, so that frequencyCap and counts hold; their values and message ids go. Such a send cannot be tried again.',
    ),
    texts: days('Days after a send’s end: its texts and links go; templates stay.'),
    webhooks: days('Days: what the service has posted, once it was dealt with.'),
    answers: days(
      'Days: customers’ answers that people were notified of, with the webhooks. Counts of answers stay.',
    ),
    lists: days('Days: lists, saved ones too, that were not sent to for so long.'),
  },
  'the keys recipients, texts, webhooks, answers and lists',
);

const userOrGroup = slackId('UWS', 'a user or a user group');
const rights = z.array(slackId('UWSCG', 'a user, a user group or a channel'), {
  error: 'a list of user, user group and channel ids',
});
const usersOrGroups = z.array(userOrGroup, { error: 'a list of user and user group ids' });

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

const access = optionalSection(
  {
    send: documented(
      z
        .partialRecord(z.enum(MESSAGE_KINDS), rights, {
          error: 'ids by kind, e.g. { sms: [S0SUPPORT] }',
        })
        .default({}),
      {
        doc: 'Who may send (users, user groups) and from where (channels), by kind; a kind that is absent: every member, everywhere. Absent interactive and address follow chatapp. Of all rights here: guests and people of other workspaces have none unless their own id is listed.',
      },
    ),
    templates: documented(rights.optional(), {
      doc: 'Who may change templates (users, user groups) and from where (channels).',
      absent: 'every member',
    }),
    lists: documented(usersOrGroups.optional(), {
      doc: 'Users and user groups who may see and change audiences and opt-outs, and take the catalogue of templates out and in as a file.',
      absent: 'every member',
    }),
    reports: documented(usersOrGroups.default([]), {
      doc: 'Users and user groups who may have whole numbers of the sends of others (reports, rows that were left out), besides who asked and the approvers.',
    }),
    audit: documented(usersOrGroups.default([]), {
      doc: 'Users and user groups who may have the record of everybody’s sends (/sends audit), besides the approvers.',
    }),
  },
  'the keys send, templates, lists, reports and audit',
);

const approvals = optionalSection(
  {
    channel: documented(channelId.optional(), {
      doc: 'Where approvals are asked for.',
      absent: 'where the send was asked for',
    }),
    approvers: documented(usersOrGroups.default([]), { doc: 'Users and user groups who may approve.' }),
    over: documented(wholeNumber(0).default(1), {
      doc: 'A send to more recipients than this waits for approval.',
    }),
    tiers: documented(
      z
        .array(section({ over: wholeNumber(1), approvals: wholeNumber(1) }, '{ over, approvals }'), {
          error: 'a list of { over, approvals }',
        })
        .default([]),
      { doc: 'More approvals for larger audiences: { over, approvals }.' },
    ),
    singlesPerHour: documented(wholeNumber(1).default(60), {
      doc: 'Messages that one person may send within an hour without an approval, one by one or as pages to on-call groups; what is beyond waits for one like a send to many. Alerts do not count.',
    }),
    expireHours: documented(positive('hours, more than 0').default(24), {
      doc: 'An unanswered request ends after this.',
    }),
    lateAfterMinutes: documented(positive('minutes, more than 0').default(60), {
      doc: 'A send to many in the middle of which Herald stopped, or of whose database a copy was put back, goes on by itself within this time after its last attempt; later it is paused, and people are asked.',
    }),
  },
  'the keys channel, approvers, over, tiers, singlesPerHour, expireHours and lateAfterMinutes',
);

function pacing() {
  const expected = 'the keys perSecond and concurrency';
  const names = Object.keys(CHANNELS) as Channel[];
  const sections = Object.fromEntries(
    names.map((name) => [name, optionalSection(pace(CHANNELS[name]), expected)]),
  ) as Record<Channel, ReturnType<typeof optionalSection<ReturnType<typeof pace>>>>;
  const sms = {
    ...pace(CHANNELS.sms),
    recipientsPerRequest: documented(wholeNumber(1).default(100), {
      doc: 'Recipients of one bulk SMS request.',
    }),
  };
  const last = names.at(-1);
  return optionalSection(
    { ...sections, sms: optionalSection(sms, `${expected}, and recipientsPerRequest`) },
    `the channels ${names.slice(0, -1).join(', ')} and ${last}`,
  );
}

const quietHoursEntry = section(
  {
    country: countryCodeSchema,
    types: z
      .array(z.enum(SMS_TYPES, { error: `one of ${SMS_TYPES.join(', ')}` }), {
        error: 'a list of types',
      })
      .min(1, { error: 'a list of at least one type' }),
    from: timeOfDay,
    to: timeOfDay,
    timezone: timeZone,
  },
  '{ country, types, from, to, timezone }',
).refine(({ from, to }) => from !== to, { path: ['to'], error: 'another time than from' });

const quietHours = documented(
  z
    .array(quietHoursEntry, { error: 'a list of { country, types, from, to, timezone }' })
    .prefault([INDIA_QUIET_HOURS]),
  {
    doc: 'When which types of bulk SMS and flash SMS are held back, by country of the recipient; chat-app and RCS messages have no type and are never held.',
    absent: 'promotional SMS in India, 21:00 to 10:00 IST',
  },
);

const frequencyCap = documented(
  section(
    { perNumber: wholeNumber(1), hours: positive('hours, more than 0') },
    '{ perNumber, hours }',
  ).optional(),
  {
    doc: 'Messages a number may get within some hours: { perNumber, hours }. Whoever has had as many is left out of lists and groups; a message to one person counts, and always goes out.',
    absent: 'no cap',
  },
);

const CURRENCY_EXPECTED = 'an ISO 4217 currency, e.g. INR';
const PRICE_EXPECTED = 'a price, 0 or more';
const currency = z
  .string({ error: CURRENCY_EXPECTED })
  .refine((code) => Intl.supportedValuesOf('currency').includes(code), { error: CURRENCY_EXPECTED });

const price = z.number({ error: PRICE_EXPECTED }).min(0, { error: PRICE_EXPECTED });
const byCountry = z
  .record(countryCodeSchema, price, { error: 'prices by country, e.g. { IN: 0.12 }' })
  .optional();
const prices = documented(
  section(
    { currency, sms: byCountry, chatapp: byCountry, rcs: byCountry },
    '{ currency, sms, chatapp, rcs }',
  ).optional(),
  { doc: 'Prices by channel and country, for estimates.', absent: 'no estimates' },
);

/**
 * `herald.yml`: everything that a team decides. Only `senders` is needed to start. A key that is not known is an
 * error, because a misspelt limit that is silently ignored is worse than one that stops the start.
 */
export const teamSchema = section(
  {
    defaults: optionalSection(
      {
        country: documented(countryCodeSchema.prefault('IN'), {
          doc: 'For numbers written without +; ISO 3166-1 alpha-2.',
        }),
        timezone: documented(timeZone.default('Asia/Kolkata'), {
          doc: 'For schedules and quiet hours where the person has none.',
        }),
        campaignName: documented(z.string({ error: 'text' }).default(''), { doc: 'Pre-filled in forms.' }),
      },
      'the keys country, timezone and campaignName',
    ),
    senders: documented(sendersSchema, {
      doc: 'Chat-app numbers, RCS bots and SMS sender ids. Needed.',
    }),
    templates: documented(templateListSchema.default([]), {
      doc: 'The catalogue to begin with; then it is kept in Slack. A placeholder has a name and perhaps example, optional, maxLength, oneOf, type (number or date).',
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
    prices,
    backup,
    retention,
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
