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
  /** True when the interface document shows this body; false when it is Herald's default and can be overridden. */
  readonly documented: boolean;
  /** Empty for a body that the document shows. */
  readonly settable: readonly Settable[];
  readonly body: JsonObject;
  readonly rules: ShapeRules;
  readonly numberFormat: NumberFormat;
  readonly recipientsPerRequest: number;
  /** Documented names inside a placeholder's value, which an answer may blame like the body's own. */
  readonly fieldNames?: readonly string[];
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
