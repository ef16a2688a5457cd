import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../core/logger.ts';
import { fail, ok, type Result } from '../core/result.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Handlers by path and method. A last part `:name` matches anything. */
export type Routes = Readonly<Record<string, Readonly<Partial<Record<'GET' | 'POST', Handler>>>>>;

/** The handler of a request, or one that answers 404 or 405. HEAD is handled like GET. */
function route(routes: Routes, { method = 'GET', url = '/' }: IncomingMessage): Handler {
  const path = url.split('?', 1)[0] ?? '/';
  const above = path.slice(0, path.lastIndexOf('/') + 1);
  const pattern = Object.keys(routes).find((known) => known.startsWith(`${above}:`));
  const methods = routes[Object.hasOwn(routes, path) ? path : (pattern ?? '')];
  if (methods === undefined) return refuse(404, { error: 'There is nothing at this address.' });
  const handler = methods[(method === 'HEAD' ? 'GET' : method) as 'GET' | 'POST'];
  if (handler !== undefined) return handler;
  const allow = Object.keys(methods).join(', ');
  return refuse(405, { error: `This address answers ${allow} only.` }, { allow });
}

/** Answers in JSON, never cached. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

function refuse(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Handler {
  return async (request, response) => {
    // While a body is unread, the connection could not be reused.
    request.resume();
    answerJson(response, status, body, headers);
  };
}

/**
 * For a whole request to come in, and without a byte in either direction: nobody keeps a body or an answer here that does not
 * move. Slack and the service take much less.
 */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

interface HttpServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The environment variable that sets the port. */
  readonly setting?: 'PORT' | 'METRICS_PORT';
  /** Opened and closed with this one. */
  readonly beside?: HttpServer | undefined;
  readonly routes: Routes;
  readonly logger: Logger;
}

export interface HttpServer {
  /** Resolves with the port, or fails with one sentence. */
  listen(): Promise<Result<number, string>>;
  /** Accepts no new requests and waits at most `deadlineMs` for those in progress. */
  close(deadlineMs: number): Promise<void>;
}

/** Herald's own server: health, readiness, metrics, and in HTTP mode Slack's requests. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { host, port, setting = 'PORT', beside, routes, logger } = options;
  const server = createServer(
    { requestTimeout: PATIENCE_MS, connectionsCheckingInterval: LOOK_EVERY_MS },
    (request, response) => void answer(route(routes, request), request, response, logger),
  );
  server.setTimeout(PATIENCE_MS);
  return {
    listen: async () => {
      const other = await beside?.listen();
      if (other?.ok === false) return other;
      server.listen(port, host);
      try {
        await once(server, 'listening');
        return ok((server.address() as AddressInfo).port);
      } catch (error) {
        return fail(sentenceFor(error as NodeJS.ErrnoException, host, port, setting));
      }
    },
    close: async (deadlineMs) => {
      await beside?.close(deadlineMs);
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const insist = setTimeout(() => server.closeAllConnections(), deadlineMs);
      await closed;
      clearTimeout(insist);
    },
  };
}

async function answer(
  handler: Handler,
  request: IncomingMessage,
  response: ServerResponse,
  logger: Logger,
): Promise<void> {
  try {
    await handler(request, response);
  } catch (error) {
    logger.error({ error, method: request.method }, 'an HTTP handler failed');
    if (response.headersSent) response.destroy();
    else answerJson(response, 500, { error: 'Herald failed to answer; see its log.' });
  }
}

function sentenceFor(error: NodeJS.ErrnoException, host: string, port: number, setting: string): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken by another program. Stop that one, or set ${setting} to another number.`;
    case 'EACCES':
      return `This user may not listen on port ${port}. Set ${setting} to a number above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Set HOST to one that is, or to 0.0.0.0 for all.`;
    default:
      return `Herald could not listen on ${host}, port ${port}: ${error.message}.`;
  }
}
