import type { Msisdn } from '../messages/numbers/phone-number.ts';
import type { CustomerEvent, DeliveryStatus } from '../sends/replies/event.ts';
import type { AnswerSummary, StoredCustomerEvent } from '../sends/replies/ports.ts';
import { failureFrom } from './rows.ts';

/* From columns to values, as rows.ts does it for sends. */

const FAILURES_SHOWN = 12;

/** How many recipients of a send were last reported like this; `failure` is empty where there is none. */
export interface DeliveryCount {
  readonly status: DeliveryStatus;
  readonly failure: string;
  /** The service's words on the first of them for which it had any. */
  readonly example: string | null;
  readonly count: number;
}

/** @param counted most first */
export function summaryFrom(tally: AnswerSummary['tally'], counted: readonly DeliveryCount[]): AnswerSummary {
  const sum = (...statuses: DeliveryStatus[]) =>
    counted.reduce((total, { status, count }) => (statuses.includes(status) ? total + count : total), 0);
  return {
    tally,
    delivered: sum('delivered', 'read'),
    read: sum('read'),
    failed: sum('failed'),
    failures: counted
      .filter(({ failure, count }) => failure !== '' && count > 0)
      .slice(0, FAILURES_SHOWN)
      .map(({ failure, example, count }) => ({ failure: failureFrom(failure, example), count })),
  };
}

export function webhookFrom(row: Record<string, unknown>) {
  return {
    id: Number(row.id),
    digest: String(row.digest),
    receivedAt: Number(row.received_at),
    ...(row.content_type !== null && { contentType: String(row.content_type) }),
    body: Buffer.from(row.body as Uint8Array).toString('base64'),
    postponed: Number(row.postponed),
  };
}

export function deliveryFrom({ row, status, at, failure, explanation }: Record<string, unknown>) {
  return {
    row: Number(row),
    status: status as DeliveryStatus,
    at: Number(at),
    ...(failure !== null && { failure: failureFrom(String(failure), explanation as string | null) }),
  };
}

export function placeFrom(columns: Record<string, unknown> | undefined) {
  if (columns === undefined) return undefined;
  return { sendId: String(columns.send_id), row: Number(columns.row), number: columns.number as Msisdn };
}

export function customerEventFrom(columns: Record<string, unknown>): StoredCustomerEvent {
  return {
    id: Number(columns.id),
    key: String(columns.key),
    event: JSON.parse(String(columns.event)) as CustomerEvent,
    ...(columns.send_id !== null && { sendId: String(columns.send_id) }),
    ...(columns.label !== null && { label: String(columns.label) }),
    optedOut: columns.opted_out === 1,
    receivedAt: Number(columns.received_at),
    first: columns.first === 1,
  };
}
