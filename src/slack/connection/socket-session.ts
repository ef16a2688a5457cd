import { setImmediate } from 'node:timers/promises';
import { SocketModeReceiver } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { classifyApiError } from './api-error.ts';
import type { SlackClient } from './client.ts';
import { appTokenRefused, type ConnectionProblem, unreachable } from './identity.ts';

/** Slack says hello at once; a socket that opens and stays silent is dead. */
const HELLO_WITHIN_MS = 10_000;
/** Slack answers a ping within a second, and pings by itself every few. */
const PONG_WITHIN_MS = 9_000;
const PING_WITHIN_MS = 30_000;
/** The socket's state is looked at this often. */
const WATCH_EVERY_MS = 1_000;
/** A closing hand-shake that takes longer than two looks is with a peer that is gone. */
const CLOSING_LOOKS = 2;
/** The last closing hand-shake, when Herald stops, may take so long. */
const CLOSE_WITHIN_MS = 1_000;

const LIBRARY_UNKNOWN =
  'Slack’s Socket Mode client listens to “ws_message” in another way than Herald knows. Install the packages that package-lock.json names: npm ci.';

/** WebSocket's own readyState values. */
const OPEN = 1;
const CLOSING = 2;

export type SocketModeClient = SocketModeReceiver['client'];
/** Connects in place of Slack's own client, which goes through no proxy. */
export type SocketDispatcher = NonNullable<ConstructorParameters<typeof SocketModeReceiver>[0]['dispatcher']>;

export interface SocketSettings extends Pick<SlackClient, 'clientOptions' | 'boltLogger'> {
  readonly appToken: string;
  readonly dispatcher?: SocketDispatcher | undefined;
}

/**
 * Slack's Socket Mode client for one connection, with its own reconnecting off: that waits five seconds before the first
 * attempt and ever longer without end. It would also close the socket as soon as Slack says that it will; it does not get
 * to hear that, so that the socket serves until another one does.
 */
export function createSocketModeClient(
  { appToken, dispatcher, clientOptions, boltLogger: logger }: SocketSettings,
  onLastCall: () => void,
): SocketModeClient {
  const { client } = new SocketModeReceiver({
    ...{ appToken, dispatcher, logger },
    // It writes into its options.
    installerOptions: { clientOptions: clientOptions() },
    autoReconnectEnabled: false,
    clientPingTimeout: PONG_WITHIN_MS,
    serverPingTimeout: PING_WITHIN_MS,
  });
  const [take, ...others] = client.listeners('ws_message');
  // Every message of Slack's would be lost without a word.
  if (take === undefined || others.length > 0) throw new Error(LIBRARY_UNKNOWN);
  client.removeAllListeners('ws_message');
  client.on('ws_message', (data: unknown, isBinary: unknown) => {
    if (isLastCall(data)) return onLastCall();
    if (String(data).includes('"link_disabled"')) logger.error(appTokenRefused('link_disabled'));
    // It trips over an event that is none. Nobody else would catch that, and the process would end.
    const taken = Promise.resolve(take.call(client, data, isBinary));
    taken.catch(() => logger.warn('a message of the socket cannot be read'));
  });
  return client;
}

/**
 * Slack says some seconds before that it will close a connection. Where it closes it at once, as when Socket Mode is turned off
 * (`link_disabled`), its own client hears of it: https://docs.slack.dev/apis/events-api/using-socket-mode
 */
function isLastCall(data: unknown): boolean {
  // Words of people stand in quotation marks that are escaped.
  return (
    typeof data === 'string' &&
    /"type"\s*:\s*"disconnect"/.test(data) &&
    /"reason"\s*:\s*"(?:warning|refresh_requested)"/.test(data) &&
    !data.includes('"envelope_id"')
  );
}

/** One connection, from asking for its address to hello. */
export async function openSocket(
  client: SocketModeClient,
  clock: Clock,
  stopping: AbortSignal,
): Promise<Result<void, ConnectionProblem>> {
  const greeted = new AbortController();
  const onConnecting = async () => {
    await clock.sleep(HELLO_WITHIN_MS, AbortSignal.any([greeted.signal, stopping]));
    if (!greeted.signal.aborted) cutSocket(client);
  };
  client.once('connecting', onConnecting);
  try {
    await client.start();
    return ok(undefined);
  } catch (error) {
    cutSocket(client);
    // The client rejects with nothing when the socket closed before hello.
    if (error === undefined) {
      return fail(unreachable({ kind: 'ambiguous', cause: 'socket closed before hello' }));
    }
    const failure = classifyApiError(error);
    if (failure.kind !== 'refused') return fail(unreachable(failure));
    return fail({ kind: 'refused', sentence: appTokenRefused(failure.code) });
  } finally {
    greeted.abort();
    client.off('connecting', onConnecting);
  }
}

/** Resolves when the open connection has ended or `enough` aborts, cutting it when it hangs while closing. */
export async function watchSocket(
  client: SocketModeClient,
  clock: Clock,
  enough: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  const onEnd = () => ended.abort();
  client.once('disconnected', onEnd);
  const either = AbortSignal.any([ended.signal, enough]);
  let closingLooks = 0;
  while (!either.aborted && closingLooks < CLOSING_LOOKS) {
    await clock.sleep(WATCH_EVERY_MS, either);
    closingLooks = client.websocket?.readyState === OPEN ? 0 : closingLooks + 1;
  }
  if (!either.aborted) cutSocket(client);
  client.off('disconnected', onEnd);
}

/** Ends the socket so that acknowledgements given just before still get through. */
export async function closeSocket(client: SocketModeClient, clock: Clock): Promise<void> {
  // An answer that is known already reaches the socket within this turn of the event loop.
  await setImmediate();
  if (client.websocket?.readyState === OPEN) {
    const ended = new AbortController();
    client.once('disconnected', () => ended.abort());
    client.websocket.disconnect();
    await clock.sleep(CLOSE_WITHIN_MS, ended.signal);
  }
  cutSocket(client);
}

/** Ends the socket without waiting for the other side: the second call skips the closing hand-shake. */
export function cutSocket(client: SocketModeClient): void {
  const socket = client.websocket;
  if (socket?.readyState === undefined) return;
  socket.disconnect();
  if (socket.readyState === CLOSING) socket.disconnect();
}
