import { z } from 'zod';
import { type Pattern, patternSchema } from '../sends/alerts/pattern.ts';
import { leadsTo, type Path, pathSchema } from './path.ts';
import type { Answer, AnswerMember } from './read-answer.ts';

/** How an answer shows that a message was taken, or that it was refused. All that is given must fit. */
export interface AnswerShape {
  readonly path?: Path | undefined;
  /** What may stand there; absent: anything but null, false and an empty text. */
  readonly values?: readonly string[] | undefined;
  /** The HTTP statuses of such an answer; absent: any 2xx, and of a refusal any status that refuses. */
  readonly statuses?: readonly number[] | undefined;
  /** What an answer in plain text says, or one that is a bare number or word. */
  readonly text?: Pattern | undefined;
  /** Of a refusal: the code that it means, one of docs/wire.md ("Codes") or one of the account's own. */
  readonly code?: string | undefined;
  /** Of a refusal: what it means, as the end of a sentence. */
  readonly explanation?: string | undefined;
}

/** Where the id of a message stands: at a path, or in plain text as the first part in brackets of an expression. */
export type IdPlace = Path | { readonly text: Pattern };

/** What an account's answers look like: `wire.answers` of herald.yml. What it leaves out is read with care. */
export interface AnswerMapping {
  readonly success?: readonly AnswerShape[] | undefined;
  readonly failure?: readonly AnswerShape[] | undefined;
  readonly messageId?: readonly IdPlace[] | undefined;
  readonly each?: EachMapping | undefined;
}

/** The entries for single recipients. */
export interface EachMapping {
  readonly path: Path;
  /** Absent: by the name of the entry, or in the order of the request. */
  readonly number?: Path | undefined;
  /** Of an entry. All paths lead from the top of the answer. */
  readonly mapping: AnswerMapping;
}

const NO_PLACE = {
  error: 'Write where the answer says so, e.g. data.status; or text, or statuses.',
  path: ['path'],
};

/** A list of what may stand at a path. */
export const words = z
  .array(z.union([z.string(), z.number(), z.boolean()]), {
    error: 'Write a list of what may stand there, e.g. [success, 200].',
  })
  .min(1, 'Write at least one value, or leave it out: then anything will do.')
  .transform((values) => values.map((value) => String(value).trim()));

function statuses(most: number) {
  const error = `Write a status of 200 to ${most}.`;
  return z
    .array(z.int().min(200, error).max(most, error), { error: 'Write a list of statuses, e.g. [200, 202].' })
    .min(1, 'Write at least one status, or leave statuses out: then any 2xx will do.')
    .optional();
}

const place = { path: pathSchema.optional(), values: words.optional(), text: patternSchema.optional() };
const meaning = {
  code: z
    .union([z.string(), z.number()], { error: 'Write a code, e.g. 131026.' })
    .transform(String)
    .pipe(z.string().regex(/^[\w.:-]{1,40}$/, 'Write a code of at most 40 letters and digits.'))
    .optional(),
  explanation: z
    .string()
    .max(200, 'Write at most 200 characters.')
    .transform((text) => text.trim().replace(/\.$/, ''))
    .optional(),
};

const success = asShape(z.strictObject({ ...place, statuses: statuses(299) }, { error: shapeError }));
const failure = asShape(
  z.strictObject({ ...place, ...meaning, statuses: statuses(599) }, { error: shapeError }),
);

function shapeError(): string {
  return 'Write an object with path, and with values where not everything will do.';
}

function asShape<Schema extends z.ZodType<AnswerShape>>(schema: Schema) {
  return schema.refine(
    ({ path, values, statuses, text }) =>
      path !== undefined || (values === undefined && (statuses ?? text) !== undefined),
    NO_PLACE,
  );
}

const NO_SHAPE = 'Describe at least one shape, or leave the key out.';
const idPlace = z.union([pathSchema, z.strictObject({ text: patternSchema })], {
  error: (issue) =>
    typeof issue.input === 'string'
      ? 'Write field names with points between them, e.g. data.id; [0] is a place in a list, [] any place.'
      : 'Write where the id stands, e.g. data.id, or text with a part in brackets that is the id.',
});

/** What can be set of all answers: each one or a list. The keys of `wire` itself that were there first are the same. */
export const ANSWER_KEYS = {
  success: oneOrMore(success, NO_SHAPE),
  failure: oneOrMore(failure, NO_SHAPE),
  messageId: oneOrMore(idPlace, 'Write at least one path, or leave the key out.'),
} as const;

const each = z
  .preprocess(
    withStatus,
    z.strictObject(
      {
        path: pathSchema,
        number: pathSchema.optional(),
        id: pathSchema.optional(),
        success: ANSWER_KEYS.success,
        failure: ANSWER_KEYS.failure,
      },
      { error: 'Write an object with path, and any of number, id, status, success and failure.' },
    ),
  )
  .transform(({ path, number, id, success, failure }): EachMapping => {
    const whole = (inside: Path) => [...path, ...inside];
    const shapes = (all: readonly AnswerShape[] | undefined) =>
      all?.map((shape) => ({ ...shape, path: shape.path && whole(shape.path) }));
    const mapping = { success: shapes(success), failure: shapes(failure), messageId: id && [whole(id)] };
    return { path, number: number && whole(number), mapping };
  })
  .optional();

/** `success: [sent, queued]` beside `status` is short for a shape with that path. */
function withStatus(written: unknown): unknown {
  if (typeof written !== 'object' || written === null || !('status' in written)) return written;
  const { status, ...rest } = written as Readonly<Record<string, unknown>>;
  const shapes = (given: unknown) => {
    const all = given === undefined || Array.isArray(given) ? given : [given];
    const values = all?.filter((one: unknown) => typeof one !== 'object');
    const others = all?.filter((one: unknown) => typeof one === 'object') ?? [];
    return values === undefined || values.length === 0 ? all : [{ path: status, values }, ...others];
  };
  return { ...rest, success: shapes(rest.success), failure: shapes(rest.failure) };
}

export const ANSWER_FIELDS = { ...ANSWER_KEYS, each } as const;

/** One of them or a list. */
export function oneOrMore<Item extends z.ZodType>(item: Item, none: string) {
  return z
    .preprocess(
      (value) => (value === undefined || Array.isArray(value) ? value : [value]),
      z.array(item).min(1, none).optional(),
    )
    .optional();
}

/** The first shape that the answer has; in a list of several entries, each entry must have it. */
export function shapeOf(
  status: number,
  answer: Answer,
  shapes: readonly AnswerShape[] | undefined,
): AnswerShape | undefined {
  return shapes?.find(({ path, values, statuses, text }) => {
    if (statuses?.includes(status) === false) return false;
    if (text !== undefined && text.find(textOf(answer)) === undefined) return false;
    return path === undefined || (answer.kind === 'json' && fits(answer.members, path, values));
  });
}

export function textOf(answer: Answer): string {
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

/** Whether a value is one of those that were written down; without them, whether it says anything. */
export function isMeant(value: unknown, values: readonly string[] | undefined): boolean {
  if (values === undefined) return value !== null && value !== false && value !== '';
  return values.includes(String(value).trim());
}
