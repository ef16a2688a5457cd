import { createHash } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import { given } from '../../core/given.ts';
import { isOutage } from '../../core/outage.ts';
import { readReplyId, titleOfReply } from '../../messages/interactive/message.ts';
import type { Message } from '../../messages/kinds.ts';
import { isStopReply, UNREAD_STOP } from '../../messages/stop-words.ts';
import type { AudienceStore } from '../audience.ts';
import type { NoticeStore } from '../notices.ts';
import type { Failure } from '../outcome.ts';
import type { SendReader } from '../ports.ts';
import type { TemplateLife } from '../templates/life.ts';
import type { CustomerEvent, DecodeWebhook, DeliveryReport, DeliveryStatus, WebhookBody } from './event.ts';
import type { NewCustomerEvent, NewDelivery, ProcessedWebhook, ReplyStore, StoredWebhook } from './ports.ts';

/** A report may arrive before the outcome of its request was written, so it is processed again after these delays. */
const LOOK_AGAIN_AFTER_MS: readonly number[] = [2_000, 10_000, 60_000];

/** As UTF-16 counts: a label stands in an index, and an entry of PostgreSQL's holds some 2,700 bytes. */
const LABEL_MAX_CHARACTERS = 256;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/**
 * A report on an id that nobody knows settles a doubt by its number where it says that a message arrived, and where this
 * number was sent no other within this time: of a failure nobody knows whether another system's message is meant.
 */
const PROOFS: ReadonlySet<DeliveryStatus> = new Set(['delivered', 'read']);
const DOUBT_FOR_MS = 24 * 60 * 60_000;

export interface ProcessDependencies {
  readonly store: ReplyStore;
  readonly sends: Pick<SendReader, 'find'>;
  readonly audiences: Pick<AudienceStore, 'optOut'>;
  readonly notices: Pick<NoticeStore, 'begin'>;
  readonly decode: DecodeWebhook;
  /** A report's failure in words that fit this message. */
  readonly failureOf: (failure: Failure, message: Message) => Failure;
  /** Called for what comes from a phone on call, once or again. */
  readonly onAlertAnswered: (alertId: string, event: CustomerEvent) => Promise<void>;
  readonly templateSaid: TemplateLife['said'];
  /** `webhooks.stopWords` of herald.yml. */
  readonly stopWords: readonly string[];
  readonly metrics: {
    webhookReceived(result: 'kept' | 'repeated'): void;
    webhookEvent(kind: string, matched: boolean): void;
  };
  readonly clock: Clock;
}

/** Does what customers ask for in a body before it is kept, and says how: an opt-out is in force when the service is answered. */
export async function hear(body: WebhookBody, receivedAt: number, dependencies: ProcessDependencies) {
  try {
    const said = dependencies.decode(body).filter((event) => event.kind !== 'report');
    const place = { id: 0, receivedAt, postponed: 0, heard: false };
    const events = await Array.fromAsync(said, (event, at) => customerEvent(event, at, place, dependencies));
    // Only where the service gives no ids may the same bytes be another answer.
    const sender = said.find(({ eventId }) => eventId === undefined)?.from;
    return { sender, heard: said.length > 0, isNew: events.some(({ isNew }) => isNew) };
  } catch (error) {
    // A body that cannot be worked on is kept all the same, and set aside later.
    if (isOutage(error)) throw error;
    return {};
  }
}

/**
 * Decodes a stored body and finds the send of each event, and of each report the recipient; where a report may be early,
 * the body is to be processed again. May be repeated: what customers ask for is done once, or idempotently.
 */
export async function processWebhook(
  webhook: StoredWebhook,
  dependencies: ProcessDependencies,
): Promise<ProcessedWebhook> {
  const { store, decode, metrics, clock } = dependencies;
  const { contentType } = webhook;
  const decoded = decode({ bytes: Buffer.from(webhook.body, 'base64'), ...given({ contentType }) });
  const reports = decoded.filter((event) => event.kind === 'report');
  const said = decoded.filter((event) => event.kind !== 'report');
  const events = await Array.fromAsync(said, (event, at) => customerEvent(event, at, webhook, dependencies));
  // Asked before ids are looked for: the id of what has an outcome by now is found.
  const mayBeEarly = reports.length > 0 && (await store.isUnderWay());
  const waits = !mayBeEarly || webhook.postponed > 0;
  const deliveries = await findDeliveries(reports, webhook, waits, dependencies);
  const processed = { webhookId: webhook.id, events, deliveries };
  const wait = LOOK_AGAIN_AFTER_MS[webhook.postponed];
  if (mayBeEarly && deliveries.length < reports.length && wait !== undefined)
    return { ...processed, again: clock.now() + wait };
  for (const event of said) {
    const { name, word, words } = (event.kind === 'unknown' && event.template) || {};
    if (name !== undefined && word !== undefined)
      await dependencies.templateSaid(name, word, words ?? '', webhook.receivedAt);
  }
  for (const { event, sendId } of events) {
    const kind = event.kind === 'unknown' && !event.readable ? 'unreadable' : event.kind;
    metrics.webhookEvent(kind, sendId !== undefined);
  }
  for (const index of reports.keys()) metrics.webhookEvent('report', index < deliveries.length);
  return processed;
}

async function findDeliveries(
  reports: readonly DeliveryReport[],
  { receivedAt }: StoredWebhook,
  waits: boolean,
  { store, sends, failureOf }: ProcessDependencies,
): Promise<readonly NewDelivery[]> {
  const deliveries: NewDelivery[] = [];
  for (const { messageId, otherIds = [], number, status, failure } of reports) {
    let known: Awaited<ReturnType<ReplyStore['findByMessageId']>>;
    for (const id of [messageId, ...otherIds]) known ??= await store.findByMessageId(id, number, waits);
    const isProof = known === undefined && waits && number !== undefined && PROOFS.has(status);
    const place = isProof ? await store.findDoubt(number, receivedAt - DOUBT_FOR_MS, receivedAt) : known;
    if (place === undefined) continue;
    const { sendId, row } = place;
    const send = failure && (await sends.find(sendId));
    const why = send ? failureOf(failure, send.message) : failure;
    deliveries.push({ sendId, row, status, messageId, at: receivedAt, ...(why && { failure: why }) });
  }
  return deliveries;
}

async function customerEvent(
  decoded: CustomerEvent,
  index: number,
  { id, receivedAt, postponed, heard }: Pick<StoredWebhook, 'id' | 'receivedAt' | 'postponed' | 'heard'>,
  dependencies: ProcessDependencies,
): Promise<NewCustomerEvent & { readonly isNew: boolean }> {
  const sendId = await matchSend(decoded, dependencies);
  const send = sendId === undefined ? undefined : await dependencies.sends.find(sendId);
  const { event, label } = asRead(decoded, send?.message);
  const optedOut =
    (event.kind === 'text' && event.asksToStop === true) ||
    isStopReply(wordsOf(event), dependencies.stopWords);
  const alertId = send?.origin.alert?.id;
  // At the first look only: somebody may have been taken off the list since.
  const isFirst = !heard && postponed === 0;
  const isNew = isFirst && optedOut && (await optOut(event.from, receivedAt, dependencies));
  if (isFirst && alertId !== undefined) await dependencies.onAlertAnswered(alertId, event);
  const isSaid = event.kind === 'text' || (event.kind === 'unknown' && event.sent !== undefined);
  const asks = isSaid && event.from !== undefined && !optedOut && alertId === undefined;
  return {
    key: keyOf(decoded, `${id}#${index}`),
    event,
    ...given({ sendId, label }),
    optedOut,
    isNew,
    ...(asks && { askedAt: receivedAt }),
  };
}

/** True when that is new. Where nobody knows who it is, whoever runs Herald is notified, once a day. */
async function optOut(number: CustomerEvent['from'], at: number, dependencies: ProcessDependencies) {
  const { audiences, notices } = dependencies;
  if (number !== undefined)
    return (await audiences.optOut([{ number, at, actor: 'herald', source: 'reply' }])) > 0;
  const day = new Date(at).toISOString().slice(0, 10);
  await notices.begin({ name: `stop:${day}`, what: UNREAD_STOP, since: at });
  return false;
}

function wordsOf(event: CustomerEvent): string {
  if (event.kind === 'address') return '';
  if (event.kind === 'unknown') return event.caption ?? event.text;
  return event.kind === 'reply' ? (event.title ?? '') : event.text;
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
    label: shortened(sent ?? title ?? readReplyId(event.replyId).id),
  };
}

/** Without a part of what a reader sees as one character, unless that alone is longer. */
function shortened(label: string): string {
  const end = graphemes.segment(label).containing(LABEL_MAX_CHARACTERS)?.index;
  return label.slice(0, end || LABEL_MAX_CHARACTERS).toWellFormed();
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
  for (const id of [event.contextId, event.eventId]) {
    // Most ids of events are their own: nobody waits for those.
    const waits = id === event.contextId || event.from === undefined;
    const place = id === undefined ? undefined : await store.findByMessageId(id, event.from, waits);
    if (place !== undefined) return place.sendId;
  }
  return event.from && (await store.newestTo(event.from))?.sendId;
}
