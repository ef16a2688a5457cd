import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** How the fake answers one Web API call; `status` 200 and JSON unless it says otherwise. */
export type FakeAnswer =
  | { readonly ok: boolean; readonly [key: string]: unknown }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** The connection is reset instead of answered. */
  | 'reset'
  | 'hang';

interface FakeCall {
  readonly method: string;
  readonly authorization: string | undefined;
  readonly arguments: Record<string, string>;
}

export type FakeSlack = Awaited<ReturnType<typeof startFakeSlack>>;

export const AUTH_TEST = {
  ok: true,
  url: 'https://acme.example/',
  team: 'Acme',
  team_id: 'T0ACME',
  user: 'herald',
  user_id: 'U0HERALD',
  bot_id: 'B0HERALD',
} as const;

/** The least of Slack that a connection can be tried against, and made to misbehave. */
export async function startFakeSlack() {
  const server = createServer((request, response) => {
    // Its tests live at times of their own: only what names a date has one.
    response.sendDate = false;
    void handle(request, response);
  });
  const socketServer = new WebSocketServer({ server, path: '/socket' });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connectionsOpen = { ok: true, url: `${origin.replace('http', 'ws')}/socket` };
  const calls: FakeCall[] = [];
  const responses: { readonly path: string; readonly body: unknown }[] = [];
  const sockets: WebSocket[] = [];
  const received: unknown[] = [];
  const fake = {
    origin,
    apiUrl: `${origin}/api/`,
    calls,
    /** By method; the last of a list stays. */
    answers: new Map<string, FakeAnswer[]>([
      ['auth.test', [AUTH_TEST]],
      ['apps.connections.open', [connectionsOpen]],
    ]),
    /** What was posted to response_urls at `<origin>/response/…`. */
    responses,
    /** Those that are open, oldest first. */
    sockets,
    /** Everything that clients sent over sockets. */
    received,
    /** Sockets are greeted, unless a test wants silence. */
    greets: true as boolean,
    close: async () => {
      for (const socket of socketServer.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await request.setEncoding('utf8').toArray()).join('');
    const path = request.url ?? '';
    if (path.startsWith('/response/')) {
      fake.responses.push({ path, body: JSON.parse(body) });
      const refusal = fake.answers.get('response_url')?.shift();
      if (refusal === undefined) response.end('ok');
      else answer(response, refusal);
      return;
    }
    const method = path.replace('/api/', '');
    fake.calls.push({
      method,
      authorization: request.headers.authorization,
      arguments: Object.fromEntries(new URLSearchParams(body)),
    });
    const answers = fake.answers.get(method) ?? [{ ok: false, error: 'unknown_method' }];
    answer(response, answers.length > 1 ? answers.shift() : answers[0]);
  }

  socketServer.on('connection', (socket) => {
    fake.sockets.push(socket);
    socket.on('close', () => fake.sockets.splice(fake.sockets.indexOf(socket), 1));
    socket.on('message', (data) => fake.received.push(JSON.parse(String(data))));
    if (fake.greets) socket.send(JSON.stringify({ type: 'hello' }));
  });
  return fake;
}

function answer(response: ServerResponse, value: FakeAnswer | undefined): void {
  if (value === 'hang') return;
  if (value === 'reset' || value === undefined) {
    response.socket?.resetAndDestroy();
    return;
  }
  if ('ok' in value) {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(value));
    return;
  }
  response.writeHead(value.status, value.headers);
  response.end(value.body ?? '');
}

/** Waits for something that another process of the event loop brings about. */
export async function until<Value>(
  probe: () => Value | undefined | false,
  what = 'a condition',
): Promise<Value> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const value = probe();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
