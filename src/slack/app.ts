import { App, ErrorCode, type ReceiverEvent } from '@slack/bolt';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import { newFailureReference, type Random } from '../core/random.ts';
import { ok, type Result } from '../core/result.ts';
import type { Entrances } from './ask-at-entrance.ts';
import type { SlackClient } from './connection/client.ts';
import { type ClaimDelivery, createDeliveries, createFirstDelivery } from './connection/deliveries.ts';
import { guarded, refuse } from './connection/guards.ts';
import { DROPPED_KEPT_MS, EVENTS_DROPPED, type SlackHealth, type SlackMetrics } from './connection/health.ts';
import { createHttpHandler } from './connection/http-receiver.ts';
import type { Identity } from './connection/identity.ts';
import { notifyActor } from './connection/notify-person.ts';
import { isEventForHome, type Payload, payloadKind } from './connection/payload.ts';
import { createSocketConnection, STOPPED } from './connection/socket.ts';
import type { SocketSettings } from './connection/socket-session.ts';

const STARTING = 'Herald is still starting. Nothing was sent. Try again in a minute.';
const STOPPING = 'Herald is being restarted and takes nothing new. Nothing was sent. Try again in a minute.';

export type SlackMode =
  | ({ readonly kind: 'socket' } & Pick<SocketSettings, 'appToken' | 'dispatcher'>)
  | { readonly kind: 'http'; readonly signingSecrets: readonly string[] };

export interface SlackAppOptions extends Omit<SlackClient, 'slackApiUrl' | 'identity'>, Entrances {
  readonly mode: SlackMode;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: SlackMetrics;
  /** Which of several processes runs a delivery; undefined where there is one only. */
  readonly claim: ClaimDelivery | undefined;
  /**
   * Gets each event of this workspace before it is acknowledged. While it rejects, the event is not acknowledged, and
   * Slack delivers it again.
   */
  readonly keepEvent: (payload: Payload, herald: Identity) => Promise<void>;
}

export type SlackApp = ReturnType<typeof createSlackApp>;

export function createSlackApp(options: SlackAppOptions) {
  const { mode, signIn, logger, clock, slackClock } = options;
  const leaving = new AbortController();
  const stopping = new AbortController();
  let droppedAt = Number.NEGATIVE_INFINITY;
  const bolt = createBolt(options);
  const process = handling(bolt, options, stopping.signal, () => {
    droppedAt = clock.now();
  });
  const deliveries = createDeliveries({ ...options, process });
  const socket =
    mode.kind === 'socket' ? createSocketConnection({ ...options, ...mode, deliveries }) : undefined;

  return {
    /** Takes the handlers, before `start`. Whatever they throw is logged, and said to the person under a reference. */
    bolt,
    /**
     * Asks who Herald is and connects. Fails with a sentence for the operator when Slack refuses a token; when Slack
     * cannot be reached it succeeds, keeps trying, and `health` says why it is not ready.
     */
    start: (): Promise<Result<void, string>> =>
      signIn.start(async () => socket?.start() ?? ok(undefined), stopping.signal),
    /**
     * From now on it is not ready. What comes nevertheless is handled as ever; by Socket Mode nothing does once this
     * resolves. For a Herald beside which others go on, before `stop`.
     */
    leave: async () => {
      leaving.abort();
      await socket?.stop();
    },
    /** Refuses what is new, waits at most `deadlineMs` for handlers under way, and disconnects. */
    stop: async (deadlineMs: number) => {
      leaving.abort();
      stopping.abort();
      const left = await deliveries.drain(deadlineMs);
      if (left > 0) logger.warn({ left }, 'stopped while handlers were still running');
      await socket?.stop();
    },
    health: (): SlackHealth => {
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
    /** Only in HTTP mode: answers `POST /slack/events`. */
    ...(mode.kind === 'http' && {
      httpHandler: createHttpHandler({ ...options, ...mode, deliveries, clock: slackClock }),
    }),
  };
}

/** Handles each delivery: it is kept, run by one process, and refused while Herald starts and stops. */
function handling(
  bolt: App,
  options: SlackAppOptions,
  stopping: AbortSignal,
  onDropped: () => void,
): (event: ReceiverEvent) => Promise<void> {
  const { signIn, logger, clock, random, metrics, keepEvent, claim } = options;
  const notify = notifyActor(options);
  const handle = guarded((event) => bolt.processEvent(event), {
    ...{ ...options, identity: signIn.identity, notify },
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
function createBolt({ client, clientOptions, boltLogger, signIn }: SlackAppOptions): App {
  const bolt = new App({
    // Herald's own receivers feed `processEvent`; Bolt is given one that does nothing.
    receiver: { init: () => {}, start: async () => {}, stop: async () => {} },
    authorize: async () => {
      const known = signIn.identity();
      // With a token Bolt would make a client that puts the workspace into every call, also where Slack documents none;
      // and with that of a step's run, which Slack revokes early, one by which the step may not end.
      return { ...(known && { botId: known.botId, botUserId: known.botUserId }) };
    },
    attachFunctionToken: false,
    clientOptions: clientOptions(),
    logger: boltLogger,
    convoStore: false,
    ignoreSelf: false,
  });
  bolt.client = client;
  // Bolt would log errors whole. `guarded` describes and logs them, as they were thrown.
  bolt.error(async (error) => {
    throw error.code === ErrorCode.UnknownError ? error.original : error;
  });
  return bolt;
}
