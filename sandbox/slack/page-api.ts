import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Act, ActResult, Bootstrap, Faults, SlackFile } from '../protocol.ts';
import { FILE_BYTES_MAX } from './files.ts';
import { actSchema, faultsSchema } from './page-requests.ts';
import type { WorkspaceParts } from './parts.ts';
import { readBody } from './request-body.ts';
import { sendJson } from './web-api/index.ts';

/** How often an idle event stream says something, so that nothing in between takes it for dead. */
const KEEP_ALIVE_MS = 15_000;

export interface PageActions {
  bootstrap: Bootstrap;
  act(act: Act): Promise<ActResult>;
  setFaults(faults: Faults): void;
}

/**
 * The page's private routes, /page/*. Only the page itself and programs on this machine may use them: a
 * request that another site's page makes, or that reached us under another host name, is refused.
 */
export async function answerPageRequest(
  parts: WorkspaceParts,
  actions: PageActions,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isFromHere(request)) {
    sendJson(response, 403, {
      ok: false,
      error: 'cross_site',
      message: 'Only the sandbox’s own page may ask.',
    });
    return;
  }
  const route = `${request.method} ${url.pathname}`;
  switch (route) {
    case 'GET /page/bootstrap':
      return sendJson(response, 200, actions.bootstrap);
    case 'GET /page/events':
      return streamEvents(parts, request, response);
    case 'POST /page/act':
      return answerJson(request, response, actSchema, (act) => actions.act(act));
    case 'POST /page/gone':
      parts.views.forget((await readBody(request)).toString('utf8'));
      return sendJson(response, 200, { ok: true });
    case 'POST /page/faults':
      return answerJson(request, response, faultsSchema, (faults) => {
        actions.setFaults(faults);
        return { ok: true };
      });
    case 'POST /page/upload':
      return upload(parts, url, request, response);
    default:
      return sendJson(response, 404, { ok: false, error: 'not_found' });
  }
}

/** Whether a request comes from the page itself, or from no page at all. */
export function isFromHere(request: IncomingMessage): boolean {
  const host = request.headers.host ?? '';
  if (!/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host)) return false;
  if (request.headers['sec-fetch-site'] === 'cross-site') return false;
  const origin = request.headers.origin;
  return origin === undefined || origin === `http://${host}`;
}

async function answerJson<Input>(
  request: IncomingMessage,
  response: ServerResponse,
  schema: z.ZodType<Input>,
  answer: (input: Input) => unknown,
): Promise<void> {
  const body = await readBody(request);
  const parsed = schema.safeParse(parseJson(body.toString('utf8')));
  if (!parsed.success) {
    const message = z.prettifyError(parsed.error);
    return sendJson(response, 400, { ok: false, error: 'invalid_request', message });
  }
  sendJson(response, 200, await answer(parsed.data));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Server-sent events: a snapshot, then every change. */
function streamEvents(parts: WorkspaceParts, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'keep-alive',
  });
  const send = (event: unknown) => response.write(`data: ${JSON.stringify(event)}\n\n`);
  send({ type: 'snapshot', snapshot: parts.state.snapshot() });
  const unsubscribe = parts.state.subscribe(send);
  const keepAlive = setInterval(() => response.write(': still here\n\n'), KEEP_ALIVE_MS);
  keepAlive.unref();
  request.on('close', () => {
    clearInterval(keepAlive);
    unsubscribe();
  });
}

async function upload(
  parts: WorkspaceParts,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const userId = url.searchParams.get('as') ?? '';
  const name = url.searchParams.get('name') ?? '';
  if (!parts.state.users.has(userId) || name === '') {
    return sendJson(response, 400, {
      ok: false,
      error: 'invalid_request',
      message: 'as and name are required',
    });
  }
  const stored = await parts.files.add(name, await readBody(request, FILE_BYTES_MAX), userId);
  const file: SlackFile = {
    id: stored.id,
    name: stored.name,
    mimetype: stored.mimetype,
    size: stored.size,
    url_private_download: stored.url_private_download,
  };
  sendJson(response, 200, { ok: true, file });
}
