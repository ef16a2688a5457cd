import type { IncomingMessage, ServerResponse } from 'node:http';
import { receiveUpload, serveFile } from './file-routes.ts';
import { answerPageRequest, type PageActions } from './page-api.ts';
import type { WorkspaceParts } from './parts.ts';
import { BodyTooLarge, readArguments } from './request-body.ts';
import { applyResponse } from './responses.ts';
import { readPageFile } from './static-page.ts';
import { type ApiCall, answerApiCall, sendJson } from './web-api/index.ts';

/** Everything the HTTP server answers. */
export interface Routes {
  parts: WorkspaceParts;
  actions: PageActions;
  uiDir: string | undefined;
  record: (call: ApiCall) => void;
}

/** Answers one request; never rejects. */
export async function answerRequest(
  routes: Routes,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await route(routes, request, response);
  } catch (error) {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    if (error instanceof BodyTooLarge) {
      sendJson(response, 413, { ok: false, error: 'request_too_large', message: error.message });
      return;
    }
    // A bug of the sandbox: the test that ran into it should see where.
    sendJson(response, 500, { ok: false, error: 'fatal_error', message: String(error) });
  }
}

async function route(routes: Routes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { parts } = routes;
  if (!URL.canParse(request.url ?? '/', 'http://workspace')) {
    sendJson(response, 400, { ok: false, error: 'invalid_request' });
    return;
  }
  const url = new URL(request.url ?? '/', 'http://workspace');
  const [, first = '', ...rest] = url.pathname.split('/');
  const [second = ''] = rest;
  if (first === 'api') return answerApiCall(parts, rest.join('/'), request, response, routes.record);
  if (first === 'page') return answerPageRequest(parts, routes.actions, url, request, response);
  if (first === 'response' && request.method === 'POST')
    return respond(routes, second, url, request, response);
  if (first === 'upload' && request.method === 'POST') return receiveUpload(parts, second, request, response);
  if (first === 'files' && request.method === 'GET') return serveFile(parts, second, request, response);
  return servePage(routes.uiDir, url.pathname, request, response);
}

/** POST /response/<token>: a response_url. */
async function respond(
  { parts, record }: Routes,
  token: string,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readArguments(request, url);
  const target = parts.responseUrls.use(token);
  if (typeof target === 'string') {
    sendJson(response, 404, { ok: false, error: target });
    return;
  }
  const fault = parts.faults.takeApi('response_url');
  if (fault?.do === 'error') return sendJson(response, 400, { ok: false, error: fault.error });
  if (fault?.do === 'status') return sendJson(response, fault.status, { ok: false });
  if (fault?.do === 'rate_limit') return sendJson(response, 429, { ok: false, error: 'rate_limited' });
  if (fault?.do === 'hang')
    return record({ method: 'response_url', args: body ?? {}, answer: { ok: false, error: 'no_answer' } });
  const outcome =
    body === null
      ? { ok: false as const, error: 'invalid_payload', problems: [] }
      : applyResponse(parts, target, body);
  if (fault?.do === 'drop_answer') return void response.destroy();
  if (outcome.ok) return sendJson(response, 200, { ok: true });
  const messages = outcome.problems.map((problem) => `[ERROR] ${problem}`);
  sendJson(response, 400, { ok: false, error: outcome.error, response_metadata: { messages } });
}

async function servePage(
  uiDir: string | undefined,
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const file = uiDir !== undefined && isRead ? await readPageFile(pathname, uiDir) : null;
  if (file === null) {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
    response.end('Nothing here.');
    return;
  }
  response.writeHead(200, {
    'content-type': file.contentType,
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : file.body);
}
