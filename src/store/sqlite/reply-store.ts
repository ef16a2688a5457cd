import type { DatabaseSync } from 'node:sqlite';
import type { DeliveryStatus } from '../../sends/replies/event.ts';
import type {
  AnswerSummary,
  NewCustomerEvent,
  NewDelivery,
  ProcessedWebhook,
  ReplyStore,
} from '../../sends/replies/ports.ts';
import { rankOf } from '../delivery-rank.ts';
import {
  customerEventFrom,
  type DeliveryCount,
  deliveryFrom,
  placeFrom,
  summaryFrom,
  webhookFrom,
} from '../reply-rows.ts';
import { failureColumns } from '../rows.ts';
import { prepareReplyStatements } from './reply-statements.ts';
import { transactionsOn } from './transaction.ts';

/** The `ReplyStore` on one SQLite file; `database` comes from `openDatabase`. */
export function createSqliteReplyStore(database: DatabaseSync): ReplyStore {
  const sql = prepareReplyStatements(database);
  const transaction = transactionsOn(database);

  function addEvent(webhookId: number, { key, event, sendId, label, optedOut }: NewCustomerEvent): boolean {
    const number = event.from ?? null;
    const counts = sendId !== undefined && label !== undefined && isFirstTap(sendId, label, number);
    const added = sql.insertEvent.run(
      webhookId,
      key,
      JSON.stringify(event),
      sendId ?? null,
      number,
      label ?? null,
      optedOut ? 1 : 0,
    );
    if (added.changes === 0) return false;
    if (counts) sql.countTap.run(sendId, label);
    return true;
  }

  /** Somebody who taps twice is one person; of whom nothing is known counts each time. */
  function isFirstTap(sendId: string, label: string, number: string | null): boolean {
    return number === null || sql.earlierTap.get(sendId, label, number) === undefined;
  }

  function addDelivery({ sendId, row, status, at, failure }: NewDelivery): boolean {
    const before = sql.findDelivery.get(sendId, row);
    if (before !== undefined && rankOf(before.status as DeliveryStatus) >= rankOf(status)) return false;
    const why = failure && failureColumns(failure);
    const words = why?.explanation ?? null;
    if (before !== undefined)
      sql.countDelivery.run(sendId, before.status ?? null, before.failure ?? '', -1, null);
    sql.putDelivery.run(sendId, row, status, at, why?.cause ?? null, words);
    sql.countDelivery.run(sendId, status, why?.cause ?? '', 1, words);
    return true;
  }

  function record(processed: readonly ProcessedWebhook[]): readonly string[] {
    const changed = new Set<string>();
    for (const { webhookId, events, deliveries } of processed) {
      if (sql.finishWebhook.run(webhookId).changes === 0) continue;
      for (const event of events) {
        if (addEvent(webhookId, event) && event.sendId !== undefined) changed.add(event.sendId);
      }
      for (const delivery of deliveries) if (addDelivery(delivery)) changed.add(delivery.sendId);
    }
    return [...changed];
  }

  function summary(sendId: string): AnswerSummary {
    return summaryFrom(
      sql.tally.all(sendId).map(({ label, count }) => ({ label: String(label), count: Number(count) })),
      sql.deliveryCounts.all(sendId) as unknown as DeliveryCount[],
    );
  }

  return {
    keep: (webhooks, repeatWithinMs) =>
      transaction(() =>
        webhooks.map(({ digest, receivedAt, contentType, body }) => {
          const repeated = sql.countRepeat.run(digest, receivedAt - repeatWithinMs).changes > 0;
          if (!repeated) {
            const bytes = Buffer.from(body, 'base64');
            sql.insertWebhook.run(digest, receivedAt, contentType ?? null, bytes, receivedAt);
          }
          return { repeated };
        }),
      ),
    waiting: async (now, limit) => sql.waiting.all(now, limit).map(webhookFrom),
    nextDue: async () => {
      const due = sql.nextDue.get()?.due;
      return typeof due === 'number' ? due : undefined;
    },
    postpone: (webhookId, until) =>
      transaction(() => {
        sql.postpone.run(until, webhookId);
      }),
    record: (processed) => transaction(() => record(processed)),
    findByMessageId: async (messageId, number) => {
      const found = sql.byMessageId.all(messageId, number ?? null);
      return found.length === 1 ? placeFrom(found[0]) : undefined;
    },
    newestTo: async (number) => placeFrom(sql.newestTo.get(number)),
    unannounced: async (limit) => sql.unannounced.all(limit).map(customerEventFrom),
    markAnnounced: (eventIds, at) =>
      transaction(() => {
        for (const id of eventIds) sql.markAnnounced.run(at, id);
      }),
    summary: async (sendId) => summary(sendId),
    deliveries: async (sendId, fromRow, toRow) =>
      sql.deliveries.all(sendId, fromRow, toRow).map(deliveryFrom),
  };
}
