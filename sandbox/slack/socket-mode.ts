import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import type { Attempt, DeliveryOptions, DeliveryRequest, Retry } from './delivery-request.ts';
import type { FaultList } from './faults.ts';
import { newToken } from './identifiers.ts';
import { APP } from './seed.ts';

/** Slack pings about this often; a client that hears nothing for thirty seconds gives the socket up. */
const PING_INTERVAL_MS = 10_000;
/** How long before it goes a socket is told so; until then it is used like any other. */
const WARNING_MS = 10_000;
/** How long a socket that was told to go may stay before it is cut. */
const DISCONNECT_GRACE_MS = 2_000;
/** How long a socket has to answer the goodbye when the workspace closes. */
const CLOSE_GRACE_MS = 500;
/** Slack allows an app this many sockets at once. */
const SOCKETS_MAX = 10;

const acknowledgement = z.object({ envelope_id: z.string(), payload: z.unknown().optional() });

interface Pending {
  resolve: (result: Attempt) => void;
  timer: NodeJS.Timeout;
}

/**
 * Socket Mode's server side: tickets, `hello`, envelopes and their acknowledgements, pings, `disconnect`.
 * Source: https://docs.slack.dev/apis/events-api/using-socket-mode
 */
export class SocketMode {
  #server = new WebSocketServer({ noServer: true });
  #tickets = new Set<string>();
  #sockets: WebSocket[] = [];
  #pending = new Map<string, Pending>();
  #next = 0;
  #isOn = true;
  #faults: FaultList;
  #onConnectionChange: () => void;
  #pings: NodeJS.Timeout;

  constructor(faults: FaultList, onConnectionChange: () => void, pingIntervalMs = PING_INTERVAL_MS) {
    this.#faults = faults;
    this.#onConnectionChange = onConnectionChange;
    this.#pings = setInterval(() => {
      for (const socket of this.#sockets) socket.ping(`Ping from slack ${Date.now()}`);
    }, pingIntervalMs);
    this.#pings.unref();
  }

  isConnected(): boolean {
    return this.#isOn && this.#sockets.length > 0;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /**
   * Somebody turns Socket Mode off in the app's settings: its sockets are told so and closed. New ones are let in and
   * greeted all the same, and nothing is brought to them until it is on again.
   */
  setOn(isOn: boolean): void {
    this.#isOn = isOn;
    if (!isOn) for (const socket of [...this.#sockets]) this.#dismiss(socket, 'link_disabled');
    this.#onConnectionChange();
  }

  /** A ticket for one connection, as apps.connections.open hands it out. */
  issueTicket(): string {
    const ticket = newToken();
    this.#tickets.add(ticket);
    return ticket;
  }

  /** Takes an HTTP upgrade to /socket; a ticket that is unknown or used is refused. */
  handleUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const ticket = new URL(request.url ?? '/', 'http://workspace').searchParams.get('ticket') ?? '';
    if (!this.#tickets.delete(ticket)) {
      stream.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    this.#server.handleUpgrade(request, stream, head, (socket) => {
      if (this.#sockets.length < SOCKETS_MAX) return this.#welcome(socket);
      // A broken socket closes right after its error, and nobody waits for this one.
      socket.on('error', () => {});
      this.#dismiss(socket, 'too_many_websockets');
    });
  }

  /** Sends one envelope (`times` times) to the next socket in turn, and waits for its acknowledgement. */
  deliver(request: DeliveryRequest, options: DeliveryOptions): Promise<Attempt> {
    if (request.kind === 'url_verification') {
      const message = 'An app on Socket Mode has no request URL.';
      return Promise.resolve({ ok: false, error: 'dispatch_failed', message, reason: 'unknown_error' });
    }
    const open = this.#isOn ? this.#sockets.filter((one) => one.readyState === one.OPEN) : [];
    const socket = open[this.#next % open.length];
    this.#next += 1;
    if (socket === undefined) {
      const message = 'The app has no open socket.';
      const reason = 'connection_failed';
      return Promise.resolve({ ok: false, error: 'app_not_connected', message, reason });
    }
    const envelopeId = randomUUID();
    const envelope = JSON.stringify({
      envelope_id: envelopeId,
      type: request.kind,
      payload: request.payload,
      accepts_response_payload: request.kind !== 'events_api',
      ...(request.kind === 'events_api' ? retryFields(options.retry) : {}),
    });
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#pending.delete(envelopeId);
        const message = 'The app did not answer within three seconds.';
        resolve({ ok: false, error: 'operation_timeout', message, reason: 'http_timeout' });
      }, options.ackTimeoutMs);
      this.#pending.set(envelopeId, { resolve, timer });
      for (let count = 0; count < options.times; count += 1) socket.send(envelope);
    });
  }

  /** Plays the `disconnect` faults that are due on the sockets that are open. */
  playDisconnects(): void {
    for (const socket of [...this.#sockets]) {
      if (!this.#faults.takeDisconnect()) return;
      this.#disconnect(socket);
    }
  }

  /** Says goodbye to every socket, cuts those that do not answer, and forgets what was under way. */
  async close(): Promise<void> {
    clearInterval(this.#pings);
    for (const { resolve, timer } of this.#pending.values()) {
      clearTimeout(timer);
      const message = 'The workspace is closing.';
      resolve({ ok: false, error: 'app_not_connected', message, reason: 'connection_failed', isFinal: true });
    }
    this.#pending.clear();
    const clients = [...this.#server.clients];
    const gone = clients.map(
      (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
    );
    for (const socket of clients) socket.close(1001);
    const cut = setTimeout(() => {
      for (const socket of clients) socket.terminate();
    }, CLOSE_GRACE_MS);
    await Promise.all(gone);
    clearTimeout(cut);
    this.#server.close();
  }

  #welcome(socket: WebSocket): void {
    this.#sockets.push(socket);
    socket.on('message', (data) => this.#acknowledge(data));
    socket.on('close', () => this.#forget(socket));
    // A broken socket closes right after its error; `close` does what is needed.
    socket.on('error', () => {});
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: this.#sockets.length,
        connection_info: { app_id: APP.id },
        debug_info: { host: 'applink-sandbox', approximate_connection_time: 18_060 },
      }),
    );
    this.#onConnectionChange();
    if (this.#faults.takeDisconnect()) this.#disconnect(socket);
  }

  #acknowledge(data: RawData): void {
    let answer: unknown;
    try {
      answer = JSON.parse(data.toString());
    } catch {
      return;
    }
    const parsed = acknowledgement.safeParse(answer);
    if (!parsed.success) return;
    const pending = this.#pending.get(parsed.data.envelope_id);
    if (pending === undefined) return;
    this.#pending.delete(parsed.data.envelope_id);
    clearTimeout(pending.timer);
    pending.resolve({ ok: true, body: parsed.data.payload });
  }

  #disconnect(socket: WebSocket): void {
    sayGoodbye(socket, 'warning');
    setTimeout(() => {
      sayGoodbye(socket, 'refresh_requested');
      this.#forget(socket);
      setTimeout(() => socket.terminate(), DISCONNECT_GRACE_MS).unref();
    }, WARNING_MS).unref();
  }

  /** Without a warning, and at once. */
  #dismiss(socket: WebSocket, reason: 'link_disabled' | 'too_many_websockets'): void {
    sayGoodbye(socket, reason);
    this.#forget(socket);
    socket.close(1000);
  }

  #forget(socket: WebSocket): void {
    if (!this.#sockets.includes(socket)) return;
    this.#sockets = this.#sockets.filter((candidate) => candidate !== socket);
    this.#onConnectionChange();
  }
}

type Goodbye = 'warning' | 'refresh_requested' | 'link_disabled' | 'too_many_websockets';

function sayGoodbye(socket: WebSocket, reason: Goodbye): void {
  socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'applink-sandbox' } }));
}

/** An event that is brought again comes in an envelope of its own, which says so. */
function retryFields(retry: Retry | undefined): { retry_attempt: number; retry_reason: string } {
  const reason = retry?.reason === 'http_timeout' ? 'timeout' : retry?.reason;
  return { retry_attempt: retry?.number ?? 0, retry_reason: reason ?? '' };
}
