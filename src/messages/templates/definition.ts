import { z } from 'zod';
import { isBlank, textProblem } from '../text.ts';

/* Parts of schemas for what people define in herald.yml or in a form. */

/** Text in quotes that is not blank and keeps the rules of every text. */
export function words(label: string, lineBreaks: boolean, trim = false) {
  const string = z.string({ error: `${label} must be text; put it in quotes.` });
  return (trim ? string.trim() : string).superRefine((text, context) => {
    const problem = isBlank(text) ? `${label} is empty.` : textProblem(text, { label, lineBreaks });
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem, input: text });
  });
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
