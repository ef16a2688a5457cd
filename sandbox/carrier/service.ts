import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, acceptedInEntries, json, refused } from './answers.ts';
import { judgeChatapp } from './chatapp.ts';
import type { FaultPlan } from './faults.ts';
import type { Journal } from './journal.ts';
import { answering, isDelivered, type Performance, performanceOf } from './perform.ts';
import { judgeRcs } from './rcs.ts';
import { type Body, readBody } from './read-body.ts';
import type { CarrierRegistry } from './registry.ts';
import type { After, ReportPlan } from './reports.ts';
import { judgeFlash, judgeSms } from './sms.ts';
import type { Delivery, Verdict } from './verdict.ts';
import type { Forecast } from './weather.ts';

export interface ServiceParts {
  readonly registry: CarrierRegistry;
  readonly journal: Journal;
  readonly faults: FaultPlan;
  readonly reports: ReportPlan;
  readonly keyHash: Buffer;
  now(): number;
  readonly after: After;
  /** What answers are like; undefined is calm. */
  forecast: Forecast | undefined;
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
  const latencyMs = parts.forecast?.latencyMs(result.recipients) ?? 0;
  const told = result.deliveries.map(({ id, delivery }) => {
    if (parts.reports.reports !== 'failed') parts.journal.deliver(id, parts.now(), delivery);
    return parts.reports.taken(id, delivery.number, delivery.channel);
  });
  // Without weather within this turn, as ever.
  if (parts.forecast === undefined) return result.performance.run(response);
  await Promise.all(told);
  parts.after(latencyMs, () => {
    if (!response.destroyed) result.performance.run(response);
  });
}

interface Judged {
  readonly performance: Performance;
  readonly recipients: readonly string[];
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
  const recipients = deliveries.map((delivery) => delivery.number);
  const fault = parts.faults.take(recipients);
  const identified = deliveries.map((delivery) => ({ id: parts.journal.nextMessageId(), delivery }));
  const ids = identified.map(({ id }) => id);
  const { forecast } = parts;
  if (fault === undefined && forecast?.hasEntries === true && deliveries.length > 1) {
    const entries = identified.map(({ id, delivery }) => {
      const status = forecast.refusal(delivery.number);
      return {
        mobile: delivery.number.slice(1),
        id,
        status: status ?? 'AWAITED-DLR',
        isTaken: status === undefined,
      };
    });
    return {
      performance: answering(acceptedInEntries(entries)),
      recipients,
      deliveries: identified.filter((_, index) => entries[index]?.isTaken),
    };
  }
  return {
    performance: performanceOf(fault, ids),
    recipients,
    deliveries: isDelivered(fault) ? identified : [],
  };
}

function refusal(answer: Answer): Judged {
  return { performance: answering(answer), recipients: [], deliveries: [] };
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
