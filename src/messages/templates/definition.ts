import { z } from 'zod';
import { isBlank, textProblem } from '../text.ts';

/* What definitions that people write down, in herald.yml or in a form, are made of. */

/** Text that is written out, is not blank, and keeps the rules of every text. */
export function words(label: string, lineBreaks: boolean) {
  return z.string({ error: `${label} must be text; put it in quotes.` }).superRefine((text, context) => {
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

/** Calls `repeated` with the place of everything that stood in the list before. */
export function checkRepeats(keys: readonly string[], repeated: (index: number) => void): void {
  const seen = new Set<string>();
  for (const [index, key] of keys.entries()) {
    if (seen.has(key)) repeated(index);
    seen.add(key);
  }
}
