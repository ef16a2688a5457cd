import { z } from 'zod';
import { type Pattern, patternSchema } from '../sends/alerts/pattern.ts';
import type { AnswerMember } from './answer-members.ts';
import { leadsTo, type Path, pathSchema } from './answer-path.ts';
import type { Answer } from './read-answer.ts';

/** How this account's answers show that a message was taken, or that it was refused. All that is given must fit. */
export interface AnswerShape {
  readonly path?: Path | undefined;
  /** What may stand there; absent: anything but null, false and an empty text. */
  readonly values?: readonly string[] | undefined;
  /** The HTTP statuses of such an answer; absent: any 2xx. */
  readonly statuses?: readonly number[] | undefined;
  /** What an answer in plain text says, or one that is a bare number or word. */
  readonly text?: Pattern | undefined;
}

const NO_PLACE = {
  error: 'Write where the answer says so, e.g. data.status; or text, or statuses.',
  path: ['path'],
};

const shape = z
  .strictObject(
    {
      path: pathSchema.optional(),
      values: z
        .array(z.union([z.string(), z.number(), z.boolean()]), {
          error: 'Write a list of what may stand there, e.g. [success, 200].',
        })
        .min(1, 'Write at least one value, or leave values out: then anything will do.')
        .transform((values) => values.map((value) => String(value).trim()))
        .optional(),
      statuses: z
        .array(z.int().min(200, 'Write a status of 200 to 299.').max(299, 'Write a status of 200 to 299.'), {
          error: 'Write a list of statuses, e.g. [200, 202].',
        })
        .min(1, 'Write at least one status, or leave statuses out: then any 2xx will do.')
        .optional(),
      text: patternSchema.optional(),
    },
    { error: 'Write an object with path, and with values where not everything will do.' },
  )
  .refine(
    ({ path, values, statuses, text }) => path ?? (values === undefined && (statuses ?? text)),
    NO_PLACE,
  );

/** `wire.success` and `wire.failure`: one shape, or a list of which one must fit. */
export const shapesSchema = oneOrMore(shape, 'Describe at least one shape, or leave the key out.');
/** `wire.messageId`: one path, or several of which the first with an id counts. */
export const messageIdSchema = oneOrMore(pathSchema, 'Write at least one path, or leave the key out.');

function oneOrMore<Item extends z.ZodType>(item: Item, none: string) {
  return z
    .preprocess(
      (value) => (value === undefined || Array.isArray(value) ? value : [value]),
      z.array(item).min(1, none).optional(),
    )
    .optional();
}

/** True when the answer has one of the shapes; in a list of several entries, each entry must have it. */
export function hasShape(status: number, answer: Answer, shapes: readonly AnswerShape[]): boolean {
  return shapes.some(({ path, values, statuses, text }) => {
    if (statuses?.includes(status) === false) return false;
    if (text !== undefined && text.find(textOf(answer)) === undefined) return false;
    return path === undefined || (answer.kind === 'json' && fits(answer.members, path, values));
  });
}

function textOf(answer: Answer): string {
  if (answer.kind === 'text') return answer.text;
  const [only] = answer.kind === 'json' ? answer.members : [];
  return only?.way.length === 0 ? String(only.value) : '';
}

function fits(members: readonly AnswerMember[], path: Path, values: AnswerShape['values']): boolean {
  const found = members.filter(({ way }) => leadsTo(path, way));
  const [first] = found;
  if (first === undefined || !found.every(({ value }) => isMeant(value, values))) return false;
  const entries = new Set(found.map(({ list }) => list?.index));
  const isOfOne = first.list === undefined || path.some((step) => typeof step === 'number');
  return isOfOne || entries.size === first.list?.elements.length;
}

function isMeant(value: unknown, values: AnswerShape['values']): boolean {
  if (values === undefined) return value !== null && value !== false && value !== '';
  return values.includes(String(value).trim());
}
