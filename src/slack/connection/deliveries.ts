import type { ReceiverEvent } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import { createExpiringMap } from '../../core/expiring-map.ts';
import type { Logger } from '../../core/logger.ts';
import type { Surroundings } from '../../core/surroundings.ts';
import { LATE, within } from '../../core/within.ts';
import { describeError } from './api-error.ts';
import type { SlackMetrics } from './health.ts';
import { LIMITS } from './limits.ts';
import { olderBlocks } from './new-blocks.ts';
import { isRecord, type Payload, type PayloadKind, payloadKind } from './payload.ts';

/** One thing that Slack handed over, by socket or by HTTP. */
interface Delivery {
  /** Names the delivery: the same one twice runs once. The envelope's id, or the request's signature. */
  readonly key: string;
  readonly payload: Payload;
}

/** The acknowledgement carries this back to Slack: errors of a form, options, a text; undefined for nothing. */
export type AckPayload = Payload | undefined;

export type DeliveryResult =
  | { readonly state: 'acknowledged'; readonly payload: AckPayload }
  /** Nobody in Herald answers to this. */
  | { readonly state: 'unhandled' }
  /** A handler broke before acknowledging; it is in the log. */
  | { readonly state: 'failed' }
  /** No acknowledgement in Slack's three seconds. The handler goes on. */
  | { readonly state: 'late' };

export type Deliveries = ReturnType<typeof createDeliveries>;

interface DeliveriesDependencies extends Surroundings {
  /** Runs a delivery: Bolt's `processEvent`, or a refusal while Herald starts and stops. */
  readonly process: (event: ReceiverEvent) => Promise<void>;
  readonly metrics: SlackMetrics;
}

/** Slack's signatures are good for five minutes either way, so a replay can come ten minutes later at most. */
const REMEMBER_MS = 10 * 60_000;
const REMEMBERED = 20_000;
/** Answers can be large and matter only while Slack may still ask again for the same click. */
const REMEMBER_ANSWER_MS = 60_000;
const REMEMBERED_ANSWERS = 500;

/** A repeated delivery whose answer is no longer remembered: it was dealt with. */
const DEALT_WITH: DeliveryResult = { state: 'acknowledged', payload: undefined };

/**
 * Slack may hand over the same click twice, and whoever saw a signed request may replay it: each delivery runs
 * once, and a repetition gets the first one's answer. This is memory only, of one process; what changes anything is idempotent
 * by its own key besides.
 */
export function createDeliveries(dependencies: DeliveriesDependencies) {
  const { clock, logger } = dependencies;
  const known = createMemory(clock);
  const { seen, answers, running } = known;
  return {
    /** Runs a delivery once, and an event until it is acknowledged. Resolves as soon as it is known what to answer; never rejects. */
    take: (delivery: Delivery): Promise<DeliveryResult> => {
      const earlier = answers.get(delivery.key);
      if (earlier !== undefined || seen.get(delivery.key)) {
        logger.info(
          { kind: payloadKind(delivery.payload) },
          'Slack delivered the same thing again; it was not run again',
        );
        return earlier ?? Promise.resolve(DEALT_WITH);
      }
      seen.set(delivery.key, true);
      const answer = run(delivery, dependencies, known);
      answers.set(delivery.key, answer);
      return answer;
    },
    /** Waits, at most `deadlineMs`, for handlers that are still running. Returns how many are left. */
    drain: async (deadlineMs: number): Promise<number> => {
      await within(Promise.all(running), deadlineMs, clock);
      return running.size;
    },
  };
}

function createMemory(clock: Clock) {
  return {
    seen: createExpiringMap<true>(REMEMBER_MS, REMEMBERED, clock),
    answers: createExpiringMap<Promise<DeliveryResult>>(REMEMBER_ANSWER_MS, REMEMBERED_ANSWERS, clock),
    running: new Set<Promise<void>>(),
  };
}

/** Runs a delivery; resolves as soon as it is known what to answer, and where nobody answers in time as late. */
function run(
  delivery: Delivery,
  { process, clock, logger, metrics }: DeliveriesDependencies,
  { seen, answers, running }: ReturnType<typeof createMemory>,
): Promise<DeliveryResult> {
  const kind = payloadKind(delivery.payload);
  const startedAt = clock.monotonic();
  const { promise, resolve } = Promise.withResolvers<DeliveryResult>();
  let acknowledged = false;
  let late = false;

  const ack = async (response?: unknown): Promise<void> => {
    if (acknowledged) {
      logger.warn({ kind }, 'an interaction was acknowledged twice; the second answer was dropped');
      return;
    }
    acknowledged = true;
    const tookMs = clock.monotonic() - startedAt;
    metrics.acknowledged(kind, tookMs / 1000);
    if (tookMs > LIMITS.acknowledgeMs)
      logger.warn({ kind, tookMs }, 'an acknowledgement came too late for Slack');
    const result: DeliveryResult = { state: 'acknowledged', payload: ackPayload(response) };
    resolve(result);
    if (late) answers.set(delivery.key, Promise.resolve(result));
  };

  const unanswered = (result: DeliveryResult): void => {
    resolve(result);
    // Under the same name it comes again until it is acknowledged, and nothing was done with it.
    if (kind !== 'event' || acknowledged) return;
    seen.delete(delivery.key);
    answers.delete(delivery.key);
  };

  const event: ReceiverEvent = {
    body: delivery.payload,
    ack,
    customProperties: { acknowledged: () => acknowledged, deliveryKey: delivery.key },
  };
  const work = process(event).then(
    () => unanswered({ state: 'unhandled' }),
    (error: unknown) => {
      logger.error({ kind, error: describeError(error) }, 'a delivery from Slack could not be handled');
      unanswered({ state: 'failed' });
    },
  );
  running.add(work);
  void work.then(() => running.delete(work));
  return within(promise, LIMITS.acknowledgeMs, clock).then((result) => {
    if (result !== LATE) return result;
    late = true;
    logger.error({ kind }, 'an interaction was not acknowledged within three seconds');
    return { state: 'late' };
  });
}

function ackPayload(response: unknown): AckPayload {
  if (typeof response === 'string') return response === '' ? undefined : { text: response };
  if (typeof response !== 'object' || response === null) return undefined;
  const answer: Payload = { ...response };
  const { view } = answer;
  // Nobody hears whether Slack took it.
  if (!isRecord(view) || !Array.isArray(view.blocks)) return answer;
  return { ...answer, view: { ...view, blocks: olderBlocks(view.blocks) } };
}

/** Slack waits three seconds for an answer, and most of them are the handler's. */
const WAIT_MS = 500;

/**
 * Suggestions change nothing, and come with every letter that is typed. An event comes again until it is acknowledged, and
 * whoever had it first may have died before it was done.
 */
const UNASKED: ReadonlySet<PayloadKind> = new Set(['block_suggestion', 'event']);

/** True for the process that may run a delivery; see `Notes.claim`. */
export type ClaimDelivery = (key: string, keepMs: number) => Promise<boolean>;

/**
 * Lets one of several processes that are handed the same delivery run it. When the store does not say in time, it is run:
 * what changes anything is idempotent by its own key besides.
 */
export function createFirstDelivery(claim: ClaimDelivery, clock: Clock, logger: Logger) {
  return async ({ body, customProperties }: ReceiverEvent): Promise<boolean> => {
    const key = customProperties?.deliveryKey;
    if (typeof key !== 'string' || UNASKED.has(payloadKind(body))) return true;
    const first = claim(`delivery:${key}`, REMEMBER_MS).catch((error: unknown) => {
      logger.warn({ error }, 'whether a delivery came before is not known; it is run');
      return true;
    });
    const isFirst = await within(first, WAIT_MS, clock);
    return isFirst === LATE || isFirst;
  };
}
