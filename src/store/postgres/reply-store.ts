import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import { DELIVERY_STATUSES } from '../../sends/replies/event.ts';
import type {
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
import type { Database, Runner, Statement } from './database.ts';
import * as sql from './reply-statements.ts';

type Row = Record<string, unknown>;

/** The `ReplyStore` on PostgreSQL. */
export function createPostgresReplyStore(database: Database): ReplyStore {
  const rows = (asked: Statement, values: readonly unknown[]) => database.run<Row>(asked, values);

  return {
    keep: (webhooks, repeatWithinMs) =>
      database.transaction(async (runner) => {
        await runner.run(sql.keepAlone, []);
        const kept: { repeated: boolean }[] = [];
        for (const { digest, receivedAt, contentType, body } of webhooks) {
          const repeated =
            (await runner.run(sql.countRepeat, [digest, receivedAt - repeatWithinMs])).length > 0;
          const bytes = Buffer.from(body, 'base64');
          if (!repeated)
            await runner.run(sql.insertWebhook, [digest, receivedAt, contentType ?? null, bytes]);
          kept.push({ repeated });
        }
        return kept;
      }),
    waiting: async (now, limit) => (await rows(sql.waiting, [now, limit])).map(webhookFrom),
    nextDue: async () => {
      const [{ due } = {}] = await rows(sql.nextDue, []);
      return typeof due === 'number' ? due : undefined;
    },
    postpone: async (webhookId, until) => {
      await rows(sql.postpone, [webhookId, until]);
    },
    record: (processed) => database.transaction((runner) => record(runner, processed)),
    findByMessageId: async (messageId, number) => {
      const found = await rows(sql.byMessageId, [messageId, number ?? null]);
      return found.length === 1 ? placeFrom(found[0]) : undefined;
    },
    newestTo: async (number: Msisdn) => placeFrom((await rows(sql.newestTo, [number]))[0]),
    unannounced: async (limit) => (await rows(sql.untoldEvents, [limit])).map(customerEventFrom),
    markAnnounced: async (eventIds, at) => {
      await rows(sql.markEventsTold, [eventIds, at]);
    },
    summary: async (sendId) => {
      const tally = await database.run<{ label: string; count: number }>(sql.tally, [sendId]);
      return summaryFrom(tally, await database.run<DeliveryCount>(sql.deliveryCounts, [sendId]));
    },
    deliveries: async (sendId, fromRow, toRow) =>
      (await rows(sql.deliveries, [sendId, fromRow, toRow])).map(deliveryFrom),
  };
}

async function record(runner: Runner, processed: readonly ProcessedWebhook[]): Promise<readonly string[]> {
  await runner.run(sql.recordAlone, []);
  const ids = processed.map(({ webhookId }) => webhookId);
  const finished = await runner.run<{ id: number }>(sql.finishWebhooks, [ids]);
  const fresh = new Set(finished.map(({ id }) => id));
  const changed = new Set<string>();
  const deliveries: NewDelivery[] = [];
  for (const one of processed) {
    // Once only, even when it is named twice.
    if (!fresh.delete(one.webhookId)) continue;
    for (const event of one.events)
      if (await addEvent(runner, one.webhookId, event)) changed.add(event.sendId ?? '');
    deliveries.push(...one.deliveries);
  }
  for (const sendId of await addDeliveries(runner, deliveries)) changed.add(sendId);
  changed.delete('');
  return [...changed];
}

async function addEvent(
  runner: Runner,
  webhookId: number,
  { key, event, sendId, label, optedOut }: NewCustomerEvent,
): Promise<boolean> {
  const added = await runner.run(sql.insertEvent, [
    webhookId,
    key,
    JSON.stringify(event),
    sendId ?? null,
    event.from ?? null,
    label ?? null,
    optedOut ? 1 : 0,
  ]);
  return added.length === 1;
}

async function addDeliveries(runner: Runner, given: readonly NewDelivery[]): Promise<readonly string[]> {
  const best = bestOfEach(given);
  if (best.length === 0) return [];
  const failures = best.map(({ failure }) => failure && failureColumns(failure));
  const changed = await runner.run<{ send_id: string }>(sql.addDeliveries, [
    best.map(({ sendId }) => sendId),
    best.map(({ row }) => row),
    best.map(({ status }) => status),
    best.map(({ at }) => at),
    failures.map((failure) => failure?.cause ?? null),
    failures.map((failure) => failure?.explanation ?? null),
    DELIVERY_STATUSES,
  ]);
  return changed.map(({ send_id }) => send_id);
}

/** Of several reports of one recipient the best, and of equal ones the first. */
function bestOfEach(given: readonly NewDelivery[]): readonly NewDelivery[] {
  const best = new Map<string, NewDelivery>();
  for (const delivery of given) {
    const key = `${delivery.sendId}:${delivery.row}`;
    const known = best.get(key);
    if (known === undefined || rankOf(known.status) < rankOf(delivery.status)) best.set(key, delivery);
  }
  return [...best.values()];
}
