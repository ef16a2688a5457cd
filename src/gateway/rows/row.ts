import { digitsOf, type Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Recipient } from '../../messages/submission.ts';
import type { JsonObject } from '../json.ts';
import type { ShapeRules, ShapeValues } from '../shape.ts';

/** How a recipient's number is written: `+919876543210` or `919876543210`. */
export const NUMBER_FORMATS = ['e164', 'digits'] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

/** What of a row's request the operator can set under `wire` in herald.yml. */
type Settable = 'path' | 'body' | 'numberFormat' | 'fields';

/** One row of the interface document's list of endpoints, as data. */
export interface RowDefinition {
  /** The document's number for it; `2b` and `2c` are headers that it describes but does not show. */
  readonly number: string;
  readonly title: string;
  /** Which of the two hosts takes it. */
  readonly endpoint: 'base' | 'flash';
  readonly path: string;
  /** Empty for a body that the interface document shows; any other is Herald's default. */
  readonly settable: readonly Settable[];
  readonly body: JsonObject;
  readonly rules: ShapeRules;
  readonly numberFormat: NumberFormat;
  readonly recipientsPerRequest: number;
}

/** How the requests of one path are alike. */
type Requests = Pick<RowDefinition, 'endpoint' | 'path' | 'numberFormat' | 'recipientsPerRequest'>;

interface Differing {
  readonly settable?: RowDefinition['settable'];
  /** What a body of the account's own may leave out, besides what any may. */
  readonly optional?: readonly string[];
  /** What it may carry besides what stands in Herald's own. */
  readonly also?: readonly string[];
  readonly required?: ShapeRules['required'];
}

const OPTIONAL = ['campaignName', 'language'];

/** What can be set of a row that the interface document does not show at all. */
export const OWN_SHAPE = ['path', 'body', 'numberFormat'] as const;

/** A row by its body: what stands in it a body of the account's own may carry, and must, where it is not optional. */
export function row(
  requests: Requests,
  [number, title]: readonly [number: string, title: string],
  body: JsonObject,
  { settable = [], optional = [], also = [], required }: Differing = {},
): RowDefinition {
  const names = Array.from(JSON.stringify(body).matchAll(/\{\{(\w+)\}\}/g), ([, name = '']) => name);
  const rules = {
    allowed: [...names, ...also],
    required: required ?? names.filter((name) => ![...OPTIONAL, ...optional].includes(name)),
  };
  return { ...requests, number, title, body, settable, rules };
}

/** How messages of one kind become requests. */
export interface WireKind<M, RowName extends string = string> {
  /** The rows that its messages can be. */
  readonly rows: Readonly<Record<RowName, RowDefinition>>;
  rowName(message: M): RowName;
  /** The values for the row's body: for one recipient, or for as many as one request carries. */
  values(message: M, recipients: readonly [Recipient, ...Recipient[]], format: NumberFormat): ShapeValues;
}

/** A number as the row writes it. */
export function formatted(number: Msisdn, format: NumberFormat): string {
  return format === 'digits' ? digitsOf(number) : number;
}
