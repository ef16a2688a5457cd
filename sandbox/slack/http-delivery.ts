import { createHmac } from 'node:crypto';
import type { DeliveryRequest, DeliveryResult } from './delivery-request.ts';

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
  async deliver(
    request: DeliveryRequest,
    options: { times: number; ackTimeoutMs: number },
  ): Promise<DeliveryResult> {
    const { body, contentType } = encode(request);
    const timestamp = String(Math.floor(this.#now() / 1000));
    const headers = {
      'content-type': contentType,
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signRequest(this.#signingSecret, timestamp, body),
    };
    const attempts = Array.from({ length: options.times }, () =>
      this.#post(headers, body, options.ackTimeoutMs),
    );
    const [first] = await Promise.all(attempts);
    return first ?? { ok: false, error: 'dispatch_failed', message: 'nothing was delivered' };
  }

  async #post(headers: Record<string, string>, body: string, ackTimeoutMs: number): Promise<DeliveryResult> {
    try {
      const signal = AbortSignal.timeout(ackTimeoutMs);
      const response = await fetch(this.#url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      const text = await response.text();
      if (response.status !== 200) {
        const message = `The app answered with HTTP ${response.status}.`;
        return { ok: false, error: 'dispatch_failed', message };
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

function failureOf(error: unknown): DeliveryResult {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return { ok: false, error: 'operation_timeout', message: 'The app did not answer within three seconds.' };
  }
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ECONNREFUSED') {
    return { ok: false, error: 'app_not_connected', message: 'Nothing listens at the app’s request URL.' };
  }
  return { ok: false, error: 'dispatch_failed', message: `The app could not be reached: ${String(error)}` };
}
