import type { ReceiverEvent } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import { createExpiringMap, type ExpiringMap } from '../../core/expiring-map.ts';
import type { Logger } from '../../core/logger.ts';
import { LATE, within } from '../../core/within.ts';
import { describeError } from './api-error.ts';
import type { SlackMetrics } from './health.ts';
import { LIMITS } from './limits.ts';
import { type Payload, type PayloadKind, payloadKind } from './payload.ts';

/** One thing that Slack handed over, by socket or by HTTP. */
interface Delivery {
  /** Names the delivery: the same one twice runs once. The envelope's id, or the request's signature. */
  readonly key: string;
  readonly payload: Payload;
}

/** What the acknowledgement carries back to Slack: errors of a form, options, a text; undefined for nothing. */
export type AckPayload = Payload | undefined;

export type DeliveryResult =
  | { readonly state: 'acknowledged'; readonly payload: AckPayload }
  /** Nobody in Herald answers to this. */
  | { readonly state: 'unhandled' }
  /** A handler broke before acknowledging; it is in the log. */
  | { readonly state: 'failed' }
  /** No acknowledgement in Slack's three seconds. The handler goes on. */
  | { readonly state: 'late' };

export interface Deliveries {
  /** Runs a delivery once, and an event until it is acknowledged. Resolves as soon as it is known what to answer; never rejects. */
  take(delivery: Delivery): Promise<DeliveryResult>;
  /** Waits, at most `deadlineMs`, for handlers that are still running. Returns how many are left. */
  drain(deadlineMs: number): Promise<number>;
}

interface DeliveriesDependencies {
  /** What runs a delivery: Bolt's `processEvent`, or a refusal while Herald starts and stops. */
  readonly process: (event: ReceiverEvent) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
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

/** What is remembered of deliveries, and what is under way. */
interface Known {
  readonly seen: ExpiringMap<true>;
  readonly answers: ExpiringMap<Promise<DeliveryResult>>;
  readonly running: Set<Promise<void>>;
  readonly waiting: ReturnType<typeof createWaiting>;
}

/**
 * Slack may hand over the same click twice, and whoever saw a signed request may replay it: each delivery runs
 * once, and a repetition gets the first one's answer. This is memory only, of one process; what changes anything is idempotent
 * by its own key besides.
 */
export function createDeliveries(dependencies: DeliveriesDependencies): Deliveries {
  const { clock, logger } = dependencies;
  const seen = createExpiringMap<true>(REMEMBER_MS, REMEMBERED, clock);
  const answers = createExpiringMap<Promise<DeliveryResult>>(REMEMBER_ANSWER_MS, REMEMBERED_ANSWERS, clock);
  const running = new Set<Promise<void>>();
  const drained = new AbortController();
  const waiting = createWaiting(clock, drained.signal, logger);

  return {
    take: (delivery) => {
      const earlier = answers.get(delivery.key);
      if (earlier !== undefined || seen.get(delivery.key)) {
        logger.info(
          { kind: payloadKind(delivery.payload) },
          'Slack delivered the same thing again; it was not run again',
        );
        return earlier ?? Promise.resolve(DEALT_WITH);
      }
      seen.set(delivery.key, true);
      const answer = run(delivery, dependencies, { seen, answers, running, waiting });
      answers.set(delivery.key, answer);
      return answer;
    },
    drain: async (deadlineMs) => {
      await within(Promise.all(running), deadlineMs, clock);
      drained.abort();
      return running.size;
    },
  };
}

/** Runs a delivery; resolves as soon as it is known what to answer. */
function run(
  delivery: Delivery,
  { process, clock, logger, metrics }: DeliveriesDependencies,
  { seen, answers, running, waiting }: Known,
): Promise<DeliveryResult> {
  const kind = payloadKind(delivery.payload);
  const startedAt = clock.monotonic();
  const { promise, resolve } = Promise.withResolvers<DeliveryResult>();
  let acknowledged = false;
  const answer = waiting.add(resolve, { kind, startedAt });

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
    if (!answer(result)) answers.set(delivery.key, Promise.resolve(result));
  };

  const unanswered = (result: DeliveryResult): void => {
    answer(result);
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
  return promise;
}

type Answer = (result: DeliveryResult) => void;

/** What is not answered yet: where nobody answers in time, it is late. */
function createWaiting(clock: Clock, drained: AbortSignal, logger: Logger) {
  /** In the order in which it came. */
  const waiting = new Map<Answer, { readonly kind: string; readonly startedAt: number }>();
  let watching = false;

  /** Answers what waits too long. One sleep is enough for all: whoever came first is late first. */
  async function watch(): Promise<void> {
    watching = true;
    for (const [answer, { kind, startedAt }] of waiting) {
      await clock.sleep(startedAt + LIMITS.acknowledgeMs - clock.monotonic(), drained);
      if (drained.aborted) break;
      if (!waiting.delete(answer)) continue;
      logger.error({ kind }, 'an interaction was not acknowledged within three seconds');
      answer({ state: 'late' });
    }
    watching = false;
  }

  return {
    /** Returns what answers it; that is false where it was late already. */
    add: (answer: Answer, of: { readonly kind: string; readonly startedAt: number }) => {
      waiting.set(answer, of);
      if (!watching) void watch();
      return (result: DeliveryResult): boolean => {
        answer(result);
        return waiting.delete(answer);
      };
    },
  };
}

function ackPayload(response: unknown): AckPayload {
  if (typeof response === 'string') return response === '' ? undefined : { text: response };
  if (typeof response !== 'object' || response === null) return undefined;
  return { ...response };
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
 * Of several processes that are handed the same delivery one runs it. When the store does not say in time, it is run:
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
