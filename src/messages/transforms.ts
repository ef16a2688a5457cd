import { z } from 'zod';
import type { Result } from '../core/result.ts';
import { TEXT_MAX_CHARACTERS } from './limits.ts';
import { isBlank, textProblem } from './text.ts';

/* Steps of schemas, for `.transform`. */

/** Reads one text; the failure is one sentence for whoever wrote it. */
export type Read<Output> = (typed: string) => Result<Output, string>;

/** What a reader makes of a text; its failure becomes the issue. */
export function reading<Output>(read: Read<Output>) {
  return (typed: string, context: z.RefinementCtx): Output => {
    const result = read(typed);
    if (result.ok) return result.value;
    context.addIssue({ code: 'custom', message: result.error, input: typed });
    return z.NEVER;
  };
}

/** Says that a rule between fields is broken, under the field at `path` below them. */
export type Refuse = (path: readonly PropertyKey[], message: string) => void;

/** What `build` makes of valid fields, unless it refuses a combination of them. */
export function madeOf<Fields, Made>(build: (fields: Fields, refuse: Refuse) => Made) {
  return (fields: Fields, context: z.RefinementCtx): Made => {
    let sound = true;
    const made = build(fields, (path, message) => {
      sound = false;
      context.addIssue({ code: 'custom', path: [...path], message, input: fields });
    });
    return sound ? made : z.NEVER;
  };
}

/* Parts of schemas for what people define in herald.yml or in a form. */

/** Text in quotes that is not blank and keeps the rules of every text. */
export function words(label: string, lineBreaks: boolean, trim = false) {
  const string = z.string(`${label} must be text; put it in quotes.`);
  return (trim ? string.trim() : string).superRefine((text, context) => {
    const problem = isBlank(text) ? `${label} is empty.` : textProblem(text, { label, lineBreaks });
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem, input: text });
  });
}

/** A limit that people set to the length of a text. */
export function characterLimit(key: string) {
  const rule = `“${key}” is a whole number from 1 to ${TEXT_MAX_CHARACTERS}.`;
  return z.int(rule).min(1, rule).max(TEXT_MAX_CHARACTERS, rule);
}

/** An object with these keys and no others. */
export function strict<Shape extends z.ZodRawShape>(what: string, shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `${what} has no ${issue.keys.map((key) => `“${key}”`).join(', ')}; it has ${Object.keys(shape).join(', ')}.`
        : `${what} must be written as keys and values: ${Object.keys(shape).join(', ')}.`,
  });
}

/** Calls `repeated` for each key that occurred before, with where, and where it did first. What has no key is left out. */
export function checkRepeats(
  keys: readonly (string | undefined)[],
  repeated: (index: number, first: number) => void,
): void {
  const seen = new Map<string, number>();
  for (const [index, key] of keys.entries()) {
    if (key === undefined) continue;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    else repeated(index, first);
  }
}
