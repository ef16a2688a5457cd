import { cutToSegments } from '../../messages/sms/cut-to-segments.ts';
import { compilePattern } from './pattern.ts';
import type { AlertRule } from './rules.ts';

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
  /^[^\p{L}\p{N}[]*(?:\[(?:firing|resolved|ok|alerting|no data)(?::\d+)?\]|(?:re-)?triggered|resolved|recovered|alarm|ok|closed|acknowledged)/iu;
const DATES = /\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z| ?UTC|[+-]\d{2}:?\d{2})?)?/g;
/** Percentages, times of day and, captured, all other numbers. */
const NUMBERS = /\b\d+(?:\.\d+)? ?%|\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\b|(\d+(?:\.+\d+)*)/g;

/** The first line with a word, without the state: the same when the alert fires and when it is resolved. */
export function titleOf(text: string): string {
  const first = text.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line)) ?? '';
  return (withoutState(first) || first).trim().slice(0, LONGEST_TITLE);
}

/** Equal for repetitions of an alert: the match of the rule's pattern, else the text without state and changing values. */
export function fingerprintOf(text: string, { fingerprint }: Pick<AlertRule, 'fingerprint'>): string {
  const found = fingerprint?.find(text);
  if (found !== undefined) {
    const [whole, ...groups] = found;
    return `key:${groups.length > 0 ? groups.join('\u001f') : whole}`;
  }
  const still = withoutMovingValues(withoutState(text));
  return `text:${still.replace(/\s+/g, ' ').trim().toLowerCase().slice(0, LONGEST_TEXT)}`;
}

function withoutState(text: string): string {
  const [state] = STATE_WORD.exec(text) ?? [''];
  const rest = text.slice(state.length);
  return state === '' || /^[\p{L}\p{N}]/u.test(rest) ? text : rest.replace(/^\s*[:\-–|]?\s*/u, '');
}

/** Replaces values that change; whole numbers, versions and addresses are names and stay. */
function withoutMovingValues(text: string): string {
  return text.replace(DATES, '#').replace(NUMBERS, (found, number: string | undefined, at: number) => {
    const isDecimal = /^\d+\.\d+$/.test(found) && text.charAt(at - 1) !== '.';
    return number === undefined || isDecimal ? '#' : found;
  });
}

export function saysResolved(text: string, { resolved }: Pick<AlertRule, 'resolved'>): boolean {
  if (resolved.match !== undefined) return resolved.match.find(text) !== undefined;
  return RESOLVED.find(text.split('\n', RESOLVED_LINES).join('\n')) !== undefined;
}

export function keptText(text: string): string {
  return text.slice(0, LONGEST_TEXT).toWellFormed();
}

interface TextValues {
  readonly text: string;
  readonly channel: string;
}

/** The text to send: `before` and the filled-in template of the rule, cut to the number of SMS parts it allows. */
export function pageText(rule: AlertRule, { text, channel }: TextValues, before = ''): string {
  const values: Readonly<Record<string, string>> = {
    text,
    title: titleOf(text),
    severity: rule.severity,
    rule: rule.name,
    channel,
  };
  const filled = rule.text.replace(/\{\{\s*(\w+)\s*\}\}/g, (all, name: string) => values[name] ?? all);
  return cutToSegments(before + printable(filled), rule.segments).text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to leave out
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Without control characters and direction overrides; an alert without text is still sent. */
function printable(text: string): string {
  const kept = text.toWellFormed().replace(UNPRINTABLE, ' ');
  return kept.trim() === '' ? 'An alert without text: look in Slack.' : kept;
}
