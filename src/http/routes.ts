import type { IncomingMessage, ServerResponse } from 'node:http';

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Handlers by path and method. A last part `:name` matches anything. */
export type Routes = Readonly<Record<string, Readonly<Partial<Record<'GET' | 'POST', Handler>>>>>;

/** The handler of a request, or one that answers 404 or 405. HEAD is handled like GET. */
export function route(routes: Routes, { method = 'GET', url = '/' }: IncomingMessage): Handler {
  const path = url.split('?', 1)[0] ?? '/';
  const methods = methodsAt(routes, path);
  if (methods === undefined) return refuse(404, { error: 'There is nothing at this address.' });
  const handler = methods[(method === 'HEAD' ? 'GET' : method) as 'GET' | 'POST'];
  if (handler !== undefined) return handler;
  const allow = Object.keys(methods).join(', ');
  return refuse(405, { error: `This address answers ${allow} only.` }, { allow });
}

function methodsAt(routes: Routes, path: string): Routes[string] | undefined {
  if (Object.hasOwn(routes, path)) return routes[path];
  const above = path.slice(0, path.lastIndexOf('/') + 1);
  const pattern = Object.keys(routes).find((known) => known.startsWith(`${above}:`));
  return pattern === undefined ? undefined : routes[pattern];
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
    // With an unread body the connection could not be reused.
    request.resume();
    answerJson(response, status, body, headers);
  };
}
