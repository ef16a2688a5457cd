import { setImmediate } from 'node:timers/promises';
import type { Logger as BoltLogger, webApi } from '@slack/bolt';
import { SocketModeReceiver } from '@slack/bolt';
import { fullJitterDelayMs } from '../../core/back-off.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Random } from '../../core/random.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { classifyApiError } from './api-error.ts';
import type { Deliveries } from './deliveries.ts';
import { describeError } from './describe-error.ts';
import { appTokenRefused, type ConnectionProblem, unreachable } from './identity.ts';
import { isRecord } from './payload.ts';

const RECONNECT_BASE_MS = 500;
/** Even after hours without Slack the next attempt is at most this far away. */
const RECONNECT_CAP_MS = 30_000;
/** A connection that lasted less is counted as a failed attempt: one that flaps must not hammer Slack. */
const SETTLED_AFTER_MS = 10_000;
/** Slack says hello at once; a socket that opens and stays silent is dead. */
const HELLO_WITHIN_MS = 10_000;
/** Slack answers a ping within a second, and pings by itself every few. */
const PONG_WITHIN_MS = 9_000;
const PING_WITHIN_MS = 30_000;
/** How often the socket's state is looked at. */
const WATCH_EVERY_MS = 1_000;
/** A closing hand-shake that takes longer than two looks is with a peer that is gone. */
const CLOSING_LOOKS = 2;

/** How long the last closing hand-shake, when Herald stops, may take. */
const CLOSE_WITHIN_MS = 1_000;

/** WebSocket's own readyState values. */
const OPEN = 1;
const CLOSING = 2;

interface SocketDependencies {
  readonly appToken: string;
  /** Made for this connection alone: the Socket Mode client writes into it. */
  readonly clientOptions: webApi.WebClientOptions;
  readonly boltLogger: BoltLogger;
  readonly deliveries: Deliveries;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

export interface SocketConnection {
  /** Resolves with how the first attempt ended; unless it was refused, the connection is kept up from then on. */
  start(): Promise<Result<void, ConnectionProblem>>;
  stop(): Promise<void>;
  /** Undefined while connected. */
  problem(): ConnectionProblem | undefined;
}

/** What the Socket Mode client hands over with each envelope, as far as it is used. */
interface Envelope {
  readonly ack: (response?: unknown) => Promise<void>;
  readonly envelope_id: unknown;
  readonly body: unknown;
  readonly retry_num?: unknown;
  readonly retry_reason?: unknown;
}

/**
 * Socket Mode, kept up by Herald: the client's own reconnecting waits five seconds before the first attempt and
 * ever longer without end, so it is switched off. Here a connection that ends is replaced at once, failures back
 * off to a cap, and a socket that went silent or hangs while closing is cut.
 */
export function createSocketConnection(dependencies: SocketDependencies): SocketConnection {
  const { appToken, clientOptions, boltLogger, deliveries, clock, random, logger } = dependencies;
  const { client } = new SocketModeReceiver({
    appToken,
    logger: boltLogger,
    autoReconnectEnabled: false,
    clientPingTimeout: PONG_WITHIN_MS,
    serverPingTimeout: PING_WITHIN_MS,
    installerOptions: { clientOptions },
  });
  const stopping = new AbortController();
  let problem: ConnectionProblem | undefined = {
    kind: 'unreachable',
    sentence: 'The Socket Mode connection is not open yet.',
  };
  let keptUp: Promise<void> = Promise.resolve();

  client.on('slack_event', (envelope: Envelope) => void take(envelope));

  async function take({ ack, envelope_id: id, body, retry_num, retry_reason }: Envelope): Promise<void> {
    if (typeof id !== 'string' || !isRecord(body)) return;
    const answer = await deliveries.take({
      key: id,
      payload: body,
      ...(typeof retry_num === 'number' && { retryNum: retry_num }),
      ...(typeof retry_reason === 'string' && { retryReason: retry_reason }),
    });
    // Without an acknowledgement Slack tells the person itself that the app did not respond.
    if (answer.state !== 'acknowledged') return;
    try {
      await ack(answer.payload);
    } catch (error) {
      logger.warn(
        { error: describeError(error) },
        'an acknowledgement could not be given: the socket is gone',
      );
    }
  }

  /** One connection, from asking for its address to hello. */
  async function connect(): Promise<Result<void, ConnectionProblem>> {
    cut();
    const greeted = new AbortController();
    const onConnecting = () =>
      void clock.sleep(HELLO_WITHIN_MS, greeted.signal).then(() => {
        if (!greeted.signal.aborted) cut();
      });
    client.once('connecting', onConnecting);
    try {
      await client.start();
      return ok(undefined);
    } catch (error) {
      // The client rejects with nothing when the socket closed before hello.
      if (error === undefined)
        return fail(unreachable({ kind: 'ambiguous', cause: 'socket closed before hello' }));
      const failure = classifyApiError(error);
      if (failure.kind !== 'refused') return fail(unreachable(failure));
      return fail({ kind: 'refused', sentence: appTokenRefused(failure.code) });
    } finally {
      greeted.abort();
      client.off('connecting', onConnecting);
    }
  }

  /** Resolves when the open connection has ended, cutting it when it hangs while closing. */
  async function watch(): Promise<void> {
    const ended = new AbortController();
    const onEnd = () => ended.abort();
    client.once('disconnected', onEnd);
    const either = AbortSignal.any([ended.signal, stopping.signal]);
    let closingLooks = 0;
    while (!either.aborted) {
      await clock.sleep(WATCH_EVERY_MS, either);
      closingLooks = client.websocket?.readyState === OPEN ? 0 : closingLooks + 1;
      if (!either.aborted && closingLooks >= CLOSING_LOOKS) {
        logger.warn({}, 'the Socket Mode connection hung while closing and was cut');
        cut();
        break;
      }
    }
    client.off('disconnected', onEnd);
  }

  /** Ends the socket without waiting for the other side: the second call skips the closing hand-shake. */
  function cut(): void {
    const socket = client.websocket;
    if (socket?.readyState === undefined) return;
    socket.disconnect();
    if (socket.readyState === CLOSING) socket.disconnect();
  }

  /** Ends the socket so that acknowledgements given just before still get through. */
  async function closePolitely(): Promise<void> {
    // An answer that is known already reaches the socket within this turn of the event loop.
    await setImmediate();
    if (client.websocket?.readyState === OPEN) {
      const ended = new AbortController();
      client.once('disconnected', () => ended.abort());
      client.websocket.disconnect();
      await clock.sleep(CLOSE_WITHIN_MS, ended.signal);
    }
    cut();
  }

  async function keepUp(firstAttempt: (result: Result<void, ConnectionProblem>) => void): Promise<void> {
    let failures = 0;
    let first = true;
    while (!stopping.signal.aborted) {
      const attempt = await connect();
      problem = attempt.ok ? undefined : attempt.error;
      firstAttempt(attempt);
      if (first && problem?.kind === 'refused') return;
      first = false;
      if (problem === undefined) {
        logger.info({}, 'connected to Slack by Socket Mode');
        const connectedAt = clock.now();
        await watch();
        if (stopping.signal.aborted) return;
        const lastedMs = clock.now() - connectedAt;
        failures = lastedMs < SETTLED_AFTER_MS ? failures + 1 : 0;
        problem = {
          kind: 'unreachable',
          sentence: 'The Socket Mode connection ended; Herald is reconnecting.',
        };
        logger.info({ lastedMs }, 'the Socket Mode connection ended; reconnecting');
      } else {
        failures += 1;
        logger.warn({ failures, problem: problem.sentence }, 'no Socket Mode connection');
      }
      if (failures > 0) await clock.sleep(delayMs(failures), stopping.signal);
    }
  }

  function delayMs(failures: number): number {
    const backOff = fullJitterDelayMs(failures - 1, RECONNECT_BASE_MS, RECONNECT_CAP_MS, random.fraction());
    return Math.max(problem?.retryAfterMs ?? 0, backOff);
  }

  return {
    start: () => {
      const first = Promise.withResolvers<Result<void, ConnectionProblem>>();
      keptUp = keepUp(first.resolve);
      return first.promise;
    },
    stop: async () => {
      stopping.abort();
      await closePolitely();
      await keptUp;
      cut();
      problem = { kind: 'unreachable', sentence: 'Herald is stopping.' };
    },
    problem: () => problem,
  };
}
