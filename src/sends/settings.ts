import { z } from 'zod';
import { MESSAGE_KINDS } from '../messages/kinds.ts';
import { countryCodeSchema } from '../messages/numbers/phone-number.ts';
import {
  channelId,
  documented,
  optionalSection,
  positive,
  section,
  slackId,
  text,
  wholeNumber,
} from '../messages/setting-values.ts';

/* Sections of herald.yml that several rooms go by. */

export const backup = documented(
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

export type BackupSettings = NonNullable<z.output<typeof backup>>;

function days(doc: string) {
  return documented(positive('days, more than 0').optional(), { doc, absent: 'kept for ever' });
}

/** Nothing is removed of a send that has not ended, and nothing that may still be announced or tried again. */
export const retention = optionalSection(
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

export type RetentionPeriods = z.output<typeof retention>;

const userOrGroup = slackId('UWS', 'a user or a user group');
const rights = z
  .array(slackId('UWSCG', 'a user, a user group or a channel'), {
    error: 'a list of user, user group and channel ids',
  })
  .readonly();
const usersOrGroups = z.array(userOrGroup, { error: 'a list of user and user group ids' }).readonly();

export const access = optionalSection(
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

export type AccessSettings = z.output<typeof access>;

export const approvals = optionalSection(
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

type Approvals = z.output<typeof approvals>;
/** Without `singlesPerHour` nobody has such a limit. */
export type ApprovalPolicy = Omit<Approvals, 'singlesPerHour'> & Partial<Approvals>;

export const frequencyCap = documented(
  section(
    { perNumber: wholeNumber(1), hours: positive('hours, more than 0') },
    '{ perNumber, hours }',
  ).optional(),
  {
    doc: 'Messages a number may get within some hours: { perNumber, hours }. Whoever has had as many is left out of lists and groups; a message to one person counts, and always goes out.',
    absent: 'no cap',
  },
);

export type FrequencyCap = NonNullable<z.output<typeof frequencyCap>>;

const CURRENCY_EXPECTED = 'an ISO 4217 currency, e.g. INR';
const PRICE_EXPECTED = 'a price, 0 or more';
const currency = z
  .string({ error: CURRENCY_EXPECTED })
  .refine((code) => Intl.supportedValuesOf('currency').includes(code), { error: CURRENCY_EXPECTED });

const price = z.number({ error: PRICE_EXPECTED }).min(0, { error: PRICE_EXPECTED });
const byCountry = z
  .partialRecord(countryCodeSchema, price, { error: 'prices by country, e.g. { IN: 0.12 }' })
  .optional();
/** The price of one message or SMS part, by country (ISO 3166-1 alpha-2). */
export const prices = documented(
  section(
    { currency, sms: byCountry, chatapp: byCountry, rcs: byCountry },
    '{ currency, sms, chatapp, rcs }',
  ).optional(),
  { doc: 'Prices by channel and country, for estimates.', absent: 'no estimates' },
);
export type Prices = NonNullable<z.output<typeof prices>>;
