import { z } from 'zod';
import { patternSchema } from '../sends/alerts/rules.ts';
import { isJsonObject } from './json.ts';
import type { Answer } from './read-answer.ts';
import { pathSchema, valuesAt } from './structure.ts';

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

const place = {
  path: pathSchema.optional(),
  /** What may stand there; absent: anything but null, false and an empty text. */
  values: words.optional(),
  /** What stands at the path; without one, what an answer in plain text says, or one that is a bare number or word. */
  text: patternSchema.optional(),
};
const meaning = {
  /** One of docs/wire.md ("Codes") or one of the account's own. */
  code: z
    .union([z.string(), z.number()], { error: 'Write a code, e.g. 131026.' })
    .transform(String)
    .pipe(z.string().regex(/^[\w.:-]{1,40}$/, 'Write a code of at most 40 letters and digits.'))
    .optional(),
  /** The end of a sentence. */
  explanation: z
    .string()
    .max(200, 'Write at most 200 characters.')
    .transform((text) => text.trim().replace(/\.$/, ''))
    .optional(),
};

const error = () => 'Write an object with path, and with values where not everything will do.';
const success = asShape(z.strictObject({ ...place, statuses: statuses(299) }, { error }));
const failure = asShape(z.strictObject({ ...place, ...meaning, statuses: statuses(599) }, { error }));

/** How an answer shows that a message was taken, or that it was refused. All that is given must fit. */
export type AnswerShape = z.infer<typeof failure>;

/** Without statuses of its own a shape is that of any 2xx, and of a refusal any status that refuses. */
function asShape<
  Schema extends z.ZodType<z.infer<z.ZodObject<typeof place & { statuses: ReturnType<typeof statuses> }>>>,
>(schema: Schema) {
  return schema
    .refine(({ path, values, statuses, text }) => path ?? (values === undefined && (statuses ?? text)), {
      error: 'Write where the answer says so, e.g. data.status; or text, or statuses.',
      path: ['path'],
    })
    .refine(
      ({ path, statuses = [], text }) =>
        (path ?? text) !== undefined || !statuses.some((status) => status === 408 || status >= 500),
      {
        error: 'A message may have been sent before a 408 or a 5xx: write path or text as well.',
        path: ['statuses'],
      },
    );
}

const NO_SHAPE = 'Describe at least one shape, or leave the key out.';
/** Where the id of a message stands: at a path, or as the first part in brackets of an expression in plain text or at a path. */
const idPlace = z.union(
  [
    pathSchema.transform((path) => ({ path, text: undefined })),
    z.strictObject({ path: pathSchema.optional(), text: patternSchema }),
  ],
  {
    error: (issue) =>
      typeof issue.input === 'string'
        ? 'Write field names with points between them, e.g. data.id; [0] is a place in a list, [] any place.'
        : 'Write where the id stands, e.g. data.id, or text with a part in brackets that is the id.',
  },
);

export type IdPlace = z.infer<typeof idPlace>;

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
        /** Absent: by the name of the entry, or in the order of the request. */
        number: pathSchema.optional(),
        id: pathSchema.optional(),
        success: ANSWER_KEYS.success,
        failure: ANSWER_KEYS.failure,
      },
      { error: 'Write an object with path, and any of number, id, status, success and failure.' },
    ),
  )
  .transform(({ path, number, id, success, failure }) => {
    const messageId = id && [{ path: id, text: undefined }];
    return { path, number, mapping: { success, failure, messageId } };
  })
  .optional();

/** `success: [sent, queued]` beside `status` is short for a shape with that path. */
function withStatus(written: unknown): unknown {
  if (!isJsonObject(written) || !('status' in written)) return written;
  const { status, ...rest } = written;
  const shapes = (given: unknown) => {
    const all = given === undefined ? [] : [given].flat();
    const values = all.filter((one) => typeof one !== 'object');
    if (values.length === 0) return given;
    return [{ path: status, values }, ...all.filter((one) => typeof one === 'object')];
  };
  return { ...rest, success: shapes(rest.success), failure: shapes(rest.failure) };
}

export const ANSWER_FIELDS = { ...ANSWER_KEYS, each } as const;

/** What an account's answers look like: `wire.answers` of herald.yml. What it leaves out is read with care. */
export type AnswerMapping = Partial<z.infer<z.ZodObject<typeof ANSWER_FIELDS>>>;

/** The entries for single recipients; the paths in it lead from the entry on. */
export type EachMapping = NonNullable<AnswerMapping['each']>;

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
    const isSaid = (value: unknown) => text === undefined || text.find(String(value)) !== undefined;
    if (path === undefined) return isSaid(textOf(answer));
    const found = valuesAt(answer.value, path);
    const isLeaf = (value: unknown) => typeof value !== 'object' || value === null;
    return found.length > 0 && found.every((one) => isLeaf(one) && isMeant(one, values) && isSaid(one));
  });
}

export function textOf({ text, value = '' }: Answer): string {
  return text ?? (typeof value === 'object' ? '' : String(value));
}

/** Whether a value is one of those that were written down; without them, whether it says anything. */
export function isMeant(value: unknown, values: readonly string[] | undefined): boolean {
  if (values !== undefined) return value !== undefined && values.includes(String(value).trim());
  return value !== undefined && value !== null && value !== false && value !== '';
}
