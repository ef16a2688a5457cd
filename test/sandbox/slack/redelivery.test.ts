import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../sandbox/slack/server.ts';
import { ManualClock } from '../manual-clock.ts';
import {
  APP_TOKEN,
  type AppRequest,
  SIGNING_SECRET,
  startBluntApp,
  startTestWorkspace,
} from './test-workspace.ts';
import { call, no, openSocket } from './web-client.ts';

/*
 * What an app that fails is told again, and what Slack tells without being asked.
 * Sources: https://docs.slack.dev/apis/events-api (retries, rate limiting), https://docs.slack.dev/reference/events/url_verification,
 * and the captured envelopes of https://github.com/slackapi/python-slack-sdk/tree/main/tests/slack_sdk/socket_mode.
 */

const MINUTE_MS = 60_000;
let workspace: Workspace;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  workspace = await startTestWorkspace({ clock, ackTimeoutMs: 500 });
});
afterEach(() => workspace.close());

const say = (text: string) => workspace.act({ type: 'post', as: 'U0ASHA', channel: 'C0TEAM', text });
const ask = () =>
  workspace.act({ type: 'command', as: 'U0ASHA', channel: 'C0TEAM', command: '/ask', text: 'x' });
const toHttp = (url: string) => workspace.setDelivery({ mode: 'http', url, signingSecret: SIGNING_SECRET });
const retryOf = ({ headers }: AppRequest) => [headers['x-slack-retry-num'], headers['x-slack-retry-reason']];
const signatureOf = ({ headers, body }: AppRequest) =>
  `v0=${createHmac('sha256', SIGNING_SECRET)
    .update(`v0:${headers['x-slack-request-timestamp']}:${body}`)
    .digest('hex')}`;

describe('by HTTP', () => {
  it('an event that is answered 500 comes again at once, after a minute and after five more, signed anew', async () => {
    const app = await startBluntApp(500);
    toHttp(app.url);
    await say('hello');
    await expect.poll(() => clock.waiting).toBe(1);
    clock.advance(MINUTE_MS);
    await expect.poll(() => clock.waiting).toBe(1);
    expect(app.requests).toHaveLength(3);
    clock.advance(5 * MINUTE_MS);
    await expect.poll(() => app.requests.length).toBe(4);
    expect(app.requests.map(retryOf)).toEqual([
      [undefined, undefined],
      ['1', 'http_error'],
      ['2', 'http_error'],
      ['3', 'http_error'],
    ]);
    expect(new Set(app.requests.map(({ body }) => body)).size).toBe(1);
    const [first, ...again] = app.requests.map(({ headers }) => Number(headers['x-slack-request-timestamp']));
    expect(again.map((at) => at - (first ?? 0))).toEqual([0, 60, 360]);
    for (const request of app.requests)
      expect(request.headers['x-slack-signature']).toBe(signatureOf(request));
    expect(clock.waiting).toBe(0);
    await app.close();
  });

  it('an event that is taken the second time does not come a third time', async () => {
    const app = await startBluntApp(({ headers }) => ({
      status: headers['x-slack-retry-num'] === undefined ? 503 : 202,
    }));
    toHttp(app.url);
    await say('hello');
    await expect.poll(() => app.requests.length).toBe(2);
    await say('another');
    await expect.poll(() => app.requests.length).toBe(4);
    expect(clock.waiting).toBe(0);
    await app.close();
  });

  it('an app that answers x-slack-no-retry is not told again, and clicks and commands never are', async () => {
    const app = await startBluntApp(() => ({ status: 500, headers: { 'x-slack-no-retry': '1' } }));
    toHttp(app.url);
    await say('hello');
    await expect.poll(() => app.requests.length).toBe(1);
    await app.close();
    const other = await startBluntApp(500);
    toHttp(other.url);
    await ask();
    expect(other.requests).toHaveLength(1);
    expect(clock.waiting).toBe(0);
    await other.close();
  });

  it('an app that is not there is told when it is', async () => {
    toHttp('http://127.0.0.1:1/slack/events');
    await say('hello');
    await expect.poll(() => clock.waiting).toBe(1);
    const app = await startBluntApp(200);
    toHttp(app.url);
    clock.advance(MINUTE_MS);
    await expect.poll(() => app.requests.map(retryOf)).toEqual([['2', 'connection_failed']]);
    await app.close();
  });
});

describe('Socket Mode', () => {
  it('an event that nobody acknowledges comes again in an envelope of its own', async () => {
    const socket = await openSocket(workspace, ({ retry_attempt: retry }) => (retry === 1 ? {} : undefined));
    await say('hello');
    await expect.poll(() => socket.envelopes.length).toBe(2);
    const [first, second] = socket.envelopes;
    expect([first?.retry_attempt, first?.retry_reason]).toEqual([0, '']);
    expect([second?.retry_attempt, second?.retry_reason]).toEqual([1, 'timeout']);
    expect(second?.envelope_id).not.toBe(first?.envelope_id);
    expect(second?.payload).toEqual(first?.payload);
    expect(clock.waiting).toBe(0);
  });

  it('what happened while no socket was open is told to the next', async () => {
    await say('hello');
    await expect.poll(() => clock.waiting).toBe(1);
    const socket = await openSocket(workspace);
    clock.advance(MINUTE_MS);
    await expect.poll(() => socket.envelopes.map((one) => one.retry_attempt)).toEqual([2]);
  });

  it('the eleventh socket is turned away with a word', async () => {
    const sockets = await Promise.all(Array.from({ length: 10 }, () => openSocket(workspace)));
    const { url } = await call(workspace, 'apps.connections.open', {}, APP_TOKEN);
    const eleventh = new WebSocket(String(url));
    const said: unknown[] = [];
    eleventh.addEventListener('message', ({ data }) => said.push(JSON.parse(String(data))));
    await new Promise((resolve) => eleventh.addEventListener('close', resolve));
    expect(said).toEqual([
      { type: 'disconnect', reason: 'too_many_websockets', debug_info: { host: 'applink-sandbox' } },
    ]);
    for (const socket of sockets) socket.close();
  });

  it('turned off, it closes its sockets at once, greets new ones and tells them nothing', async () => {
    const socket = await openSocket(workspace);
    workspace.setSocketMode(false);
    await expect
      .poll(() => socket.control.at(-1))
      .toEqual({ type: 'disconnect', reason: 'link_disabled', debug_info: { host: 'applink-sandbox' } });
    expect(await call(workspace, 'apps.connections.open', {}, APP_TOKEN)).toMatchObject({
      ok: true,
      response_metadata: { messages: ['[WARN] Socket Mode is not turned on.'] },
    });
    const next = await openSocket(workspace);
    expect(await ask()).toMatchObject(no('app_not_connected'));
    workspace.setSocketMode(true);
    expect(await ask()).toEqual({ ok: true });
    expect(next.envelopes).toHaveLength(1);
    expect(await call(workspace, 'apps.connections.open', {}, APP_TOKEN)).not.toHaveProperty(
      'response_metadata',
    );
  });
});

describe('what Slack says by itself', () => {
  it('that it drops events, on either way', async () => {
    const notice = {
      token: 'sandbox-verification-token',
      type: 'app_rate_limited',
      team_id: 'T0ACME',
      minute_rate_limited: Math.floor(clock.now() / MINUTE_MS) * 60,
      api_app_id: 'A0HERALD',
    };
    const socket = await openSocket(workspace);
    expect(await workspace.tellRateLimited()).toMatchObject({ ok: true });
    expect(socket.envelopes).toMatchObject([{ type: 'events_api', payload: notice }]);
    socket.close();
    const app = await startBluntApp(200);
    toHttp(app.url);
    expect(await workspace.tellRateLimited()).toMatchObject({ ok: true });
    expect(app.requests.map(({ body }) => JSON.parse(body))).toEqual([notice]);
    await app.close();
  });

  it.each<[string, (challenge: string) => { headers?: Record<string, string>; body: string }, boolean]>([
    ['text', (challenge) => ({ body: challenge }), true],
    ['a form', (challenge) => ({ body: `challenge=${challenge}` }), true],
    [
      'JSON',
      (challenge) => ({
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ challenge }),
      }),
      true,
    ],
    ['something else', () => ({ body: 'ok' }), false],
  ])('that the request URL is to answer its challenge: %s', async (_name, answer, isVerified) => {
    const app = await startBluntApp(({ body }) => {
      const { type, challenge } = JSON.parse(body);
      return { status: type === 'url_verification' ? 200 : 400, ...answer(challenge) };
    });
    toHttp(app.url);
    expect((await workspace.verifyRequestUrl()).ok).toBe(isVerified);
    expect(app.requests[0]?.headers['x-slack-signature']).toBe(signatureOf(app.requests[0] as AppRequest));
    await app.close();
  });

  it('nothing of the kind to an app on Socket Mode', async () => {
    expect(await workspace.verifyRequestUrl()).toMatchObject(no('dispatch_failed'));
  });
});
