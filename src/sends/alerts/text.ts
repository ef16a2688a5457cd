import { RE2JS } from 're2js';
import { cutToSegments } from '../../messages/sms/segments.ts';
import type { Alert } from './alert.ts';
import { type AlertRule, compilePattern } from './rules.ts';

/** More than any flash SMS holds. */
const LONGEST_TEXT = 3_000;
const LONGEST_TITLE = 200;
/** Sources say within the first lines that an alert is resolved. */
const RESOLVED_LINES = 3;
const RESOLVED = compilePattern(
  '^[^\\pL\\pN]*(alarm )?(resolved|recovered|closed|ok)\\b|\\b(changed to|is|status:|state:) (ok|resolved|recovered)\\b',
);
/** The state in front of an alert's name. */
const STATE_WORD =
  /^[^\p{L}\p{N}[]*(?:\[(?:firing|resolved|ok|alerting|no data)(?::\d+)?(?:, resolved:\d+)?\]|(?:re-)?triggered|problem:|resolved(?: in [\dwdhms ]+:)?|recovered|alarm|ok|closed|acknowledged)/iu;
/** How many of them fire. */
const COUNT = /^[^\p{L}\p{N}[]*\[firing:(\d{1,9})(?:, resolved:\d+)?\]/iu;
const DATES = /\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z| ?UTC|[+-]\d{2}:?\d{2})?)?/g;
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const NAMED_DATES = RE2JS.compile(
  `\\b(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?(?:${MONTH} \\d{1,2}|\\d{1,2} ${MONTH})\\b(?:,? \\d{4}\\b)?`,
  RE2JS.CASE_INSENSITIVE,
);
/** Percentages, times of day and, captured, all other numbers. */
const NUMBERS = /\b\d+(?:\.\d+)? ?%|\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?: ?[ap]m)?\b|(\d+(?:\.+\d+)*)/gi;
/** Labels whose whole number is a name; behind any other it is a value: “Queue length: 1204 ms”. */
const NAMED_BY_NUMBER =
  'account|build|case|channel|code|customer|device|disk|error|group|host|id|incident|instance|issue|job|line|node|no|number|order|partition|pod|port|priority|rack|region|release|replica|server|severity|shard|status|tenant|ticket|user|version|worker|zone';
const SIGN = `["'*)]*(?: *=|:["'*]* ) *["'*]*`;
const LABELLED = RE2JS.compile(
  `(\\b(?:${NAMED_BY_NUMBER})${SIGN}\\d+)|(\\pL${SIGN})-?\\d+(?:,\\d{3})*(?: ?[a-zµ]{1,3})?(\\.?(?:[,;|)\\n]|\\s{2}|$))`,
  RE2JS.CASE_INSENSITIVE,
);

/** The first line with a word, without the state: the same when the alert fires and when it is resolved. */
export function titleOf(text: string): string {
  const first = text.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line)) ?? '';
  return (withoutState(first) || first).trim().slice(0, LONGEST_TITLE);
}

/**
 * Equal for repetitions of an alert: what the rule's pattern finds, in all places where it names its parts; else the key of a
 * signal; else the text without state and changing values, and how many fire.
 */
export function fingerprintOf(
  text: string,
  { fingerprint }: Pick<AlertRule, 'fingerprint'>,
  key?: string,
): string {
  const named = fingerprint?.named(text) ?? [];
  if (named.length > 0) return `key:${named.join('\n')}`;
  const found = fingerprint?.find(text);
  if (found !== undefined) {
    const [whole, ...groups] = found;
    return `key:${groups.length > 0 ? groups.join('\u001f') : whole}`;
  }
  if (key !== undefined) return `key:${key}`;
  const still = withoutMovingValues(withoutState(text));
  const [, count = '1'] = COUNT.exec(text) ?? [];
  const words = still.replace(/\s+/g, ' ').trim().toLowerCase().slice(0, LONGEST_TEXT);
  return `text:${words}${count === '1' ? '' : `\n${count}`}`;
}

/** The fingerprint without its count: whoever says that it is over counts none. */
export function withoutCount(fingerprint: string): string {
  return fingerprint.startsWith('text:') ? (fingerprint.split('\n', 1)[0] ?? '') : fingerprint;
}

function withoutState(text: string): string {
  const [state] = STATE_WORD.exec(text) ?? [''];
  const rest = text.slice(state.length);
  return state === '' || /^[\p{L}\p{N}]/u.test(rest) ? text : rest.replace(/^\s*[:\-–|]?\s*/u, '');
}

/** Replaces values that change; other whole numbers, versions and addresses are names and stay. */
function withoutMovingValues(text: string): string {
  const dateless = NAMED_DATES.matcher(text.replace(DATES, '#')).replaceAll('#');
  const still = dateless.replace(NUMBERS, (found, number: string | undefined, at: number) => {
    const isDecimal = /^\d+\.\d+$/.test(found) && dateless.charAt(at - 1) !== '.';
    return number === undefined || isDecimal ? '#' : found;
  });
  return LABELLED.matcher(still).replaceAll('$1$2#$3');
}

export function saysResolved(text: string, { resolved }: Pick<AlertRule, 'resolved'>): boolean {
  if (resolved.match !== undefined) return resolved.match.find(text) !== undefined;
  return RESOLVED.find(text.split('\n', RESOLVED_LINES).join('\n')) !== undefined;
}

export function keptText(text: string): string {
  return text.slice(0, LONGEST_TEXT).toWellFormed();
}

/** The text to send: `before` and the filled-in template of the rule, cut to the number of SMS parts it allows. */
export function pageText(
  rule: AlertRule,
  { text, channelId: channel }: Pick<Alert, 'text' | 'channelId'>,
  before = '',
): string {
  const { severity, name } = rule;
  const values = new Map(Object.entries({ text, title: titleOf(text), severity, rule: name, channel }));
  const filled = rule.text.replace(/\{\{\s*(\w+)\s*\}\}/g, (all, name: string) => values.get(name) ?? all);
  return cutToSegments(before + printable(filled), rule.segments).text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to leave out
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Without control characters and direction overrides; an alert without text is still sent. */
function printable(text: string): string {
  const kept = text.toWellFormed().replace(UNPRINTABLE, ' ');
  return kept.trim() === '' ? 'An alert without text: look in Slack.' : kept;
}
