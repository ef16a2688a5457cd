import { z } from 'zod';
import { type Pattern, patternSchema } from '../sends/alerts/pattern.ts';
import { type Answer, type AnswerMember, normalised } from './read-answer.ts';

/** A way into an answer, outermost first: names without case, `_` and `-`, places in a list, `'[]'` for any place. */
export type Path = readonly (string | number)[];

export const ANY_PLACE = '[]';

/** `a.b[0].c` and `a[].b`. */
const pathSchema = z
  .string({ error: 'Write where the answer says so, e.g. data.status.' })
  .regex(
    /^(?:[^\s.[\]]+|\[\d{0,4}\])(?:\[\d{0,4}\]|\.[^\s.[\]]+)*$/,
    'Write field names with points between them, e.g. data.status; [0] is a place in a list, [] any place.',
  )
  .transform(
    (text): Path =>
      text
        .split(/[.[]/)
        .filter((part) => part !== '')
        .map((part) =>
          part === ']' ? ANY_PLACE : part.endsWith(']') ? Number.parseInt(part, 10) : normalised(part),
        ),
  );

/** Whether a path is the way of a member. Lists that the path does not mention are passed through. */
export function leadsTo(path: Path, way: AnswerMember['way']): boolean {
  let at = 0;
  for (const step of way) {
    const wanted = path[at];
    if (wanted === step || (wanted === ANY_PLACE && typeof step === 'number')) at += 1;
    else if (typeof step === 'string' || typeof wanted === 'number') return false;
  }
  return at === path.length;
}

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
