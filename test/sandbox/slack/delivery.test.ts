import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../sandbox/slack/server.ts';
import { ManualClock } from '../manual-clock.ts';
import { BOT_TOKEN, SIGNING_SECRET, startBluntApp, startTestWorkspace } from './test-workspace.ts';
import { call, no, openSocket } from './web-client.ts';

let workspace: Workspace;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  workspace = await startTestWorkspace({ clock, ackTimeoutMs: 150 });
});
afterEach(() => workspace.close());

const ask = () =>
  workspace.act({ type: 'command', as: 'U0ASHA', channel: 'C0TEAM', command: '/ask', text: 'a b' });
const toHttp = (url: string) => workspace.setDelivery({ mode: 'http', url, signingSecret: SIGNING_SECRET });

describe('without an acknowledgement', () => {
  it('an app that is not there', async () => {
    expect(await ask()).toMatchObject(no('app_not_connected'));
    expect(workspace.snapshot().appConnected).toBe(false);
  });

  it('an app that says nothing', async () => {
    const socket = await openSocket(workspace, () => undefined);
    expect(await ask()).toMatchObject(no('operation_timeout'));
    expect(socket.envelopes.length).toBe(1);
  });

  it.each([404, 500])('an app that answers %i', async (status) => {
    const app = await startBluntApp(status);
    toHttp(app.url);
    expect(await ask()).toEqual({
      ok: false,
      error: 'dispatch_failed',
      message: `/ask failed with the error "dispatch_failed". The app answered with HTTP ${status}.`,
    });
    await app.close();
    expect(await ask()).toMatchObject(no('app_not_connected'));
  });
});

it('knows only the commands of the manifest, and only members may use them', async () => {
  const command = { type: 'command' as const, as: 'U0ASHA', channel: 'C0TEAM', command: '/other', text: '' };
  expect(await workspace.act(command)).toEqual({
    ok: false,
    error: 'unknown_command',
    message: '/other is not a valid command.',
  });
  const elsewhere = { ...command, as: 'U0GUEST', channel: 'C0ALERTS', command: '/ask' };
  expect(await workspace.act(elsewhere)).toEqual(no('not_in_channel'));
});

describe('Socket Mode', () => {
  it('lets a ticket in once', async () => {
    const socket = await openSocket(workspace);
    expect(socket.control).toMatchObject([{ type: 'hello', num_connections: 1 }]);
    const response = await fetch(`${workspace.origin}/socket?ticket=made-up`, {
      headers: { connection: 'close' },
    });
    expect(response.status).toBe(404);
    await expect(
      new Promise((_, reject) => {
        const stranger = new WebSocket(`${workspace.origin.replace('http', 'ws')}/socket?ticket=made-up`);
        stranger.addEventListener('error', () => reject(new Error('refused')));
      }),
    ).rejects.toThrow('refused');
  });

  it('gives each envelope to one socket, in turn', async () => {
    const first = await openSocket(workspace);
    const second = await openSocket(workspace);
    for (let count = 0; count < 4; count += 1) expect(await ask()).toEqual({ ok: true });
    expect([first.envelopes.length, second.envelopes.length]).toEqual([2, 2]);
  });

  it('sends a command as Slack does', async () => {
    const socket = await openSocket(workspace);
    await ask();
    const [envelope] = socket.envelopes;
    const { response_url: responseUrl, trigger_id: triggerId, ...payload } = envelope?.payload ?? {};
    expect({ ...envelope, envelope_id: '', payload }).toEqual({
      envelope_id: '',
      type: 'slash_commands',
      accepts_response_payload: true,
      payload: {
        ...{ token: 'sandbox-verification-token', api_app_id: 'A0HERALD', is_enterprise_install: 'false' },
        ...{ team_id: 'T0ACME', team_domain: 'acme', channel_id: 'C0TEAM', channel_name: 'team' },
        ...{ user_id: 'U0ASHA', user_name: 'asha', command: '/ask', text: 'a b' },
      },
    });
    expect(String(responseUrl)).toMatch(new RegExp(`^${workspace.origin}/response/[\\w-]{20,}$`));
    expect(String(triggerId)).toMatch(/^\d+\.\d+\.T0ACME\.[0-9a-f]{32}$/);
  });

  it('tells of webhooks’ messages by their bot alone, and of a shared channel where the app is installed', async () => {
    const socket = await openSocket(workspace);
    const act = { type: 'app_post', appId: 'A0GRAFANA', channel: 'C0ALERTS', text: 'disk full' } as const;
    await workspace.act(act);
    await workspace.act({ ...act, team: 'T0PARTNER' });
    await expect.poll(() => socket.envelopes.length).toBe(2);
    const [own, shared] = socket.envelopes.map((envelope) => envelope.payload as Record<string, unknown>);
    const said = {
      ...{ type: 'message', subtype: 'bot_message', bot_id: 'B0GRAFANA', username: 'Grafana' },
      ...{ text: 'disk full', ts: expect.any(String), event_ts: expect.any(String) },
      ...{ channel: 'C0ALERTS', channel_type: 'channel' },
    };
    const authorizations = [expect.objectContaining({ team_id: 'T0ACME', is_enterprise_install: false })];
    expect(own).toMatchObject({ team_id: 'T0ACME', is_ext_shared_channel: false, authorizations });
    expect(shared).toMatchObject({ team_id: 'T0PARTNER', is_ext_shared_channel: true, authorizations });
    expect([own?.event, shared?.event]).toEqual([said, said]);
  });

  it('can deliver an envelope twice', async () => {
    const socket = await openSocket(workspace);
    workspace.setFaults({ faults: [{ on: 'delivery', times: 1, do: 'duplicate' }] });
    await ask();
    await ask();
    await expect.poll(() => socket.envelopes.length).toBe(3);
    const ids = socket.envelopes.map((envelope) => envelope.envelope_id);
    expect([ids[0] === ids[1], ids[1] === ids[2]]).toEqual([true, false]);
  });

  it('can tell the app to reconnect', async () => {
    const socket = await openSocket(workspace);
    workspace.setFaults({ faults: [{ on: 'socket', times: 1, do: 'disconnect' }] });
    await expect.poll(() => socket.control).toMatchObject([{ type: 'hello' }, { type: 'disconnect' }]);
  });
});

describe('HTTP', () => {
  it('signs what it sends, and can send it twice', async () => {
    const received: { headers: Record<string, unknown>; body: string }[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    toHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`);
    workspace.setFaults({ faults: [{ on: 'delivery', times: 1, do: 'duplicate' }] });
    expect(await ask()).toEqual({ ok: true });
    const [first, second] = received;
    expect(second).toEqual(first);
    const timestamp = String(clock.now() / 1000);
    const hmac = createHmac('sha256', SIGNING_SECRET).update(`v0:${timestamp}:${first?.body}`).digest('hex');
    expect([first?.headers['x-slack-request-timestamp'], first?.headers['x-slack-signature']]).toEqual([
      timestamp,
      `v0=${hmac}`,
    ]);
    expect(new URLSearchParams(first?.body).get('text')).toBe('a b');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('response_url', () => {
  const responseUrl = async () => {
    const socket = await openSocket(workspace);
    await ask();
    socket.close();
    return String(socket.envelopes[0]?.payload.response_url);
  };
  const respond = async (url: string, body: unknown) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };

  it('works five times', async () => {
    const url = await responseUrl();
    for (let count = 1; count <= 5; count += 1) {
      expect(await respond(url, { text: `${count}` })).toEqual({ status: 200, body: { ok: true } });
    }
    expect(await respond(url, { text: '6' })).toEqual({ status: 404, body: no('used_url') });
    const shown = workspace.snapshot().messages.map((message) => [message.text, message.ephemeralFor]);
    expect(shown).toEqual(['1', '2', '3', '4', '5'].map((text) => [text, 'U0ASHA']));
  });

  it('works for half an hour', async () => {
    const url = await responseUrl();
    clock.advance(30 * 60 * 1000);
    expect((await respond(url, { text: 'in time' })).status).toBe(200);
    clock.advance(1);
    expect(await respond(url, { text: 'late' })).toEqual({
      status: 404,
      body: no('expired_url'),
    });
    expect(await respond(`${workspace.origin}/response/made-up`, { text: 'x' })).toEqual({
      status: 404,
      body: no('invalid_url'),
    });
  });

  it('replaces what was clicked, which cannot be clicked again, and says what is for all to all', async () => {
    const socket = await openSocket(workspace);
    const elements = [{ type: 'button', action_id: 'done', text: { type: 'plain_text', text: 'Done' } }];
    const blocks = [{ type: 'actions', block_id: 'do', elements }];
    const { ts } = await call(workspace, 'chat.postMessage', { channel: 'C0TEAM', text: 'x', blocks });
    const container = { type: 'message', channel: 'C0TEAM', ts: String(ts) } as const;
    const element = { container, blockId: 'do', actionId: 'done', value: {} };
    const click = () => workspace.act({ type: 'block_action', as: 'U0RAVI', ...element });
    expect(await click()).toEqual({ ok: true });
    const url = String(socket.envelopes.at(-1)?.payload.response_url);
    await respond(url, { replace_original: true, text: 'Done.' });
    await respond(url, { response_type: 'in_channel', text: 'For all.' });
    const { messages } = workspace.snapshot();
    expect(messages.map(({ text, ephemeralFor }) => [text, ephemeralFor])).toEqual([
      ['Done.', undefined],
      ['For all.', undefined],
    ]);
    expect(await click()).toMatchObject(no('not_found'));
  });

  it('refuses what Slack would not show', async () => {
    const answer = await respond(await responseUrl(), { text: 't', blocks: [{ type: 'banner' }] });
    expect(answer).toEqual({
      status: 400,
      body: {
        ok: false,
        error: 'invalid_blocks',
        response_metadata: { messages: ['[ERROR] unsupported type: banner [json-pointer:/blocks/0]'] },
      },
    });
  });
});

describe('faults of the Web API', () => {
  const post = () => call(workspace, 'chat.postMessage', { channel: 'C0TEAM', text: 'once' });
  const texts = () => workspace.snapshot().messages.map((message) => message.text);
  const fault = { on: 'api' as const, method: 'chat.postMessage', times: 1 };

  it('rate limits', async () => {
    workspace.setFaults({ faults: [{ ...fault, do: 'rate_limit', retryAfterSeconds: 7 }] });
    const response = await fetch(`${workspace.apiUrl}chat.postMessage`, { method: 'POST' });
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
      429,
      '7',
      no('ratelimited'),
    ]);
    expect(await post()).toMatchObject({ ok: true });
    expect(texts()).toEqual(['once']);
  });

  it('errors, without doing anything', async () => {
    workspace.setFaults({ faults: [{ ...fault, do: 'error', error: 'fatal_error' }] });
    expect(await post()).toEqual(no('fatal_error'));
    expect(texts()).toEqual([]);
  });

  it('loses an answer after the work is done', async () => {
    workspace.setFaults({ faults: [{ ...fault, do: 'drop_answer' }] });
    await expect(post()).rejects.toThrow('fetch failed');
    expect(texts()).toEqual(['once']);
  });

  it('hangs', async () => {
    workspace.setFaults({ faults: [{ ...fault, method: '*', do: 'hang' }] });
    const signal = AbortSignal.timeout(100);
    const headers = { authorization: `Bearer ${BOT_TOKEN}` };
    const body = new URLSearchParams({ channel: 'C0TEAM', text: 'never' });
    const url = `${workspace.apiUrl}chat.postMessage`;
    await expect(fetch(url, { method: 'POST', headers, body, signal })).rejects.toThrow('timeout');
    expect(texts()).toEqual([]);
  });
});
