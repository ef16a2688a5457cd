import { z } from 'zod';
import type { WorkspaceParts } from '../parts.ts';
import type { ApiArguments } from '../request-body.ts';

/** What a method answers: Slack's JSON. */
export type ApiAnswer =
  | { ok: true; [field: string]: unknown }
  | { ok: false; error: string; [field: string]: unknown };

/** A Web API method: who may call it, and what it does. */
export interface ApiMethod {
  token: 'bot' | 'app' | 'none';
  /** Any one of these scopes suffices; none: every token may. */
  scopes: string[];
  call(parts: WorkspaceParts, args: ApiArguments): ApiAnswer | Promise<ApiAnswer>;
}

/** Defines a method by the shape of its arguments; arguments that do not fit answer `invalid_arguments`. */
export function apiMethod<Schema extends z.ZodType>(definition: {
  token?: ApiMethod['token'];
  scopes?: string[];
  args: Schema;
  run(parts: WorkspaceParts, args: z.infer<Schema>): ApiAnswer | Promise<ApiAnswer>;
}): ApiMethod {
  return {
    token: definition.token ?? 'bot',
    scopes: definition.scopes ?? [],
    call(parts, args) {
      const parsed = definition.args.safeParse(args, { reportInput: true });
      if (parsed.success) return definition.run(parts, parsed.data);
      return invalidArguments(parsed.error.issues.map(describeIssue));
    },
  };
}

/** `invalid_arguments`, with the sentences that Slack puts in response_metadata. */
function invalidArguments(problems: readonly string[]): ApiAnswer {
  return refusal('invalid_arguments', problems);
}

/** An error with its details, as Slack gives them: `[ERROR] …` lines. */
export function refusal(error: string, problems: readonly string[]): ApiAnswer {
  const messages = problems.map((problem) => `[ERROR] ${problem}`);
  return { ok: false, error, errors: [...problems], response_metadata: { messages } };
}

export function apiError(error: string): ApiAnswer {
  return { ok: false, error };
}

/** A number that may come as text, since forms know nothing else. */
export const numberArgument = z.coerce.number();

/** A boolean that may come as text. */
export const booleanArgument = z.preprocess((value) => {
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0' || value === '') return false;
  return value;
}, z.boolean());

/** A structure that may come as JSON in a form's field. */
export function jsonArgument<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value, context) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value);
    } catch {
      context.issues.push({ code: 'custom', input: value, message: 'must be valid JSON' });
      return z.NEVER;
    }
  }, schema);
}

/** A page of a list, by Slack's cursors. */
export const pageArguments = {
  cursor: z.string().optional(),
  limit: numberArgument.pipe(z.int().min(0).max(1000)).optional(),
};

const DEFAULT_PAGE = 100;

/** One page of `items`, and the cursor of the next; an unknown cursor answers `invalid_cursor`. */
export function pageOf<Item>(
  items: readonly Item[],
  args: { cursor?: string | undefined; limit?: number | undefined },
): { page: Item[]; nextCursor: string } | null {
  const start = args.cursor
    ? Number(Buffer.from(args.cursor, 'base64').toString('utf8').replace('at:', ''))
    : 0;
  if (!Number.isInteger(start) || start < 0 || start > items.length) return null;
  const end = start + (args.limit || DEFAULT_PAGE);
  const nextCursor = end < items.length ? Buffer.from(`at:${end}`).toString('base64') : '';
  return { page: items.slice(start, end), nextCursor };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const pointer = issue.path.map((key) => `/${String(key)}`).join('');
  if ('input' in issue && issue.input === undefined && issue.path.length > 0) {
    return `missing required field: ${String(issue.path.at(-1))}`;
  }
  return `${issue.message} [json-pointer:${pointer}]`;
}
