import type { z } from 'zod';

/**
 * Turns zod's issues into the sentences Slack answers with, e.g.
 * `must be less than 3001 characters [json-pointer:/blocks/0/text/text]`.
 */
function slackSentences(issues: readonly z.core.$ZodIssue[], prefix = ''): string[] {
  return issues.flatMap((issue) => sentencesOf(issue, prefix));
}

/** The sentences about a value that a schema refuses; none when it fits. */
export function checkedAgainst(schema: z.ZodType, value: unknown, prefix = ''): string[] {
  const parsed = schema.safeParse(value, { reportInput: true });
  return parsed.success ? [] : slackSentences(parsed.error.issues, prefix);
}

/** One of Slack's sentences about the place that `path` names. */
export function slackSentence(problem: string, path: readonly PropertyKey[], prefix = ''): string {
  const pointer = path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return `${problem} [json-pointer:${prefix}${pointer}]`;
}

function sentencesOf(issue: z.core.$ZodIssue, prefix: string): string[] {
  const at = (problem: string, path: readonly PropertyKey[] = issue.path) => [
    slackSentence(problem, path, prefix),
  ];
  if (isMissing(issue)) {
    return at(`missing required field: ${String(issue.path.at(-1))}`, issue.path.slice(0, -1));
  }
  switch (issue.code) {
    case 'invalid_type':
      return at(`must provide ${article(issue.expected)}`);
    case 'unrecognized_keys':
      return issue.keys.flatMap((key) => at(`invalid additional property: ${key}`));
    case 'too_big':
      if (issue.origin === 'string') return at(`must be less than ${Number(issue.maximum) + 1} characters`);
      if (issue.origin === 'array') return at(`no more than ${issue.maximum} items allowed`);
      return at(`must be no greater than ${issue.maximum}`);
    case 'too_small':
      if (issue.origin === 'string') return at(`must be more than ${Number(issue.minimum) - 1} characters`);
      if (issue.origin === 'array') return at(`must have at least ${issue.minimum} items`);
      return at(`must be ${issue.inclusive ? 'no less' : 'greater'} than ${issue.minimum}`);
    case 'invalid_union':
      if (issue.discriminator === undefined) return at('failed to match all allowed schemas');
      return at(`unsupported type: ${typeName(issue.input)}`, issue.path.slice(0, -1));
    case 'invalid_value':
      return at(`must be a valid enum value: ${issue.values.map(String).join(', ')}`);
    default:
      return at(issue.message);
  }
}

/** Whether the issue is about a field that is not there. Needs `reportInput`, see `checkedAgainst`. */
function isMissing(issue: z.core.$ZodIssue): boolean {
  const about =
    issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union';
  return about && issue.path.length > 0 && 'input' in issue && issue.input === undefined;
}

function typeName(block: unknown): string {
  const type = typeof block === 'object' && block !== null && 'type' in block ? block.type : undefined;
  return type === undefined ? 'none' : String(type);
}

function article(expected: string): string {
  if (expected === 'int') return 'an integer';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}
