import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { metaOf } from './key.ts';

/** One thing that keeps Herald from starting. */
export interface Problem {
  /** A variable's name, or a path in `herald.yml` such as `pacing.sms.perSecond`. */
  readonly path: string;
  readonly found: string;
  readonly expected: string;
}

const LONGEST_SHOWN = 60;
/** A key this many letters away from a known one was probably meant to be it. */
const CLOSE_ENOUGH = 3;

/**
 * Zod's issues as problems, one a key. `found` shows the value at fault, except that of a secret, of which only
 * the length is told.
 *
 * @param prefix goes before each path, e.g. `herald.yml: `
 */
export function problemsOf(
  error: z.ZodError,
  schema: z.ZodType,
  input: unknown,
  prefix = '',
): readonly Problem[] {
  const problems = error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      const secret = isSecret(schema, issue.path);
      return [
        {
          path: prefix + pathText(issue.path),
          found: found(at(input, issue.path), secret),
          expected: sentence(issue.message),
        },
      ];
    }
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => ({
      path: prefix + pathText([...issue.path, key]),
      found: 'a key that Herald does not know',
      expected: suggestion(key, known) ?? sentence(issue.message),
    }));
  });
  // A value can break two rules of one key; the first is enough to put it right.
  return [...new Map(problems.toReversed().map((problem) => [problem.path, problem])).values()].toReversed();
}

export function renderProblem({ path, found, expected }: Problem): string {
  return `${path}: found ${found}; expected ${expected}`;
}

function suggestion(key: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const nearest = closest(key, [...known]);
  return distance(key, nearest) <= CLOSE_ENOUGH ? `${nearest}, perhaps` : `one of ${known.join(', ')}`;
}

function sentence(message: string): string {
  return message.replace(/\.$/, '');
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}

function found(value: unknown, secret: boolean): string {
  if (value === undefined || value === null) return 'nothing';
  if (secret)
    return typeof value === 'string'
      ? `a value of ${value.length} characters (not shown)`
      : 'a value (not shown)';
  const shown = JSON.stringify(value) ?? String(value);
  return shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown;
}

/** The schema that stands at a path, through everything that may be wrapped around an object. */
function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  return path.reduce<z.ZodType | undefined>((inner, key) => {
    const object = inner && unwrapped(inner);
    return object instanceof z.ZodObject ? (object.shape[String(key)] as z.ZodType | undefined) : undefined;
  }, schema);
}

/** The schema inside optional, default and prefault. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return unwrapped(schema.unwrap() as z.ZodType);
  }
  return schema;
}

function isSecret(schema: z.ZodType, path: readonly PropertyKey[]): boolean {
  const inner = schemaAt(schema, path);
  return inner !== undefined && metaOf(inner).secret === true;
}

function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const inner = schemaAt(schema, path);
  const object = inner && unwrapped(inner);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}
