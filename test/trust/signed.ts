import { createHmac } from 'node:crypto';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';

/* Requests as Slack signs them, and as somebody else might. */

export const SECRET = SANDBOX_CREDENTIALS.signingSecret;
export const FORM = 'application/x-www-form-urlencoded';
export const JSON_TYPE = 'application/json';

export interface Signed {
  readonly type: string;
  readonly body: string;
  readonly headers: OutgoingHttpHeaders;
}

/** In seconds since the epoch. */
export const now = () => Math.floor(Date.now() / 1_000);
export const hmac = (text: string, secret: string = SECRET) => createHmac('sha256', secret).update(text);

export function headersOf(signature?: string, timestamp?: string): OutgoingHttpHeaders {
  return {
    ...(signature !== undefined && { 'x-slack-signature': signature }),
    ...(timestamp !== undefined && { 'x-slack-request-timestamp': timestamp }),
  };
}

export function sign(body: string, type = FORM, timestamp = String(now())): Signed {
  const headers = headersOf(`v0=${hmac(`v0:${timestamp}:${body}`).digest('hex')}`, timestamp);
  return { type, body, headers };
}

/** @returns the status and the body of the answer */
export function postSigned(heraldUrl: string, { type, body, headers }: Signed): Promise<string> {
  return new Promise((resolve, reject) => {
    const to = `${heraldUrl}/slack/events`;
    const asked = request(to, { method: 'POST', headers: { 'content-type': type, ...headers } }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve(`${answer.statusCode} ${text}`.trim()));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
