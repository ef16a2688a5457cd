import { closest, distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import { type Finding, wrong } from '../core/finding.ts';
import { maskPhoneNumbers } from '../core/secrets-in-text.ts';
import { read } from '../messages/form/partial-values.ts';
import { isSecret, keysAt } from './key.ts';

/** One thing that keeps Herald from starting. */
export interface Problem {
  /** A variable's name, or a path in `herald.yml` such as `pacing.sms.perSecond`. */
  readonly path: string;
  readonly found: string;
  /** What would be right ("a whole number from 1"), or a whole sentence of the room that the value belongs to. */
  readonly expected: string;
}

const LONGEST_SHOWN = 60;
/** A key this many letters away from a known one was probably meant to be it. */
const CLOSE_ENOUGH = 3;

/**
 * Zod's issues as problems, one a key. `found` shows the value at fault, except that of a secret, of which only
 * the length is shown, and all but the end of a phone number.
 *
 * @param prefix goes before each path, e.g. `herald.yml: `
 */
export function problemsOf(
  error: z.ZodError,
  schema: z.ZodType,
  input: unknown,
  prefix = '',
): readonly Problem[] {
  const problems = error.issues.flatMap((issue) => problemsOfIssue(issue, schema, input));
  return firstOfEachPath(problems).map((problem) => ({ ...problem, path: label(prefix, problem.path) }));
}

/** One value can break two rules, and one slip make a parser complain twice; the first is enough to put it right. */
export function firstOfEachPath(problems: readonly Problem[]): readonly Problem[] {
  const byPath = new Map(problems.toReversed().map((problem) => [problem.path, problem]));
  return [...byPath.values()].toReversed();
}

/** One line: where, what is there, and what would be right. */
export function renderProblem({ path, found, expected }: Problem): string {
  return isSentence(expected)
    ? `${path}: found ${found}. ${expected}.`
    : `${path}: found ${found}; expected ${expected}`;
}

/** The same for `doctor`: what would be right is the fix. */
export function findingOf({ path, found, expected }: Problem): Finding {
  return wrong(`${path}: found ${found}.`, isSentence(expected) ? `${expected}.` : `Expected: ${expected}.`);
}

/** The known key that was probably meant. */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const nearest = closest(key, [...known]);
  return distance(key, nearest) <= CLOSE_ENOUGH ? nearest : undefined;
}

function problemsOfIssue(issue: z.core.$ZodIssue, schema: z.ZodType, input: unknown): readonly Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => ({
      path: pathText([...issue.path, key]),
      found: 'a key that Herald does not know',
      expected: suggestion(key, known) ?? withoutPoint(issue.message),
    }));
  }
  const path = pathText(issue.path);
  if (issue.code === 'invalid_key') {
    const [reason] = issue.issues;
    const expected = withoutPoint(reason?.message ?? issue.message);
    return [{ path, found: 'a key that cannot stand here', expected }];
  }
  const found = describeFound(read(input, ...issue.path), isSecret(schema, issue.path));
  return [{ path, found, expected: withoutPoint(issue.message) }];
}

function suggestion(key: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const nearest = nearestKey(key, known);
  return nearest === undefined ? `one of ${known.join(', ')}` : `${nearest}, perhaps`;
}

function label(prefix: string, path: string): string {
  return path === '' ? prefix.replace(/: $/, '') : prefix + path;
}

/** What a key expects begins in lower case or with a code; what another room says is a sentence. */
function isSentence(expected: string): boolean {
  return /^(?:[A-Z][a-z]*|\{\{\w+\}\}) [a-z]/.test(expected);
}

function withoutPoint(message: string): string {
  return message.replace(/\.$/, '');
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}

function describeFound(value: unknown, secret: boolean): string {
  if (value === undefined || value === null) return 'nothing';
  if (secret)
    return typeof value === 'string'
      ? `a value of ${value.length} characters (not shown)`
      : 'a value (not shown)';
  const shown = maskPhoneNumbers(withoutCredentials(JSON.stringify(value) ?? String(value)));
  return shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown;
}

/** The same text without what addresses in it carry: a user name, a password, a key. */
export function withoutCredentials(text: string): string {
  const from = text.indexOf('://');
  // A password may hold any sign, written by somebody who did not know that it must be encoded.
  const to = text.lastIndexOf('@');
  const known = from >= 0 && to > from ? `${text.slice(0, from)}://…${text.slice(to)}` : text;
  return known.replaceAll(/:\/\/[^\s"]*/g, (address) =>
    address.replace(/^:\/\/[^/:[]*:\d*[^\d/?#].*/, '://…').replace(/[?#].*/, '?…'),
  );
}
