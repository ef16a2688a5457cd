import { z } from 'zod';
import {
  channelId,
  documented,
  positive,
  section,
  text,
  timeZone,
  wholeNumber,
} from '../messages/setting-values.ts';
import { checkRepeats } from '../messages/transforms.ts';
import { type AlertSettings, isUserGroup, MINUTES, personSchema, ruleSchema } from '../sends/alerts/rules.ts';
import { isAlertsToken } from './environment.ts';

const TOKEN_EXPECTED = 'the name of an environment variable that begins with ALERTS_TOKEN_';
const source = section(
  {
    name: text('a name'),
    token: z.string(TOKEN_EXPECTED).refine(isAlertsToken, TOKEN_EXPECTED),
    channel: channelId,
  },
  'a source: { name, token, channel }',
);

/** A rule may only name groups and sources that there are, and no name stands for two rules or sources. */
function checkNames(
  {
    groups,
    sources,
    rules,
  }: Pick<AlertSettings, 'groups' | 'rules'> & { readonly sources: readonly z.output<typeof source>[] },
  refuse: (path: PropertyKey[], message: string, input: string) => void,
) {
  const known = Object.keys(groups);
  const one = known.length === 0 ? 'a group of alerts.groups' : `one of ${known.join(', ')}`;
  const expected = `${one}, or a user group of Slack by its id (S…) or handle (@oncall)`;
  const check = (notify: readonly string[], path: readonly PropertyKey[]) => {
    for (const [index, name] of notify.entries())
      if (!known.includes(name) && !isUserGroup(name)) refuse([...path, 'notify', index], expected, name);
  };
  for (const [key, list] of Object.entries({ source: sources, rule: rules })) {
    const names = list.map(({ name }) => name);
    checkRepeats(names, (index) =>
      refuse([`${key}s`, index, 'name'], `a name that no other ${key} has`, names[index] ?? ''),
    );
  }
  for (const [index, { channel, from, notify, escalate }] of rules.entries()) {
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
export const alerts = section({
  groups: documented(
    z.record(z.string(), z.array(personSchema), 'lists of people by group name').default({}),
    {
      doc: 'People to notify, by group: { name, number }, or { user } for a Slack user whose number is on file (/herald alerts numbers). onCall: [{ days, from, to, timezone }] says when; without it, always.',
    },
  ),
  rules: documented(z.array(ruleSchema, 'a list of rules').default([]), {
    doc: 'Which messages in which channel, and which alerts over HTTP, become flash SMS to whom (groups, or user groups of Slack); every key is explained in docs/alerts.md.',
  }),
  sources: documented(z.array(source, 'a list of { name, token, channel }').default([]), {
    doc: 'Monitoring tools that post alerts to Herald itself, at /alerts/ and their token: { name, token, channel }, where token names an environment variable such as ALERTS_TOKEN_PROMETHEUS (or its _FILE) and channel is where Herald posts what they report.',
  }),
  timezone: documented(timeZone.optional(), {
    doc: 'Of on-call hours, and of times in texts.',
    absent: 'defaults.timezone',
  }),
  sender: documented(text('the id of an SMS sender').optional(), {
    doc: 'Whom flash SMS come from.',
    absent: 'by country, where senders.sms has countries; else the first of it',
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
})
  .superRefine((value, context) => {
    checkNames(value, (path, message, input) => context.addIssue({ code: 'custom', path, message, input }));
  })
  .prefault({});
