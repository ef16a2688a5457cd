import { createHash } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import { readReplyId, titleOfReply } from '../../messages/interactive/reply-ids.ts';
import type { Message } from '../../messages/kinds.ts';
import { isStopReply } from '../../messages/stop-words.ts';
import type { AudienceStore } from '../audience.ts';
import type { Failure } from '../outcome.ts';
import type { SendReader } from '../ports.ts';
import type { CustomerEvent, DecodeWebhook, DeliveryReport } from './event.ts';
import type { NewCustomerEvent, NewDelivery, ProcessedWebhook, ReplyStore, StoredWebhook } from './ports.ts';

/** A report may arrive before the outcome of its request was written, so it is processed again after these delays. */
const LOOK_AGAIN_AFTER_MS: readonly number[] = [2_000, 10_000, 60_000];

interface ReplyMetrics {
  webhookReceived(result: 'kept' | 'repeated'): void;
  webhookEvent(kind: string, matched: boolean): void;
}

export interface ProcessDependencies {
  readonly store: ReplyStore;
  readonly sends: Pick<SendReader, 'find'>;
  readonly audiences: Pick<AudienceStore, 'optOut'>;
  readonly decode: DecodeWebhook;
  /** A report's failure as it may be told of this message. */
  readonly failureOf: (failure: Failure, message: Message) => Failure;
  /** Called for what comes from a phone on call, once or again. */
  readonly onAlertAnswered: (alertId: string, event: CustomerEvent) => Promise<void>;
  /** `webhooks.stopWords` of herald.yml. */
  readonly stopWords: readonly string[];
  readonly metrics: ReplyMetrics;
  readonly clock: Clock;
}

/** What to write for a webhook, or when to process it again. */
export type Processing =
  | { readonly state: 'done'; readonly processed: ProcessedWebhook }
  | { readonly state: 'later'; readonly until: number };

/**
 * Decodes a stored body and finds the send of each event. May be repeated: it only writes to the opt-out list and
 * acknowledges alerts, idempotently. Neither waits for anything else.
 */
export async function processWebhook(
  webhook: StoredWebhook,
  dependencies: ProcessDependencies,
): Promise<Processing> {
  const { decode, metrics, clock } = dependencies;
  const body = {
    bytes: Buffer.from(webhook.body, 'base64'),
    ...(webhook.contentType && { contentType: webhook.contentType }),
  };
  const decoded = decode(body);
  const reports = decoded.filter((event) => event.kind === 'report');
  const events: NewCustomerEvent[] = [];
  for (const [index, event] of decoded.entries()) {
    if (event.kind !== 'report') events.push(await customerEvent(event, index, webhook, dependencies));
  }
  const deliveries = await findDeliveries(reports, webhook, dependencies);
  const wait = LOOK_AGAIN_AFTER_MS[webhook.postponed];
  if (deliveries.length < reports.length && wait !== undefined)
    return { state: 'later', until: clock.now() + wait };
  for (const { event, sendId } of events) {
    const kind = event.kind === 'unknown' && !event.readable ? 'unreadable' : event.kind;
    metrics.webhookEvent(kind, sendId !== undefined);
  }
  for (const index of reports.keys()) metrics.webhookEvent('report', index < deliveries.length);
  return { state: 'done', processed: { webhookId: webhook.id, events, deliveries } };
}

async function findDeliveries(
  reports: readonly DeliveryReport[],
  { receivedAt }: StoredWebhook,
  { store, sends, failureOf }: ProcessDependencies,
): Promise<readonly NewDelivery[]> {
  const deliveries: NewDelivery[] = [];
  for (const { messageId, otherIds = [], number, status, failure } of reports) {
    let place: Awaited<ReturnType<ReplyStore['findByMessageId']>>;
    for (const id of [messageId, ...otherIds]) place ??= await store.findByMessageId(id, number);
    if (place === undefined) continue;
    const { sendId, row } = place;
    const send = failure && (await sends.find(sendId));
    const why = send ? failureOf(failure, send.message) : failure;
    deliveries.push({ sendId, row, status, at: receivedAt, ...(why && { failure: why }) });
  }
  return deliveries;
}

async function customerEvent(
  decoded: CustomerEvent,
  index: number,
  webhook: StoredWebhook,
  dependencies: ProcessDependencies,
): Promise<NewCustomerEvent> {
  const sendId = await matchSend(decoded, dependencies);
  const send = sendId === undefined ? undefined : await dependencies.sends.find(sendId);
  const { event, label } = asRead(decoded, send?.message);
  const optedOut = asksToStop(event, dependencies.stopWords);
  if (optedOut && event.from !== undefined) {
    const { from: number } = event;
    await dependencies.audiences.optOut([
      { number, at: webhook.receivedAt, actor: 'herald', source: 'reply' },
    ]);
  }
  const alertId = send?.origin.alert?.id;
  if (alertId !== undefined) await dependencies.onAlertAnswered(alertId, event);
  const asks = event.kind === 'text' && event.from !== undefined && !optedOut && alertId === undefined;
  return {
    key: keyOf(decoded, `${webhook.id}#${index}`),
    event,
    ...(sendId !== undefined && { sendId }),
    ...(label !== undefined && { label }),
    optedOut,
    ...(asks && { askedAt: webhook.receivedAt }),
  };
}

function asksToStop(event: CustomerEvent, stopWords: readonly string[]): boolean {
  if (event.from === undefined) return false;
  if (event.kind === 'text') return event.asksToStop === true || isStopReply(event.text, stopWords);
  return event.kind === 'reply' && isStopReply(event.title ?? '', stopWords);
}

/**
 * A tap with the title that the customer read: the document promises no more than the id. It counts as what was sent under
 * that id, whatever the service calls it; where nothing was, by the service's title, or by the id.
 */
function asRead(
  event: CustomerEvent,
  message: Message | undefined,
): Pick<NewCustomerEvent, 'event' | 'label'> {
  if (event.kind !== 'reply') return { event };
  const sent = message?.kind === 'interactive' ? titleOfReply(message, event.replyId) : undefined;
  const title = event.title ?? sent;
  return {
    event: title === undefined ? event : { ...event, title },
    label: sent ?? title ?? readReplyId(event.replyId).id,
  };
}

/** The same for repetitions of an event with an id of the service; otherwise unique to its place in the body. */
function keyOf(event: CustomerEvent, place: string): string {
  if (event.eventId === undefined) return place;
  return createHash('sha256').update(JSON.stringify(event)).digest('hex');
}

/**
 * The send that a customer replied to: the one named in the button's id, else the one with the message that the service
 * names, else the newest to that number. Undefined when there is none.
 */
async function matchSend(
  event: CustomerEvent,
  { store, sends }: ProcessDependencies,
): Promise<string | undefined> {
  const reference = event.kind === 'reply' ? readReplyId(event.replyId).sendId : undefined;
  if (reference !== undefined && (await sends.find(reference)) !== undefined) return reference;
  // Some services use the id of the original message as the id of the event.
  for (const messageId of [event.contextId, event.eventId]) {
    const place = messageId === undefined ? undefined : await store.findByMessageId(messageId, event.from);
    if (place !== undefined) return place.sendId;
  }
  return event.from && (await store.newestTo(event.from))?.sendId;
}
