import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** The body as it came. */
  readonly text: string;
}

export interface AnswerPlan {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** An HTTP server that keeps what it was sent and answers as told; closed when the test ends. */
export async function startHttpServer(
  answer: (request: ReceivedRequest) => AnswerPlan | Promise<AnswerPlan> = () => ({}),
): Promise<{ readonly url: string; readonly requests: ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const { method, url: path, headers } = incoming;
      const text = Buffer.concat(chunks).toString();
      const request = { method, path, headers, text, body: method === 'GET' ? undefined : JSON.parse(text) };
      requests.push(request);
      const { status = 200, headers: answerHeaders = {}, body: said = '' } = await answer(request);
      outgoing.writeHead(status, answerHeaders).end(said);
    });
  });
  return { url: await listen(server), requests };
}

/** A TCP server: the test decides what happens to each connection. */
export async function startTcpServer(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  const url = await listen(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return url;
}

/** Calls back once for every whole request (head and body) that arrives on a connection. */
export function onRequests(socket: Socket, handle: (count: number) => void): void {
  let text = '';
  let count = 0;
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    for (;;) {
      const head = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      if (head < 0 || text.length < head + 4 + length) return;
      text = text.slice(head + 4 + length);
      count += 1;
      handle(count);
    }
  });
}

/** An address that nobody listens on. */
export async function closedPort(): Promise<string> {
  const server = createNetServer();
  const url = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

export async function listen(server: Server | NetServer, scheme = 'http'): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  });
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
