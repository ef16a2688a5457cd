import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, json, refused } from './answers.ts';
import { judgeChatapp } from './chatapp.ts';
import type { FaultPlan } from './faults.ts';
import type { Journal } from './journal.ts';
import { isDelivered, type Performance, performanceOf, send } from './perform.ts';
import { judgeRcs } from './rcs.ts';
import { type Body, readBody } from './read-body.ts';
import type { CarrierRegistry } from './registry.ts';
import type { ReportPlan } from './reports.ts';
import { judgeFlash, judgeSms } from './sms.ts';
import type { Delivery, Verdict } from './verdict.ts';

export interface ServiceParts {
  readonly registry: CarrierRegistry;
  readonly journal: Journal;
  readonly faults: FaultPlan;
  readonly reports: ReportPlan;
  readonly keyHash: Buffer;
  now(): number;
}

type Judge = (body: unknown, registry: CarrierRegistry) => Verdict;

/** The service's endpoints (interface document, "Endpoints"): the flash path has no version prefix. */
const ENDPOINTS: Readonly<Record<string, Judge>> = {
  '/v1/chatapp': judgeChatapp,
  '/v1/rcs': judgeRcs,
  '/v1/sms': judgeSms,
  '/sms': judgeFlash,
};

/** Answers one request to the messaging service, and puts what was accepted on the phones. */
export async function answerService(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  parts: ServiceParts,
): Promise<void> {
  const body = await readBody(request);
  const apikey = judgeKey(request, parts.keyHash);
  const result = judge(request, path, apikey, body, parts);
  parts.journal.request({
    at: parts.now(),
    path,
    headers: headersForLog(request, apikey),
    body: body.ok ? body.value : body.raw,
    result: { status: result.performance.status, note: result.performance.note },
  });
  for (const { id, delivery } of result.deliveries) {
    if (parts.reports.reports !== 'failed') parts.journal.deliver(id, parts.now(), delivery);
    parts.reports.taken(id, delivery.number, delivery.channel);
  }
  result.performance.run(response);
}

interface Judged {
  readonly performance: Performance;
  readonly deliveries: readonly { readonly id: string; readonly delivery: Delivery }[];
}

function judge(
  request: IncomingMessage,
  path: string,
  apikey: KeyState,
  body: Body,
  parts: ServiceParts,
): Judged {
  const endpoint = Object.hasOwn(ENDPOINTS, path) ? ENDPOINTS[path] : undefined;
  if (!endpoint) return refusal(plain(404, 'There is no such resource.'));
  if (request.method !== 'POST') {
    const answer = plain(405, 'Only POST is supported.');
    return refusal({ ...answer, headers: { ...answer.headers, allow: 'POST' } });
  }
  if (apikey !== 'valid') return refusal(plain(401, `The apikey header is ${apikey}.`));
  if (!isJson(request)) return refusal(plain(400, 'The content type must be application/json.'));
  if (!body.ok) return refusal(plain(400, 'The body is not JSON.'));
  const verdict = endpoint(body.value, parts.registry);
  if (!verdict.ok) return refusal(refused(verdict.refusal));
  return perform(verdict.deliveries, parts);
}

function perform(deliveries: readonly Delivery[], parts: ServiceParts): Judged {
  const fault = parts.faults.take(deliveries.map((delivery) => delivery.number));
  const identified = deliveries.map((delivery) => ({ id: parts.journal.nextMessageId(), delivery }));
  return {
    performance: performanceOf(
      fault,
      identified.map(({ id }) => id),
    ),
    deliveries: isDelivered(fault) ? identified : [],
  };
}

function refusal(answer: Answer): Judged {
  const performance: Performance = {
    status: answer.status,
    note: answer.note,
    run: (response) => send(response, answer),
  };
  return { performance, deliveries: [] };
}

function plain(status: number, message: string): Answer {
  return json(status, { message }, `refused: ${message}`);
}

function isJson(request: IncomingMessage): boolean {
  return /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '');
}

type KeyState = 'valid' | 'invalid' | 'absent';

function judgeKey(request: IncomingMessage, keyHash: Buffer): KeyState {
  const { apikey } = request.headers;
  if (apikey === undefined) return 'absent';
  return typeof apikey === 'string' && timingSafeEqual(hashKey(apikey), keyHash) ? 'valid' : 'invalid';
}

/** The key is compared, and held, as a hash: no log, state or heap dump of the sandbox shows it. */
export function hashKey(apiKey: string): Buffer {
  return createHash('sha256').update(apiKey).digest();
}

function headersForLog(request: IncomingMessage, apikey: KeyState): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && name !== 'apikey') headers[name] = String(value);
  return apikey === 'absent' ? headers : { ...headers, apikey };
}
