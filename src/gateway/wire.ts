import { z } from 'zod';
import { given } from '../core/given.ts';
import { ADDRESS_FIELDS, type AddressTable, addressFieldsSchema } from '../messages/address/message.ts';
import type { Message, MessageKind } from '../messages/kinds.ts';
import type { ServiceTerms, TermsOf } from '../messages/service-terms.ts';
import type { Recipient } from '../messages/submission.ts';
import { ANSWER_FIELDS, ANSWER_KEYS, type AnswerMapping } from './answer-shape.ts';
import { ROW_NAMES as CHATAPP_ROWS } from './rows/chatapp.ts';
import { NUMBER_FORMATS, type NumberFormat, type RowDefinition } from './rows/row.ts';
import { kindOfRow, MESSAGE_KINDS, ROWS, type RowName, wireKindOf } from './rows.ts';
import { type CompiledShape, compileShape, type ShapeProblem, type ShapeValues } from './shape.ts';
import { type WebhookMapping, webhookSchema } from './webhooks/mapping.ts';

/** A row with the operator's overrides applied and its body compiled. */
export interface WireRow {
  readonly name: RowName;
  readonly number: string;
  readonly endpoint: 'base' | 'flash';
  readonly path: string;
  readonly shape: CompiledShape;
  readonly numberFormat: NumberFormat;
  /** Most recipients that one request may carry; 1 where the body names one recipient (`{{to}}`). */
  readonly recipientsPerRequest: number;
  /** What the account describes of the answers to it. */
  readonly answers: AnswerMapping;
}

export interface WireTable {
  readonly rows: Readonly<Record<RowName, WireRow>>;
  /** Every field name in any body: an answer that blames something else is not believed to name a field. */
  readonly fieldNames: ReadonlySet<string>;
  /** What forms ask for. */
  readonly terms: ServiceTerms;
  readonly webhooks: WebhookMapping;
}

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

/** What can be set of a row: what the interface document does not show of it. */
function rowOverrides({ settable }: RowDefinition) {
  return strict(Object.fromEntries(settable.map((name) => [name, SETTABLE[name]]))).optional();
}

/** What has settings for all rows of its path. */
const CHANNELS = [
  { name: 'chatapp', path: ROWS.chatappOtp.path },
  { name: 'rcs', path: ROWS.rcsPlain.path },
] as const;

const overridesSchema = strict({
  ...Object.fromEntries(CHANNELS.map(({ name }) => [name, strict({ numberFormat }).optional()])),
  ...Object.fromEntries(
    Object.entries(ROWS)
      .filter(([, { settable }]) => settable.length > 0)
      .map(([name, row]) => [name, rowOverrides(row)]),
  ),
  ...ANSWER_KEYS,
  answers: answersSchema(),
  webhooks: webhookSchema,
});

/** For all rows, and for those of a kind of message in particular. */
function answersSchema() {
  const kinds = MESSAGE_KINDS.map((kind) => [kind, strict(ANSWER_FIELDS).optional()]);
  return strict({ ...ANSWER_FIELDS, ...Object.fromEntries(kinds) }).optional();
}

const TERMS_ROWS = {
  ...CHATAPP_ROWS,
  interactive: 'interactive',
  address: 'address',
} as const satisfies Record<TermsOf, RowName>;

interface RowOverrides {
  readonly path?: string | undefined;
  readonly body?: unknown;
  readonly numberFormat?: NumberFormat | undefined;
  readonly fields?: AddressTable | undefined;
}
type Overrides = Readonly<Partial<Record<RowName | (typeof CHANNELS)[number]['name'], RowOverrides>>> &
  AnswerMapping & {
    readonly webhooks: WebhookMapping;
    readonly answers?: AnswerMapping & Readonly<Partial<Record<MessageKind, AnswerMapping>>>;
  };

/**
 * `wire:` of herald.yml: overrides of what the interface document does not show, `{}` by default.
 *
 * - `chatapp.numberFormat`: how `to` of rows 1 to 3, and of 11 and 12, is written; `rcs.numberFormat`: `number` of rows 4 to 8
 * - `chatappImage.body`, `chatappVideo.body`, `chatappText.body`: rows 2b, 2c and 3
 * - `sms`, `flash`, `interactive`, `address` (rows 9 to 12): `path`, `body`, `numberFormat`
 * - `address.fields`: what the account has otherwise than the document's table of address fields
 * - `answers`: what its answers look like, for all rows or by kind of message, see answer-shape.ts; without a `success` a 2xx
 *   is one unless it speaks of a failure. `success`, `failure` and `messageId` beside `answers` mean the same.
 * - `webhooks`: how the service calls, and what its webhooks look like, see webhooks/mapping.ts
 *
 * Bodies follow the rules in shape.ts. Parses to the finished table; each issue stands at its path in `wire`
 * and says what to write instead.
 */
export const wireSchema = z
  .preprocess((value) => value ?? {}, overridesSchema)
  .transform((overrides, context): WireTable => {
    const rows = new Map<RowName, WireRow>();
    for (const name of Object.keys(ROWS) as RowName[]) {
      const compiled = compileRow(name, overrides as Overrides);
      if ('problems' in compiled) {
        for (const problem of compiled.problems) {
          context.addIssue({
            code: 'custom',
            path: [name, 'body', ...problem.path],
            message: problem.message,
          });
        }
      } else rows.set(name, compiled.row);
    }
    return rows.size === Object.keys(ROWS).length ? tableOf(rows, overrides as Overrides) : z.NEVER;
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

/** A row's own settings, over those of its channel. */
function settingsFor(name: RowName, overrides: Overrides): RowOverrides {
  const channel = CHANNELS.find(({ path }) => path === ROWS[name].path);
  return { ...(channel && overrides[channel.name]), ...overrides[name] };
}

function compileRow(
  name: RowName,
  overrides: Overrides,
): { readonly row: WireRow } | { readonly problems: readonly ShapeProblem[] } {
  const definition: RowDefinition = ROWS[name];
  const settings = settingsFor(name, overrides);
  const shape = compileShape(settings.body ?? definition.body, definition.rules);
  if (!shape.ok) return { problems: shape.error };
  return {
    row: {
      name,
      number: definition.number,
      endpoint: definition.endpoint,
      path: settings.path ?? definition.path,
      shape: shape.value,
      numberFormat: settings.numberFormat ?? definition.numberFormat,
      recipientsPerRequest: shape.value.names.has('to') ? 1 : definition.recipientsPerRequest,
      answers: answersOf(name, overrides),
    },
  };
}

/** What is set of a kind of message wins over what is set of all. */
function answersOf(name: RowName, { success, failure, messageId, answers }: Overrides): AnswerMapping {
  return { ...given({ success, failure, messageId }), ...answers, ...answers?.[kindOfRow(name)] };
}

function tableOf(rows: ReadonlyMap<RowName, WireRow>, overrides: Overrides): WireTable {
  const { fields: addressFields = ADDRESS_FIELDS } = overrides.address ?? {};
  const fieldNames = new Set(Object.keys(addressFields));
  for (const [name, row] of rows) {
    const definition: RowDefinition = ROWS[name];
    for (const key of [...row.shape.keys, ...(definition.fieldNames ?? [])]) fieldNames.add(key);
  }
  const terms: ServiceTerms = {
    takes: (request, value) => rows.get(TERMS_ROWS[request])?.shape.names.has(value) === true,
    addressFields,
  };
  const finished = Object.fromEntries(rows) as Record<RowName, WireRow>;
  return { rows: finished, fieldNames, terms, webhooks: overrides.webhooks };
}

export interface FilledRow {
  readonly row: WireRow;
  readonly values: ShapeValues;
}

/**
 * Which row of the wire table a message is, and the values for its body. Depends on nothing but its arguments.
 *
 * @throws RangeError when there are more recipients than one request of that row carries, or none: splitting
 * an audience into requests is the caller's work
 */
export function rowOf(message: Message, recipients: readonly Recipient[], table: WireTable): FilledRow {
  const kind = wireKindOf(message);
  const row = table.rows[kind.rowName(message)];
  const [first, ...others] = recipients;
  if (first === undefined || recipients.length > row.recipientsPerRequest) {
    throw new RangeError(
      `A ${row.name} request takes 1 to ${row.recipientsPerRequest} recipients, not ${recipients.length}.`,
    );
  }
  return { row, values: kind.values(message, [first, ...others], row.numberFormat) };
}
