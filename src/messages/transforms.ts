import { z } from 'zod';
import type { Result } from '../core/result.ts';

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
