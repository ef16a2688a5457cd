import { z } from 'zod';
import { given } from '../core/given.ts';
import { ADDRESS_FIELDS, addressFieldsSchema } from '../messages/address/message.ts';
import { type Channel, KINDS, MESSAGE_KINDS, type Message, type MessageKind } from '../messages/kinds.ts';
import type { ServiceTerms, TermsOf } from '../messages/service-terms.ts';
import type { Recipient } from '../messages/submission.ts';
import { referenceOf } from '../sends/send.ts';
import { ANSWER_FIELDS, ANSWER_KEYS, type AnswerMapping } from './answer-shape.ts';
import { headersSchema } from './headers.ts';
import { NUMBER_FORMATS, type RowDefinition } from './rows/row.ts';
import { CHATAPP_ROWS } from './rows/templates.ts';
import { kindOfRow, ROWS, type RowName, wireKindOf } from './rows.ts';
import { type CompiledShape, compileShape } from './shape.ts';
import { type WebhookMapping, webhookSchema } from './webhooks/mapping.ts';

/** A row with the operator's overrides applied and its body compiled. */
export interface WireRow extends Omit<RowDefinition, 'title' | 'body' | 'settable' | 'rules'> {
  readonly name: RowName;
  readonly shape: CompiledShape;
  /** What the account describes of the answers to it. */
  readonly answers: AnswerMapping;
}

export type WireTable = ReturnType<typeof tableOf>;

const body = z.unknown().optional();
const numberFormat = z
  .enum(NUMBER_FORMATS, { error: 'Write e164 (with the plus) or digits (without it).' })
  .optional();
const path = z
  .string({ error: 'Write a path such as /v1/sms.' })
  .regex(
    /^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/,
    'Write a path that begins with / and has no query, e.g. /v1/sms.',
  )
  .optional();
const SETTABLE = { path, body, numberFormat, fields: addressFieldsSchema.optional() } as const;

function rowOverrides({ settable }: RowDefinition) {
  return strict(Object.fromEntries(settable.map((name) => [name, SETTABLE[name]]))).optional();
}

const overridesSchema = strict({
  headers: headersSchema,
  chatapp: strict({ numberFormat }).optional(),
  rcs: strict({ numberFormat }).optional(),
  ...Object.fromEntries(
    Object.entries(ROWS)
      .filter(([, { settable }]) => settable.length > 0)
      .map(([name, row]) => [name, rowOverrides(row)]),
  ),
  ...ANSWER_KEYS,
  answers: answersSchema(),
  webhooks: webhookSchema,
});

function answersSchema() {
  const kinds = MESSAGE_KINDS.map((kind) => [kind, strict(ANSWER_FIELDS).optional()]);
  return strict({ ...ANSWER_FIELDS, ...Object.fromEntries(kinds) }).optional();
}

const TERMS_ROWS = {
  ...CHATAPP_ROWS,
  interactive: 'interactive',
  address: 'address',
} as const satisfies Record<TermsOf, RowName>;

type RowOverrides = Partial<z.infer<z.ZodObject<typeof SETTABLE>>>;
type Overrides = Readonly<Partial<Record<RowName | Channel, RowOverrides>>> &
  AnswerMapping & {
    readonly webhooks: WebhookMapping;
    readonly headers: z.infer<typeof headersSchema>;
    readonly answers?: AnswerMapping & Readonly<Partial<Record<MessageKind, AnswerMapping>>>;
  };

/**
 * `wire:` of herald.yml: overrides of what the interface document does not show, `{}` by default; docs/wire.md has them by row.
 * `chatapp.numberFormat` is of rows 1 to 3, 11 and 12, `rcs.numberFormat` of 4 to 8. Without a `success` in `answers` a 2xx is one
 * unless it speaks of a failure; `success`, `failure` and `messageId` beside `answers` mean the same.
 *
 * Bodies follow the rules in shape.ts, and may carry `{{reference}}` besides what their row has, see sends/send.ts. Parses to the
 * finished table; each issue stands at its path in `wire` and says what to write instead.
 */
export const wireSchema = z
  .preprocess((value) => value ?? {}, overridesSchema)
  .transform((overrides, context) => {
    const rows = (Object.keys(ROWS) as RowName[]).map((name) => compileRow(name, overrides as Overrides));
    for (const { name, shape } of rows)
      for (const { path, message } of shape.ok ? [] : shape.error)
        context.addIssue({ code: 'custom', path: [name, 'body', ...path], message });
    const compiled = rows.flatMap(({ shape, ...row }) => (shape.ok ? { ...row, shape: shape.value } : []));
    return compiled.length === rows.length ? tableOf(compiled, overrides as Overrides) : z.NEVER;
  });

function strict<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `${issue.keys.join(', ')} cannot be set here; what can be is: ${Object.keys(shape).join(', ')}. ` +
          'Request bodies that the interface document shows are fixed.'
        : `Write an object with any of: ${Object.keys(shape).join(', ')}.`,
  });
}

function compileRow(name: RowName, overrides: Overrides) {
  const { rules, number, endpoint, recipientsPerRequest, ...definition }: RowDefinition = ROWS[name];
  const ofChannel = overrides[KINDS[kindOfRow(name)].channel];
  const { body, path, numberFormat = ofChannel?.numberFormat } = overrides[name] ?? {};
  // A body of the account's own may name the recipient to the service, in any row.
  const allowed = body === undefined ? rules.allowed : [...rules.allowed, 'reference'];
  const shape = compileShape(body ?? definition.body, { ...rules, allowed });
  const isOfOne = shape.ok && ['to', 'reference'].some((one) => shape.value.names.has(one));
  return {
    ...{ name, number, endpoint, shape },
    path: path ?? definition.path,
    numberFormat: numberFormat ?? definition.numberFormat,
    // A body that names one recipient is for one.
    recipientsPerRequest: isOfOne ? 1 : recipientsPerRequest,
    answers: answersOf(name, overrides),
  };
}

/** What is set of a kind of message wins over what is set of all. */
function answersOf(name: RowName, { success, failure, messageId, answers }: Overrides): AnswerMapping {
  return { ...given({ success, failure, messageId }), ...answers, ...answers?.[kindOfRow(name)] };
}

function tableOf(compiled: readonly WireRow[], overrides: Overrides) {
  const rows = Object.fromEntries(compiled.map((row) => [row.name, row])) as Record<RowName, WireRow>;
  const { fields: addressFields = ADDRESS_FIELDS } = overrides.address ?? {};
  /** What forms ask for. */
  const terms: ServiceTerms = {
    takes: (request, value) => rows[TERMS_ROWS[request]].shape.names.has(value),
    addressFields,
    plainText: overrides.sessionText?.body !== undefined,
  };
  return {
    rows: rows as Readonly<typeof rows>,
    terms,
    webhooks: overrides.webhooks,
    /** What each request shows the key by, see headers.ts. */
    headers: overrides.headers,
    /** Whether the account has not said of some row what a success is. */
    isGuessed: compiled.some(
      ({ answers }) => (answers.success ?? answers.each?.mapping.success) === undefined,
    ),
  };
}

/**
 * Which row of the wire table a message is, and the values for its body. Depends on nothing but its arguments.
 *
 * @throws RangeError when there are more recipients than one request of that row carries, or none: splitting
 * an audience into requests is the caller's work
 */
export function rowOf(message: Message, recipients: readonly Recipient[], table: WireTable) {
  const kind = wireKindOf(message);
  const row = table.rows[kind.rowName(message)];
  const [first, ...others] = recipients;
  if (first === undefined || recipients.length > row.recipientsPerRequest) {
    throw new RangeError(
      `A ${row.name} request takes 1 to ${row.recipientsPerRequest} recipients, not ${recipients.length}.`,
    );
  }
  const { sendId, row: place } = first;
  const reference = sendId && place !== undefined ? referenceOf({ sendId, row: place }) : undefined;
  return { row, values: { ...kind.values(message, [first, ...others], row.numberFormat), reference } };
}
