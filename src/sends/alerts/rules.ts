import { RE2JS, RE2JSSyntaxException } from 're2js';
import { z } from 'zod';
import { msisdnSchema } from '../../messages/numbers/phone-number.ts';
import type { SmsSender } from '../../messages/senders.ts';
import {
  channelId,
  positive,
  section,
  slackId,
  text,
  timeOfDay,
  timeZone,
  wholeNumber,
} from '../../messages/setting-values.ts';

/* Groups and rules under `alerts` of herald.yml, and the patterns of rules. */

/** A pattern of a rule. RE2 matches in time linear in the text, so no pattern can stall Herald. */
export type Pattern = ReturnType<typeof compilePattern>;

/** Each match may read on to the end of the text: their number is limited, so that all of them stay linear. */
const MOST_MATCHES = 100;

/** Ignores case; ^ and $ match at line breaks. Throws when the syntax is not RE2's. */
export function compilePattern(source: string) {
  const compiled = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE);
  const names = Object.values(compiled.namedGroups());
  return {
    /** Returns the contents of the named parts of all matches, each once and in order; empty where the pattern names none. */
    named: (text: string): readonly string[] => {
      const found = new Set<string>();
      const matcher = compiled.matcher(text);
      for (let matches = 0; names.length > 0 && matches < MOST_MATCHES && matcher.find(); matches += 1)
        found.add(names.map((index) => matcher.group(index) ?? '').join('\u001f'));
      return [...found].toSorted();
    },
    /** The first match and its groups ('' for a group without a match); undefined when nothing matches. */
    find: (text: string): readonly [string, ...string[]] | undefined => {
      const matcher = compiled.matcher(text);
      if (!matcher.find()) return undefined;
      const groups = Array.from(
        { length: matcher.groupCount() },
        (_, index) => matcher.group(index + 1) ?? '',
      );
      return [matcher.group() ?? '', ...groups];
    },
  };
}

const NOT_TEXT = 'Enter the pattern as text, in quotes.';
const LACKING = /\(\?<?[=!]|\\[1-9]|\\k/;

/** A pattern in herald.yml; the error names features that other tools have and RE2 lacks. */
export const patternSchema: z.ZodType<Pattern, string> = z.string(NOT_TEXT).transform((source, context) => {
  try {
    return compilePattern(source);
  } catch (error) {
    const message = LACKING.test(source)
      ? 'Patterns are in the syntax of RE2, which has no look-ahead, no look-behind and no back-references. Write it without them.'
      : `Patterns are in the syntax of RE2; this one it cannot read: ${reasonOf(error)}.`;
    context.addIssue({ code: 'custom', message, input: source });
    return z.NEVER;
  }
});

function reasonOf(error: unknown): string {
  if (error instanceof RE2JSSyntaxException) return error.error;
  return error instanceof Error ? error.message : String(error);
}

export const MINUTES = 'minutes, more than 0';
/** More parts than this nobody reads over everything else on a phone. */
const MOST_SEGMENTS = 4;
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** When somebody is on call: without days every day, without times all day. A window that crosses midnight belongs to the day on which it begins. */
const hours = section(
  {
    days: z
      .array(z.enum(WEEKDAYS, `a day: ${WEEKDAYS.join(', ')}`), 'a list of days')
      .min(1, 'a list of at least one day')
      .readonly()
      .optional(),
    from: timeOfDay.optional(),
    to: timeOfDay.optional(),
    /** Absent: `alerts.timezone`. */
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
export type OnCallHours = z.output<typeof hours>;

/** Somebody to notify: a number, or a Slack user whose number is on file. */
export const personSchema = section(
  {
    name: text('a name').optional(),
    number: msisdnSchema.optional(),
    user: slackId('UW', 'a user').optional(),
    /** Absent: always. */
    onCall: z.array(hours, 'a list of { days, from, to, timezone }').min(1).optional(),
  },
  '{ name, number } or { user }, perhaps with onCall',
).refine((one) => (one.number === undefined) !== (one.user === undefined), {
  path: ['number'],
  error: 'either a number, or a Slack user whose number is on file',
});
export type AlertPerson = z.output<typeof personSchema>;

/** Where all of it is absent or empty: anybody. */
const sources = section(
  {
    apps: z.array(slackId('A', 'an app')).optional(),
    bots: z.array(slackId('B', 'a bot')).optional(),
    users: z.array(slackId('UW', 'a user')).optional(),
    /** The names of incoming webhooks and bots, in any case of letters. */
    names: z.array(text('the name under which it posts')).optional(),
    sources: z.array(text('the name of one of alerts.sources')).optional(),
  },
  'apps, bots, users, names or sources',
);

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 60 * 60_000 };
const PERIOD_EXPECTED = 'a time such as 30s, 10m or 2h';
const period = z
  .string(PERIOD_EXPECTED)
  .regex(/^[1-9]\d{0,4}[smh]$/, PERIOD_EXPECTED)
  .transform((every) => Number.parseInt(every, 10) * (UNIT_MS[every.slice(-1)] ?? 0));

/** Names of `groups`, or user groups of Slack by id or handle. */
const groupNames = z
  .array(text('the name of a group'), 'a list of group names')
  .min(1, 'a list of at least one group name');
const flag = z.boolean('true or false');

export const ruleSchema = section(
  {
    /** Unique. */
    name: text('a name'),
    channel: channelId,
    from: sources.default({}),
    match: patternSchema.optional(),
    except: patternSchema.optional(),
    /** A match is a sign of life and no alert; when none came for so long, that is one. */
    expect: section({ every: period }, '{ every: 10m }')
      .transform(({ every }) => ({ everyMs: every }))
      .optional(),
    severity: text('a word, e.g. critical or warning').default('critical'),
    notify: groupNames,
    text: text('a text, perhaps with {{text}}, {{title}}, {{severity}}, {{rule}}').default('{{text}}'),
    /** SMS parts. */
    segments: wholeNumber(1).max(MOST_SEGMENTS, `a whole number from 1 to ${MOST_SEGMENTS}`).default(2),
    /** Its named parts wherever it matches, else its first match, identify an alert. Absent: the text without values that change. */
    fingerprint: patternSchema.optional(),
    coolDownMinutes: positive(MINUTES).default(15),
    /** Holds for the rule and for each of its escalations. */
    capPerHour: wholeNumber(1).default(10),
    escalate: z
      .array(section({ afterMinutes: positive(MINUTES), notify: groupNames }, '{ afterMinutes, notify }'))
      .default([]),
    /** The same text follows as ordinary SMS. */
    followUp: flag.default(false),
    /** Absent: where the severity is `critical`. */
    overrideQuietHours: flag.optional(),
    /** Without a pattern by the usual words of the common sources; `notify`: those who were notified of the alert. */
    resolved: section(
      { match: patternSchema.optional(), notify: flag.default(false) },
      '{ match, notify }',
    ).default({ notify: false } as never),
  },
  'a rule: { name, channel, notify, … }',
);
export type AlertRule = z.output<typeof ruleSchema>;

export interface AlertSettings {
  readonly groups: Readonly<Record<string, readonly AlertPerson[]>>;
  readonly rules: readonly AlertRule[];
  /** Holds for on-call hours and for times in texts. */
  readonly timezone: string;
  /** The senders of flash SMS, by country where there are several; empty when none is configured. */
  readonly senders: readonly SmsSender[];
  /** An alert to more people than this waits for approval. */
  readonly approvalOver: number;
  readonly capPerPersonPerHour: number;
  /** A later alert or escalation is not sent, only posted in its thread. */
  readonly lateAfterMinutes: number;
  /** Repetitions of an acknowledged alert are not sent for so long, unless it was resolved. */
  readonly acknowledgedMinutes: number;
}

export function overridesQuietHours({ overrideQuietHours, severity }: AlertRule): boolean {
  return overrideQuietHours ?? severity === 'critical';
}

const USER_GROUP = /^(?:S[A-Z0-9]{2,}|@[^\s@]+)$/;

/** True for what a rule notifies that may be a user group of Slack: its id, or its handle with `@`. */
export function isUserGroup(name: string): boolean {
  return USER_GROUP.test(name);
}

/** The user groups that a rule notifies, at once or later. */
export function userGroupsOf(
  { notify, escalate }: Pick<AlertRule, 'notify' | 'escalate'>,
  { groups }: Pick<AlertSettings, 'groups'>,
): readonly string[] {
  const names = [...notify, ...escalate.flatMap((one) => one.notify)];
  return [...new Set(names)].filter((name) => !Object.hasOwn(groups, name) && isUserGroup(name));
}
