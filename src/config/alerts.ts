import { z } from 'zod';
import { documented } from './key.ts';
import { optionalSection, section } from './sections.ts';
import { channelId, positive, positiveInteger, slackId, text } from './values.ts';

const PATTERN_EXPECTED = 'a regular expression, in quotes';
const pattern = z.string({ error: PATTERN_EXPECTED }).refine(
  (source) => {
    try {
      new RegExp(source, 'iu');
      return true;
    } catch {
      return false;
    }
  },
  { error: PATTERN_EXPECTED },
);

/**
 * Which messages of alert channels go out as flash SMS, and to whom. A rule may only name groups that there are.
 *
 * @param number a number in E.164, with its +
 */
export function alerts(number: z.ZodType<string, string>) {
  const person = section({ name: text('a name'), number }, '{ name, number }');
  const groupNames = z.array(text('the name of a group'), { error: 'a list of group names' });
  const rule = section(
    {
      name: text('a name'),
      channel: channelId,
      from: optionalSection(
        {
          apps: z.array(slackId('A', 'an app')).optional(),
          bots: z.array(slackId('B', 'a bot')).optional(),
          users: z.array(slackId('UW', 'a user')).optional(),
        },
        'apps, bots or users',
      ),
      match: pattern.optional(),
      notify: groupNames,
      coolDownMinutes: positive('minutes, more than 0').default(15),
      capPerHour: positiveInteger('a whole number from 1').default(10),
      escalate: z
        .array(
          section(
            { afterMinutes: positive('minutes, more than 0'), notify: groupNames },
            '{ afterMinutes, notify }',
          ),
        )
        .default([]),
    },
    'a rule: { name, channel, notify, … }',
  );
  return section(
    {
      groups: documented(
        z.record(z.string(), z.array(person), { error: 'lists of people by group name' }).default({}),
        {
          doc: 'People to notify, by group: { name, number }.',
        },
      ),
      rules: documented(z.array(rule, { error: 'a list of rules' }).default([]), {
        doc: 'Which messages in which channel become flash SMS.',
      }),
    },
    'the keys groups and rules',
  )
    .superRefine(({ groups, rules }, context) => {
      const names = Object.keys(groups);
      const check = (notify: readonly string[], path: readonly PropertyKey[]) => {
        for (const [index, name] of notify.entries()) {
          if (names.includes(name)) continue;
          const message = names.length === 0 ? 'a group of alerts.groups' : `one of ${names.join(', ')}`;
          context.addIssue({ code: 'custom', path: [...path, 'notify', index], message, input: name });
        }
      };
      for (const [index, { notify, escalate }] of rules.entries()) {
        check(notify, ['rules', index]);
        for (const [step, one] of escalate.entries()) check(one.notify, ['rules', index, 'escalate', step]);
      }
    })
    .prefault({} as never);
}
