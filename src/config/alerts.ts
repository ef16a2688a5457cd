import { z } from 'zod';
import { msisdnSchema } from '../messages/numbers/phone-number.ts';
import { patternSchema } from '../sends/alerts/pattern.ts';
import { isUserGroup, WEEKDAYS } from '../sends/alerts/rules.ts';
import { isAlertsToken } from './environment.ts';
import { documented } from './key.ts';
import { channelId, positive, section, slackId, text, timeOfDay, timeZone, wholeNumber } from './values.ts';

const MINUTES = 'minutes, more than 0';
/** More parts than this nobody reads over everything else on a phone. */
const MOST_SEGMENTS = 4;

const groupNames = z
  .array(text('the name of a group'), { error: 'a list of group names' })
  .min(1, { error: 'a list of at least one group name' });

const hours = section(
  {
    days: z
      .array(z.enum(WEEKDAYS, { error: `a day: ${WEEKDAYS.join(', ')}` }), { error: 'a list of days' })
      .min(1, { error: 'a list of at least one day' })
      .optional(),
    from: timeOfDay.optional(),
    to: timeOfDay.optional(),
    timezone: timeZone.optional(),
  },
  '{ days, from, to, timezone }',
)
  .refine(({ from, to }) => (from === undefined) === (to === undefined), {
    path: ['to'],
    error: 'from and to together, or neither',
  })
  .refine(({ from, to }) => from === undefined || from !== to, {
    path: ['to'],
    error: 'another time than from',
  });

const person = section(
  {
    name: text('a name').optional(),
    number: msisdnSchema.optional(),
    user: slackId('UW', 'a user').optional(),
    onCall: z.array(hours, { error: 'a list of { days, from, to, timezone }' }).min(1).optional(),
  },
  '{ name, number } or { user }, perhaps with onCall',
).refine((one) => (one.number === undefined) !== (one.user === undefined), {
  path: ['number'],
  error: 'either a number, or a Slack user whose number is on file',
});

const sources = section(
  {
    apps: z.array(slackId('A', 'an app')).optional(),
    bots: z.array(slackId('B', 'a bot')).optional(),
    users: z.array(slackId('UW', 'a user')).optional(),
    names: z.array(text('the name under which it posts')).optional(),
    sources: z.array(text('the name of one of alerts.sources')).optional(),
  },
  'apps, bots, users, names or sources',
);

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 60 * 60_000 };
const PERIOD_EXPECTED = 'a time such as 30s, 10m or 2h';
const period = z
  .string({ error: PERIOD_EXPECTED })
  .regex(/^[1-9]\d{0,4}[smh]$/, { error: PERIOD_EXPECTED })
  .transform((every) => Number.parseInt(every, 10) * (UNIT_MS[every.slice(-1)] ?? 0));

const rule = section(
  {
    name: text('a name'),
    channel: channelId,
    from: sources.default({}),
    match: patternSchema.optional(),
    except: patternSchema.optional(),
    expect: section({ every: period }, '{ every: 10m }')
      .transform(({ every }) => ({ everyMs: every }))
      .optional(),
    severity: text('a word, e.g. critical or warning').default('critical'),
    notify: groupNames,
    text: text('a text, perhaps with {{text}}, {{title}}, {{severity}}, {{rule}}').default('{{text}}'),
    segments: wholeNumber(1)
      .max(MOST_SEGMENTS, { error: `a whole number from 1 to ${MOST_SEGMENTS}` })
      .default(2),
    fingerprint: patternSchema.optional(),
    coolDownMinutes: positive(MINUTES).default(15),
    capPerHour: wholeNumber(1).default(10),
    escalate: z
      .array(section({ afterMinutes: positive(MINUTES), notify: groupNames }, '{ afterMinutes, notify }'))
      .default([]),
    followUp: z.boolean({ error: 'true or false' }).default(false),
    overrideQuietHours: z.boolean({ error: 'true or false' }).optional(),
    resolved: section(
      { match: patternSchema.optional(), notify: z.boolean({ error: 'true or false' }).default(false) },
      '{ match, notify }',
    ).default({ notify: false } as never),
  },
  'a rule: { name, channel, notify, … }',
);

const TOKEN_EXPECTED = 'the name of an environment variable that begins with ALERTS_TOKEN_';
const source = section(
  {
    name: text('a name'),
    token: z.string({ error: TOKEN_EXPECTED }).refine(isAlertsToken, { error: TOKEN_EXPECTED }),
    channel: channelId,
  },
  'a source: { name, token, channel }',
);

interface Named {
  readonly groups: Readonly<Record<string, unknown>>;
  readonly sources: readonly { readonly name: string; readonly channel: string }[];
  readonly rules: readonly {
    readonly name: string;
    readonly channel: string;
    readonly from: { readonly sources?: readonly string[] | undefined };
    readonly notify: readonly string[];
    readonly escalate: readonly { readonly notify: readonly string[] }[];
  }[];
}

/** A rule may only name groups and sources that there are, and no name stands for two rules or sources. */
function checkNames(
  { groups, sources, rules }: Named,
  refuse: (path: PropertyKey[], message: string, input: string) => void,
) {
  const known = Object.keys(groups);
  const one = known.length === 0 ? 'a group of alerts.groups' : `one of ${known.join(', ')}`;
  const expected = `${one}, or a user group of Slack by its id (S…) or handle (@oncall)`;
  const check = (notify: readonly string[], path: readonly PropertyKey[]) => {
    for (const [index, name] of notify.entries())
      if (!known.includes(name) && !isUserGroup(name)) refuse([...path, 'notify', index], expected, name);
  };
  for (const [index, { name }] of sources.entries())
    if (sources.findIndex((one) => one.name === name) < index)
      refuse(['sources', index, 'name'], 'a name that no other source has', name);
  const names = new Set<string>();
  for (const [index, { name, channel, from, notify, escalate }] of rules.entries()) {
    if (names.has(name)) refuse(['rules', index, 'name'], 'a name that no other rule has', name);
    names.add(name);
    for (const [place, wanted] of (from.sources ?? []).entries())
      if (!sources.some((one) => one.name === wanted && one.channel === channel))
        refuse(
          ['rules', index, 'from', 'sources', place],
          'a source of alerts.sources with this channel',
          wanted,
        );
    check(notify, ['rules', index]);
    for (const [step, one] of escalate.entries()) check(one.notify, ['rules', index, 'escalate', step]);
  }
}

/** Which messages of alert channels go out as flash SMS, and to whom. */
export const alerts = section(
  {
    groups: documented(
      z.record(z.string(), z.array(person), { error: 'lists of people by group name' }).default({}),
      {
        doc: 'People to notify, by group: { name, number }, or { user } for a Slack user whose number is on file (/herald alerts numbers). onCall: [{ days, from, to, timezone }] says when; without it, always.',
      },
    ),
    rules: documented(z.array(rule, { error: 'a list of rules' }).default([]), {
      doc: 'Which messages in which channel, and which alerts over HTTP, become flash SMS to whom (groups, or user groups of Slack); every key is explained in docs/alerts.md.',
    }),
    sources: documented(z.array(source, { error: 'a list of { name, token, channel }' }).default([]), {
      doc: 'Monitoring tools that post alerts to Herald itself, at /alerts/ and their token: { name, token, channel }, where token names an environment variable such as ALERTS_TOKEN_PROMETHEUS (or its _FILE) and channel is where Herald posts what they report.',
    }),
    timezone: documented(timeZone.optional(), {
      doc: 'Of on-call hours, and of times in texts.',
      absent: 'defaults.timezone',
    }),
    sender: documented(text('the id of an SMS sender').optional(), {
      doc: 'Whom flash SMS come from.',
      absent: 'the first of senders.sms',
    }),
    approvalOver: documented(wholeNumber(0).default(10), {
      doc: 'An alert to more people than this waits for approval; to fewer it does not.',
    }),
    capPerPersonPerHour: documented(wholeNumber(1).default(20), {
      doc: 'Alerts that one person gets within an hour at most, from all rules together.',
    }),
    lateAfterMinutes: documented(positive(MINUTES).default(15), {
      doc: 'What could not be sent for longer than this, e.g. because Herald was down, is announced in its thread and not sent.',
    }),
    acknowledgedMinutes: documented(positive(MINUTES).default(240), {
      doc: 'Repeats of an acknowledged alert stay silent for so long.',
    }),
  },
  'the keys groups, rules, sources and the limits of alerts',
)
  .superRefine((value, context) => {
    checkNames(value, (path, message, input) => context.addIssue({ code: 'custom', path, message, input }));
  })
  .prefault({});
