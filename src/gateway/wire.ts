import { z } from 'zod';
import { ADDRESS_FIELDS, type AddressTable, addressFieldsSchema } from '../messages/address/message.ts';
import type { Message } from '../messages/kinds.ts';
import type { ServiceTerms, TermsOf } from '../messages/service-terms.ts';
import type { Recipient } from '../messages/submission.ts';
import { type AnswerShape, messageIdSchema, type Path, shapesSchema } from './answer-shape.ts';
import { ROW_NAMES as CHATAPP_ROWS } from './rows/chatapp.ts';
import { NUMBER_FORMATS, type NumberFormat, type RowDefinition } from './rows/row.ts';
import { ROWS, type RowName, wireKindOf } from './rows.ts';
import { type CompiledShape, compileShape, type ShapeProblem, type ShapeValues } from './shape.ts';

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
}

export interface WireTable {
  readonly rows: Readonly<Record<RowName, WireRow>>;
  /** Every field name in any body: an answer that blames something else is not believed to name a field. */
  readonly fieldNames: ReadonlySet<string>;
  /** What forms ask for. */
  readonly terms: ServiceTerms;
  /** What a success, and a refusal, of this account look like, where the operator describes them. */
  readonly success?: readonly AnswerShape[] | undefined;
  readonly failure?: readonly AnswerShape[] | undefined;
  /** Where its answers have the id of a message, where the operator says so. */
  readonly messageId?: readonly Path[] | undefined;
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
  success: shapesSchema,
  failure: shapesSchema,
  messageId: messageIdSchema,
});

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
  Pick<WireTable, 'success' | 'failure' | 'messageId'>;

/**
 * `wire:` of herald.yml: overrides of what the interface document does not show, `{}` by default.
 *
 * - `chatapp.numberFormat`: how `to` of rows 1 to 3, and of 11 and 12, is written; `rcs.numberFormat`: `number` of rows 4 to 8
 * - `chatappImage.body`, `chatappVideo.body`, `chatappText.body`: rows 2b, 2c and 3
 * - `sms`, `flash`, `interactive`, `address` (rows 9 to 12): `path`, `body`, `numberFormat`
 * - `address.fields`: what the account has otherwise than the document's table of address fields
 * - `success`: what a success of this account looks like; without it a 2xx is one unless it speaks of a failure
 * - `failure`: what a 2xx looks like by which this account says that it refused the message
 * - `messageId`: where its answers have the id by which delivery reports name a message
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
    },
  };
}

function tableOf(rows: ReadonlyMap<RowName, WireRow>, overrides: Overrides): WireTable {
  const { address, success, failure, messageId } = overrides;
  const { fields: addressFields = ADDRESS_FIELDS } = address ?? {};
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
  return { rows: finished, fieldNames, terms, success, failure, messageId };
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
