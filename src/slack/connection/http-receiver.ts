import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createBodyReader } from '../../core/body-reader.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { createSparseLog, type Surroundings } from '../../core/surroundings.ts';
import type { Deliveries, DeliveryResult } from './deliveries.ts';
import { isPayload, type Payload } from './payload.ts';

/** Slack's largest payloads, submitted views, stay under 250 KB before encoding. */
const MAX_BODY_BYTES = 1_000_000;

interface HttpReceiverDependencies extends Surroundings {
  /** Any of them will do: two while one takes the place of the other. */
  readonly signingSecrets: readonly string[];
  readonly deliveries: Deliveries;
}

/** An HTTP answer that ends a request before any handler sees it. */
interface Refusal {
  readonly status: number;
  readonly reason: string;
}

const TOO_LONG: Refusal = { status: 413, reason: `body is over ${MAX_BODY_BYTES} bytes` };

/**
 * Slack's request URL: commands, interactions and events as signed HTTP requests. Every request that comes in
 * whole gets exactly one answer.
 */
export function createHttpHandler(dependencies: HttpReceiverDependencies) {
  const { deliveries } = dependencies;
  const warn = createSparseLog(dependencies);
  const readBody = createBodyReader(MAX_BODY_BYTES);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'POST');
      return refuse(response, { status: 405, reason: 'method is not POST' });
    }
    const raw = await readBody(request);
    if (raw === 'broken off') return warn(raw, {}, 'a request from Slack broke off');
    if (raw === 'too long') return refuse(response, TOO_LONG);
    const verified = verifySignature(request, raw, dependencies);
    if (!verified.ok) return refuse(response, { status: 401, reason: verified.error });
    const payload = parsePayload(header(request, 'content-type'), raw.toString('utf8'));
    if (!payload.ok) return refuse(response, payload.error);
    const { value } = payload;
    if (value.type === 'url_verification') return write(response, 200, { challenge: value.challenge });
    if (value.ssl_check !== undefined) return write(response, 200);
    writeAnswer(response, await deliveries.take({ key: verified.value, payload: value }));
  }

  function refuse(response: ServerResponse, { status, reason }: Refusal): void {
    warn(reason, { status }, 'refused a request to Slack\u2019s endpoint');
    // The rest of a body that was too long would otherwise be read as the next request.
    if (status === 413) response.setHeader('Connection', 'close');
    write(response, status);
  }

  return handle;
}

/** Answers without an acknowledgement, in Slack's terms: it delivers an event again for any of them. */
const UNACKNOWLEDGED = { unhandled: 404, failed: 500, late: 504 } as const;

function writeAnswer(response: ServerResponse, answer: DeliveryResult): void {
  if (answer.state === 'acknowledged') write(response, 200, answer.payload);
  else write(response, UNACKNOWLEDGED[answer.state]);
}

/** @param value as JSON; absent for no body */
function write(response: ServerResponse, status: number, value?: unknown): void {
  const body = value === undefined ? '' : JSON.stringify(value);
  const type = body && { 'Content-Type': 'application/json; charset=utf-8' };
  response.writeHead(status, { ...type, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** A form with one `payload` field (interactions), a plain form (commands) or JSON (events). */
function parsePayload(contentType: string | undefined, body: string): Result<Payload, Refusal> {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  // The signature does not cover this header: what somebody typed into an event must not be read as the fields of a form.
  const isJson = mediaType === 'application/json' || body.startsWith('{');
  if (!isJson && mediaType !== 'application/x-www-form-urlencoded')
    return fail({ status: 415, reason: 'body is neither JSON nor a form' });
  const form = new URLSearchParams(isJson ? '' : body);
  const json = isJson ? body : form.get('payload');
  const payload = json === null ? Object.fromEntries(form) : parseJson(json);
  return isPayload(payload) ? ok(payload) : fail({ status: 400, reason: 'payload cannot be read' });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A request's time stamp may be so far from now, in either direction. Slack's own advice for the past. */
const TOLERANCE_SECONDS = 300;

/**
 * Verifies Slack's `v0` signature of a request.
 *
 * @param rawBody the bytes as they came: decoding first would change what was signed
 * @returns the signature, which names this delivery, or why the request is refused (for the log)
 */
function verifySignature(
  request: IncomingMessage,
  rawBody: Uint8Array,
  { signingSecrets, clock }: HttpReceiverDependencies,
): Result<string, string> {
  const signature = header(request, 'x-slack-signature');
  const timestamp = header(request, 'x-slack-request-timestamp');
  if (signature === undefined || timestamp === undefined) return fail('signature headers missing');
  if (!/^\d{1,12}$/.test(timestamp)) return fail('time stamp is not a number');
  const age = Math.floor(clock.now() / 1000) - Number(timestamp);
  if (age > TOLERANCE_SECONDS) return fail('time stamp too old');
  if (age < -TOLERANCE_SECONDS) return fail('time stamp in the future');
  const given = Buffer.from(signature);
  const isSigned = signingSecrets.some((secret) => {
    const digest = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(rawBody).digest('hex');
    const wanted = Buffer.from(`v0=${digest}`);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
  return isSigned ? ok(signature) : fail('signature does not match');
}
