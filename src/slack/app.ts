import { App, ErrorCode, type ReceiverEvent } from '@slack/bolt';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import { newFailureReference, type Random } from '../core/random.ts';
import { ok, type Result } from '../core/result.ts';
import type { SlackClient } from './connection/client.ts';
import { type ClaimDelivery, createDeliveries, createFirstDelivery } from './connection/deliveries.ts';
import { guarded, refuse } from './connection/guards.ts';
import { DROPPED_KEPT_MS, EVENTS_DROPPED, type SlackHealth, type SlackMetrics } from './connection/health.ts';
import { createHttpHandler, type HttpHandler } from './connection/http-receiver.ts';
import type { Identity } from './connection/identity.ts';
import { notifyActor } from './connection/notify-person.ts';
import { isEventForHome, type Payload, payloadKind } from './connection/payload.ts';
import { createSocketConnection, STOPPED } from './connection/socket.ts';
import type { SocketDispatcher } from './connection/socket-session.ts';

const STARTING = 'Herald is still starting. Nothing was sent. Try again in a minute.';
const STOPPING = 'Herald is being restarted and takes nothing new. Nothing was sent. Try again in a minute.';

export type SlackMode =
  | {
      readonly kind: 'socket';
      readonly appToken: string;
      /** What connects, where there is a proxy. */
      readonly dispatcher?: SocketDispatcher | undefined;
    }
  | { readonly kind: 'http'; readonly signingSecrets: readonly string[] };

export interface SlackAppOptions extends Omit<SlackClient, 'slackApiUrl' | 'identity'> {
  readonly mode: SlackMode;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: SlackMetrics;
  /** Which of several processes runs a delivery; undefined where there is one only. */
  readonly claim: ClaimDelivery | undefined;
  /** A sentence that refuses what somebody has just done; undefined when they may. */
  readonly whyNot: (payload: Payload) => Promise<string | undefined>;
  /** Whether nothing but a look was asked for. */
  readonly isLook: (payload: Payload) => boolean;
  /**
   * Gets each event of this workspace before it is acknowledged. While it rejects, the event is not acknowledged, and
   * Slack delivers it again.
   */
  readonly keepEvent: (payload: Payload, herald: Identity) => Promise<void>;
}

export interface SlackApp {
  /** Takes the handlers, before `start`. What they throw is logged, and told to the person under a reference. */
  readonly bolt: App;
  /**
   * Asks who Herald is and connects. Fails with a sentence for the operator when Slack refuses a token; when Slack
   * cannot be reached it succeeds, keeps trying, and `health` says why it is not ready.
   */
  start(): Promise<Result<void, string>>;
  /**
   * From now on it is not ready. What comes nevertheless is handled as ever; by Socket Mode nothing does once this
   * resolves. For a Herald beside which others go on, before `stop`.
   */
  leave(): Promise<void>;
  /** Refuses what is new, waits at most `deadlineMs` for handlers under way, and disconnects. */
  stop(deadlineMs: number): Promise<void>;
  health(): SlackHealth;
  /** Only in HTTP mode: answers `POST /slack/events`. */
  readonly httpHandler?: HttpHandler;
}

export function createSlackApp(options: SlackAppOptions): SlackApp {
  const { mode, signIn, boltLogger, logger, clock, slackClock, random, metrics } = options;
  const leaving = new AbortController();
  const stopping = new AbortController();
  let droppedAt = Number.NEGATIVE_INFINITY;
  const bolt = createBolt(options);
  const deliveries = createDeliveries({
    process: handling(bolt, options, stopping.signal, () => {
      droppedAt = clock.now();
    }),
    ...{ clock, logger, metrics },
  });
  const shared = { deliveries, clock, random, logger };
  const socket =
    mode.kind === 'socket'
      ? createSocketConnection({
          ...shared,
          appToken: mode.appToken,
          dispatcher: mode.dispatcher,
          clientOptions: options.clientOptions,
          boltLogger,
        })
      : undefined;

  return {
    bolt,
    start: () => signIn.start(async () => socket?.start() ?? ok(undefined), stopping.signal),
    leave: async () => {
      leaving.abort();
      await socket?.stop();
    },
    stop: async (deadlineMs) => {
      leaving.abort();
      stopping.abort();
      const left = await deliveries.drain(deadlineMs);
      if (left > 0) logger.warn({ left }, 'stopped while handlers were still running');
      await socket?.stop();
    },
    health: () => {
      const problem = leaving.signal.aborted ? STOPPED : (signIn.problem() ?? socket?.problem());
      return {
        mode: mode.kind,
        authenticated: signIn.identity() !== undefined,
        ready: problem === undefined,
        ...(problem?.kind === 'refused' && { isRefused: true }),
        ...(problem && { problem: problem.sentence }),
        ...(clock.now() - droppedAt < DROPPED_KEPT_MS && { droppedAt }),
      };
    },
    ...(mode.kind === 'http' && {
      httpHandler: createHttpHandler({ ...shared, clock: slackClock, signingSecrets: mode.signingSecrets }),
    }),
  };
}

/** What is done with each delivery: it is kept, run by one process, and refused while Herald starts and stops. */
function handling(
  bolt: App,
  options: SlackAppOptions,
  stopping: AbortSignal,
  onDropped: () => void,
): (event: ReceiverEvent) => Promise<void> {
  const { client, fetch, signIn, logger, clock, random, metrics, whyNot, isLook, keepEvent, claim } = options;
  const notify = notifyActor({ client, fetch, logger });
  const handle = guarded((event) => bolt.processEvent(event), {
    ...{ identity: signIn.identity, whyNot, isLook, notify, logger },
    newReference: () => newFailureReference(random),
  });
  const isFirst = claim && createFirstDelivery(claim, clock, logger);
  return async (event) => {
    const payload: Payload = event.body;
    options.latestUrls.note(payload);
    const identity = stopping.aborted ? undefined : signIn.identity();
    if (identity === undefined) {
      // Nobody waits for an answer to an event: unacknowledged, Slack delivers it again later.
      if (payloadKind(payload) === 'event') return undefined;
      return refuse(event, stopping.aborted ? STOPPING : STARTING, notify);
    }
    if (payload.type === 'app_rate_limited' && isEventForHome(payload, identity)) {
      onDropped();
      metrics.eventsDropped();
      logger.error({ minute: payload.minute_rate_limited }, EVENTS_DROPPED);
      return event.ack();
    }
    // Kept before it counts as delivered, and acknowledged after: what a crash then takes comes again.
    if (payloadKind(payload) === 'event' && isEventForHome(payload, identity))
      await keepEvent(payload, identity);
    const isRepeated = isFirst !== undefined && !(await isFirst(event));
    return isRepeated ? event.ack() : handle(event);
  };
}

/** Bolt as Herald uses it: it gives handlers what they work with, and asks nobody who it is. */
function createBolt({ botToken, clientOptions, boltLogger, signIn }: SlackAppOptions): App {
  const bolt = new App({
    // Herald's own receivers feed `processEvent`; Bolt is given one that does nothing.
    receiver: { init: () => {}, start: async () => {}, stop: async () => {} },
    authorize: async () => {
      const known = signIn.identity();
      return {
        botToken,
        ...(known && { botId: known.botId, botUserId: known.botUserId, teamId: known.teamId }),
      };
    },
    clientOptions: clientOptions(),
    logger: boltLogger,
    convoStore: false,
    ignoreSelf: false,
  });
  // By default Bolt logs errors whole. `guarded` describes and logs them, as they were thrown.
  bolt.error(async (error) => {
    throw error.code === ErrorCode.UnknownError ? error.original : error;
  });
  return bolt;
}
