import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiFault } from '../faults.ts';
import type { WorkspaceParts } from '../parts.ts';
import { type ApiArguments, readArguments } from '../request-body.ts';
import { appMethods } from './app.ts';
import { chatMethods } from './chat.ts';
import { conversationMethods } from './conversations.ts';
import { fileMethods } from './files.ts';
import { functionMethods } from './functions.ts';
import { type ApiAnswer, type ApiMethod, apiError } from './method.ts';
import { peopleMethods } from './people.ts';
import { reactionMethods } from './reactions.ts';
import { viewMethods } from './views.ts';

/** Every method the workspace answers, by name. */
export const apiMethods: Readonly<Record<string, ApiMethod>> = {
  ...appMethods,
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  ...functionMethods,
  ...peopleMethods,
  ...reactionMethods,
  ...viewMethods,
};

/** One call as it came in: for tests that count what the app asked of Slack. Tokens are left out. */
export interface ApiCall {
  method: string;
  args: ApiArguments;
  answer: ApiAnswer | { ok: false; error: 'ratelimited' | 'no_answer' };
}

/** Answers POST (or GET) /api/<method> as Slack does, faults included. */
export async function answerApiCall(
  parts: WorkspaceParts,
  method: string,
  request: IncomingMessage,
  response: ServerResponse,
  record: (call: ApiCall) => void,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://workspace');
  const { token: bodyToken, ...args } = (await readArguments(request, url)) ?? {
    token: undefined,
    malformed: true,
  };
  const fault = parts.faults.takeApi(method);
  if (fault?.do === 'hang') {
    record({ method, args, answer: { ok: false, error: 'no_answer' } });
    return;
  }
  if (fault?.do === 'status') {
    record({ method, args, answer: { ok: false, error: 'no_answer' } });
    response.writeHead(fault.status, { 'content-type': 'text/html' }).end('<html>');
    return;
  }
  const retryAfterSeconds =
    fault?.do === 'rate_limit' ? fault.retryAfterSeconds : parts.rateLimits?.retryAfterSeconds(method, args);
  if (fault?.do === 'rate_limit' || (retryAfterSeconds ?? 0) > 0) {
    record({ method, args, answer: { ok: false, error: 'ratelimited' } });
    response.setHeader('retry-after', String(retryAfterSeconds));
    sendJson(response, 429, apiError('ratelimited'));
    return;
  }
  const token = tokenOf(request, bodyToken);
  const answer =
    'malformed' in args ? apiError('invalid_json') : await run(parts, method, token, args, fault);
  record({ method, args, answer });
  if (fault?.do === 'drop_answer') {
    response.destroy();
    return;
  }
  const scopes = parts.state.manifest.botScopes;
  if (scopes !== null && token === parts.tokens.bot) response.setHeader('x-oauth-scopes', scopes.join(','));
  sendJson(response, 200, answer);
}

/** An app of a whole organisation must say which workspace it means. Source: https://api.slack.com/enterprise/apps/changes-apis */
const NEEDS_TEAM: ReadonlySet<string> = new Set([
  'conversations.list',
  'usergroups.list',
  'usergroups.users.list',
  'users.list',
]);

async function run(
  parts: WorkspaceParts,
  name: string,
  token: string | null,
  args: ApiArguments,
  fault: ApiFault | undefined,
): Promise<ApiAnswer> {
  const method = Object.hasOwn(apiMethods, name) ? apiMethods[name] : undefined;
  if (method === undefined) return { ok: false, error: 'unknown_method', req_method: name };
  const refused = authorisationProblem(parts, method, token);
  if (refused !== null) return refused;
  if (fault?.do === 'error') return apiError(fault.error);
  const isOfManyTeams = parts.state.organisation?.isInstalled === true;
  if (isOfManyTeams && NEEDS_TEAM.has(name) && args.team_id === undefined)
    return apiError('missing_argument');
  return method.call(parts, args);
}

function authorisationProblem(
  parts: WorkspaceParts,
  method: ApiMethod,
  token: string | null,
): ApiAnswer | null {
  if (method.token === 'none') return null;
  if (token === null) return apiError('not_authed');
  const { bot, app } = parts.tokens;
  const isBot = token === bot || parts.state.isExecutionToken(token);
  if (!isBot && token !== app) return apiError('invalid_auth');
  if (isBot !== (method.token !== 'app')) return apiError('not_allowed_token_type');
  const granted = parts.state.manifest.botScopes;
  if (granted === null || method.scopes.length === 0) return null;
  if (method.scopes.some((scope) => granted.includes(scope))) return null;
  return { ok: false, error: 'missing_scope', needed: method.scopes.join(','), provided: granted.join(',') };
}

function tokenOf(request: IncomingMessage, bodyToken: unknown): string | null {
  const header = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (header !== undefined) return header;
  return typeof bodyToken === 'string' && bodyToken !== '' ? bodyToken : null;
}

/** Ends a response with JSON; does nothing when the client is gone. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(JSON.stringify(body));
}
