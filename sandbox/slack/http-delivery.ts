import { createHmac } from 'node:crypto';
import type { Attempt, DeliveryOptions, DeliveryRequest, Retry } from './delivery-request.ts';

/**
 * Slack's requests to an app's request URL: form-encoded commands and interactions, JSON events, signed with
 * `v0`. Source: https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export class HttpDelivery {
  #url: string;
  #signingSecret: string;
  #now: () => number;

  constructor(url: string, signingSecret: string, now: () => number) {
    this.#url = url;
    this.#signingSecret = signingSecret;
    this.#now = now;
  }

  /** Posts the same signed body `times` times; the first answer counts. */
  async deliver(request: DeliveryRequest, options: DeliveryOptions): Promise<Attempt> {
    const { body, contentType } = encode(request);
    const timestamp = String(Math.floor(this.#now() / 1000));
    const headers = {
      'content-type': contentType,
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signRequest(this.#signingSecret, timestamp, body),
      ...retryHeaders(options.retry),
    };
    // Any success will do for an event; whoever clicked or typed is answered with 200.
    const highest = request.kind === 'events_api' ? 299 : 200;
    const attempts = Array.from({ length: options.times }, () =>
      this.#post(headers, body, options.ackTimeoutMs, highest),
    );
    const [first] = await Promise.all(attempts);
    return (
      first ?? {
        ok: false,
        error: 'dispatch_failed',
        message: 'nothing was delivered',
        reason: 'unknown_error',
      }
    );
  }

  async #post(
    headers: Record<string, string>,
    body: string,
    ackTimeoutMs: number,
    highestStatus: number,
  ): Promise<Attempt> {
    try {
      const signal = AbortSignal.timeout(ackTimeoutMs);
      const response = await fetch(this.#url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      const text = await response.text();
      if (response.status < 200 || response.status > highestStatus) {
        const message = `The app answered with HTTP ${response.status}.`;
        const isFinal = response.headers.get('x-slack-no-retry') === '1';
        return { ok: false, error: 'dispatch_failed', message, reason: 'http_error', isFinal };
      }
      return { ok: true, body: decodeAnswer(text, response.headers.get('content-type') ?? '') };
    } catch (error) {
      return failureOf(error);
    }
  }
}

/** Slack's signature of a request: `v0=` and the HMAC-SHA256 of `v0:<timestamp>:<body>`. */
function signRequest(signingSecret: string, timestamp: string, body: string): string {
  return `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
}

function encode(request: DeliveryRequest): { body: string; contentType: string } {
  const form = 'application/x-www-form-urlencoded';
  switch (request.kind) {
    case 'slash_commands': {
      const fields = Object.entries(request.payload).map(([key, value]) => [key, String(value)]);
      return { body: new URLSearchParams(fields).toString(), contentType: form };
    }
    case 'interactive':
      return {
        body: new URLSearchParams({ payload: JSON.stringify(request.payload) }).toString(),
        contentType: form,
      };
    case 'events_api':
    case 'url_verification':
      return { body: JSON.stringify(request.payload), contentType: 'application/json' };
  }
}

function decodeAnswer(text: string, contentType: string): unknown {
  if (text === '') return undefined;
  if (!contentType.includes('json')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Slack tells of every try after the first. The body is the same, its time stamp and signature are not. */
function retryHeaders(retry: Retry | undefined): Record<string, string> {
  if (retry === undefined) return {};
  return { 'x-slack-retry-num': String(retry.number), 'x-slack-retry-reason': retry.reason };
}

function failureOf(error: unknown): Attempt {
  if (error instanceof Error && error.name === 'TimeoutError') {
    const message = 'The app did not answer within three seconds.';
    return { ok: false, error: 'operation_timeout', message, reason: 'http_timeout' };
  }
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ECONNREFUSED') {
    const message = 'Nothing listens at the app’s request URL.';
    return { ok: false, error: 'app_not_connected', message, reason: 'connection_failed' };
  }
  const message = `The app could not be reached: ${String(error)}`;
  return { ok: false, error: 'dispatch_failed', message, reason: 'connection_failed' };
}
