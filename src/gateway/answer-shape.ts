import { z } from 'zod';
import { type AnswerMember, normalised } from './answer-members.ts';
import type { Answer } from './read-answer.ts';

/** How this account's answers show that a message was taken, or that it was refused. */
export interface AnswerShape {
  /** Field names from the outermost in, without case, `_` and `-`; lists are passed through. */
  readonly path: readonly string[];
  /** What may stand there; absent: anything but null, false and an empty text. */
  readonly values?: readonly string[];
}

const shape = z
  .strictObject(
    {
      path: z
        .string({ error: 'Write where the answer says so, e.g. data.status.' })
        .regex(/^[^\s.]+(?:\.[^\s.]+)*$/, 'Write field names with points between them, e.g. data.status.'),
      values: z
        .array(z.union([z.string(), z.number(), z.boolean()]), {
          error: 'Write a list of what may stand there, e.g. [success, 200].',
        })
        .min(1, 'Write at least one value, or leave values out: then anything will do.')
        .optional(),
    },
    { error: 'Write an object with path, and with values where not everything will do.' },
  )
  .transform(
    ({ path, values }): AnswerShape => ({
      path: path.split('.').map(normalised),
      ...(values && { values: values.map((value) => String(value).trim()) }),
    }),
  );

/** `wire.success` and `wire.failure`: one shape, or a list of which one must fit. */
export const shapesSchema = z
  .preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(shape).min(1, 'Describe at least one shape, or leave the key out.').optional(),
  )
  .optional();

/** True when the answer has one of the shapes; in a list of several entries, each entry must have it. */
export function hasShape(answer: Answer, shapes: readonly AnswerShape[]): boolean {
  return answer.kind === 'json' && shapes.some((one) => fits(answer.members, one));
}

function fits(members: readonly AnswerMember[], { path, values }: AnswerShape): boolean {
  const places = members.filter(
    ({ key, parents }) =>
      key === path.at(-1) &&
      parents.length === path.length - 1 &&
      parents.every((name, at) => name === path[at]),
  );
  const [first] = places;
  if (first === undefined || !places.every(({ value }) => isMeant(value, values))) return false;
  const entries = new Set(places.map(({ list }) => list?.index));
  return first.list === undefined || entries.size === first.list.elements.length;
}

function isMeant(value: unknown, values: readonly string[] | undefined): boolean {
  if (values === undefined) return value !== null && value !== false && value !== '';
  return values.includes(String(value).trim());
}
