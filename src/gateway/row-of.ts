import type { Message } from '../messages/kinds.ts';
import type { Recipient } from '../messages/submission.ts';
import { wireKindOf } from './rows.ts';
import type { ShapeValues } from './shape.ts';
import type { WireRow, WireTable } from './wire.ts';

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
