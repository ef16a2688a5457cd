import { z } from 'zod';
import { msisdnSchema } from '../messages/numbers/phone-number.ts';
import { patternSchema } from '../sends/alerts/pattern.ts';
import { WEEKDAYS } from '../sends/alerts/rules.ts';
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
  },
  'apps, bots, users or names',
);

const rule = section(
  {
    name: text('a name'),
    channel: channelId,
    from: sources.default({}),
    match: patternSchema.optional(),
    except: patternSchema.optional(),
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

interface Named {
  readonly groups: Readonly<Record<string, unknown>>;
  readonly rules: readonly {
    readonly name: string;
    readonly notify: readonly string[];
    readonly escalate: readonly { readonly notify: readonly string[] }[];
  }[];
}

/** A rule may only name groups that there are, and no name stands for two rules. */
function checkNames(
  { groups, rules }: Named,
  refuse: (path: PropertyKey[], message: string, input: string) => void,
) {
  const known = Object.keys(groups);
  const expected = known.length === 0 ? 'a group of alerts.groups' : `one of ${known.join(', ')}`;
  const check = (notify: readonly string[], path: readonly PropertyKey[]) => {
    for (const [index, name] of notify.entries())
      if (!known.includes(name)) refuse([...path, 'notify', index], expected, name);
  };
  const names = new Set<string>();
  for (const [index, { name, notify, escalate }] of rules.entries()) {
    if (names.has(name)) refuse(['rules', index, 'name'], 'a name that no other rule has', name);
    names.add(name);
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
      doc: 'Which messages in which channel become flash SMS; every key is explained in docs/alerts.md.',
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
  'the keys groups, rules and the limits of alerts',
)
  .superRefine((value, context) => {
    checkNames(value, (path, message, input) => context.addIssue({ code: 'custom', path, message, input }));
  })
  .prefault({});
