import type { Random } from '../../core/random.ts';
import { fail, type Result } from '../../core/result.ts';
import type { Surroundings } from '../../core/surroundings.ts';
import { within } from '../../core/within.ts';
import { describeError } from './api-error.ts';
import type { Deliveries } from './deliveries.ts';
import { type ConnectionProblem, retryDelayMs } from './identity.ts';
import { LIMITS } from './limits.ts';
import { isPayload } from './payload.ts';
import {
  closeSocket,
  createSocketModeClient,
  cutSocket,
  openSocket,
  type SocketModeClient,
  type SocketSettings,
  watchSocket,
} from './socket-session.ts';

/** A connection that lasted less is counted as a failed attempt: one that flaps must not hammer Slack. */
const SETTLED_AFTER_MS = 10_000;
/** Slack closes a connection about ten seconds after it has said that it will. */
const LEFT_OPEN_MS = 15_000;

interface SocketDependencies extends Surroundings, SocketSettings {
  readonly deliveries: Deliveries;
  readonly random: Random;
}

const NOT_YET = notNow('The Socket Mode connection is not open yet.');
const ENDED = notNow('The Socket Mode connection ended; Herald is reconnecting.');
/** Also of an app that takes Slack's requests by HTTP. */
export const STOPPED = notNow('Herald is stopping.');

function notNow(sentence: string): ConnectionProblem {
  return { kind: 'unreachable', sentence };
}

/**
 * Socket Mode, kept up: a connection that will end is replaced before, one that has ended at once, failures back off to a
 * cap, and a socket that went silent or hangs while closing is cut.
 */
export function createSocketConnection(dependencies: SocketDependencies) {
  const { clock, logger } = dependencies;
  const envelopes = createEnvelopes(dependencies);
  /** Open connections: one, and while it is replaced another. */
  const open = new Set<SocketModeClient>();
  const stopping = new AbortController();
  let problem: ConnectionProblem | undefined = NOT_YET;
  let keptUp: Promise<void> = Promise.resolve();

  // A library that Herald does not know ends the start, and no later attempt to connect.
  createSocketModeClient(dependencies, () => {});

  async function keepUp(firstAttempt: (result: Result<void, ConnectionProblem>) => void): Promise<void> {
    let failures = 0;
    for (let attempts = 1; !stopping.signal.aborted; attempts += 1) {
      const lastCall = new AbortController();
      const client = createSocketModeClient(dependencies, () => lastCall.abort());
      client.on('slack_event', envelopes.take);
      const opened = await openSocket(client, clock, stopping.signal);
      problem = opened.ok ? undefined : opened.error;
      firstAttempt(opened);
      if (attempts === 1 && problem?.kind === 'refused') return;
      const settled = opened.ok && (await stayConnected(client, lastCall.signal));
      failures = settled ? 0 : failures + 1;
      if (failures === 0 || stopping.signal.aborted) continue;
      const delay = retryDelayMs(failures - 1, problem, dependencies.random);
      logger.warn({ failures, delay, problem: problem?.sentence }, 'no Socket Mode connection; trying again');
      await clock.sleep(delay, stopping.signal);
    }
    firstAttempt(fail(STOPPED));
  }

  /** Resolves when the connection has ended, or will; true when it had lasted. */
  async function stayConnected(client: SocketModeClient, lastCall: AbortSignal): Promise<boolean> {
    logger.info({}, 'connected to Slack by Socket Mode');
    open.add(client);
    const connectedAt = clock.monotonic();
    await watchSocket(client, clock, AbortSignal.any([stopping.signal, lastCall]));
    const lastedMs = clock.monotonic() - connectedAt;
    problem = ENDED;
    // Slack may use it until it closes it.
    if (lastCall.aborted) void leaveOpen(client);
    else if (!stopping.signal.aborted) open.delete(client);
    logger.info({ lastedMs, replacedFirst: lastCall.aborted }, 'the Socket Mode connection ended');
    return lastedMs >= SETTLED_AFTER_MS;
  }

  /** Until Slack has closed a connection that it said it would close, or should have. */
  async function leaveOpen(client: SocketModeClient): Promise<void> {
    const late = new AbortController();
    void clock.sleep(LEFT_OPEN_MS, stopping.signal).then(() => late.abort());
    await watchSocket(client, clock, late.signal);
    if (stopping.signal.aborted) return;
    open.delete(client);
    cutSocket(client);
  }

  return {
    /** Resolves with how the first attempt ended; unless it was refused, the connection is kept up from then on. */
    start: (): Promise<Result<void, ConnectionProblem>> => {
      const first = Promise.withResolvers<Result<void, ConnectionProblem>>();
      keptUp = keepUp(first.resolve);
      return first.promise;
    },
    /** Waits until what was taken is answered, and disconnects for good: Slack then asks others, if there are any. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await envelopes.answered();
      await Promise.all([...open].map((client) => closeSocket(client, clock)));
      await keptUp;
      for (const client of open) cutSocket(client);
      open.clear();
    },
    /** Undefined while connected. */
    problem: () => (open.size > 0 ? undefined : problem),
  };
}

interface Envelope {
  readonly ack: (response?: unknown) => Promise<void>;
  readonly envelope_id: unknown;
  readonly body: unknown;
}

function createEnvelopes({ deliveries, clock, logger }: SocketDependencies) {
  const answering = new Set<Promise<void>>();

  async function take({ ack, envelope_id: key, body }: Envelope): Promise<void> {
    if (typeof key !== 'string' || !isPayload(body)) return logger.warn({}, 'an envelope cannot be read');
    const answer = await deliveries.take({ key, payload: body });
    // Without an acknowledgement Slack itself says to the person that the app did not respond.
    if (answer.state !== 'acknowledged') return;
    await ack(answer.payload).catch((error: unknown) => {
      logger.warn(
        { error: describeError(error) },
        'an acknowledgement could not be given: the socket is gone',
      );
    });
  }

  return {
    take: (envelope: Envelope): void => {
      const answered = take(envelope);
      answering.add(answered);
      void answered.then(() => answering.delete(answered));
    },
    /** Whoever clicked just before gets an answer, and so does who clicks meanwhile. */
    answered: async (): Promise<void> => {
      const until = clock.monotonic() + LIMITS.acknowledgeMs;
      for (let left = LIMITS.acknowledgeMs; answering.size > 0 && left > 0; left = until - clock.monotonic())
        await within(Promise.all(answering), left, clock);
    },
  };
}
