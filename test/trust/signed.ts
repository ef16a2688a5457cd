import { createHmac, randomUUID } from 'node:crypto';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { SANDBOX_CREDENTIALS } from '../../sandbox/herald-environment.ts';
import { ASHA } from '../e2e/team.ts';
import { requestOf } from './forged.ts';

/* Requests as Slack signs them, and as somebody else might. */

export const SECRET = SANDBOX_CREDENTIALS.signingSecret;
export const FORM = 'application/x-www-form-urlencoded';
export const JSON_TYPE = 'application/json';

export interface Signed {
  readonly type: string;
  readonly body: string;
  readonly headers: OutgoingHttpHeaders;
}

/**
 * How far Slack's clock, as Herald knows it, can be behind: Slack dates its answers in whole seconds, and a busy server takes
 * the same date for a little longer. A time stamp that is too old by less can pass.
 */
export const CLOCK_OF_SLACK_S = 5;

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

/** A command of Asha's in the team's channel. @param origin of the workspace */
export function commandBody(origin: string, command: string, text: string, more: object = {}): string {
  const { payload } = requestOf(origin, `command:${command}`, { userId: ASHA }, { text });
  return new URLSearchParams({ ...payload, ...more } as Record<string, string>).toString();
}

let events = 0;
/** That Asha has posted a text. @param more what stands in the place of what Slack says around it */
export function messageEvent(channel: string, text: string, more: object = ofThisWorkspace) {
  events += 1;
  const ts = `${now()}.${String(events).padStart(6, '0')}`;
  return {
    ...{ type: 'event_callback', api_app_id: 'A0HERALD', event_id: `Ev${randomUUID()}`, event_time: now() },
    event: { type: 'message', user: ASHA, channel, text, ts, event_ts: ts },
    ...more,
  };
}
const ofThisWorkspace = {
  team_id: 'T0ACME',
  authorizations: [{ team_id: 'T0ACME', is_enterprise_install: false }],
};

/** @returns the status and the body of the answer */
export function postSigned(heraldUrl: string, { type, body, headers }: Signed): Promise<string> {
  return new Promise((resolve, reject) => {
    const how = { method: 'POST', headers: { 'content-type': type, ...headers } };
    const asked = request(`${heraldUrl}/slack/events`, how, (answer) => {
      text(answer).then((said) => resolve(`${answer.statusCode} ${said}`.trim()), reject);
    });
    asked.on('error', reject).end(body);
  });
}
