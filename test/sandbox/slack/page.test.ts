import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PageEvent, SlackFile } from '../../../sandbox/protocol.ts';
import type { Workspace } from '../../../sandbox/slack/server.ts';
import { BOT_TOKEN, startTestWorkspace } from './test-workspace.ts';
import { call, no, openSocket } from './web-client.ts';

let folder: string;
let workspace: Workspace;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-page-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Sandbox</title>');
  await writeFile(join(folder, 'app.ts'), 'const greeting: string = "hi";\nexport { greeting };\n');
  workspace = await startTestWorkspace({ uiDir: folder, phones: [{ number: '+6591234567', name: 'Mei' }] });
});
afterEach(async () => {
  await workspace.close();
  await rm(folder, { recursive: true });
});

/** A GET whose path goes out as it is written, dots and all. */
function rawGet(path: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  const { hostname, port } = new URL(workspace.origin);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

describe('the page', () => {
  it('is served with its types stripped', async () => {
    const index = await fetch(workspace.origin);
    expect([index.headers.get('content-type'), await index.text()]).toEqual([
      'text/html; charset=utf-8',
      '<!doctype html><title>Sandbox</title>',
    ]);
    const module = await fetch(`${workspace.origin}/ui/app.ts`);
    const source = await module.text();
    expect([module.headers.get('content-type'), source.replace(/\s+/g, ' ')]).toEqual([
      'text/javascript; charset=utf-8',
      'const greeting = "hi"; export { greeting }; ',
    ]);
  });

  it.each(['preact', 'preact-hooks', 'htm'])('brings %s', async (name) => {
    const response = await fetch(`${workspace.origin}/vendor/${name}.js`);
    expect([response.status, (await response.text()).includes('export')]).toEqual([200, true]);
  });

  it.each([
    '/ui/../protocol.ts',
    '/ui/%2e%2e/app.ts',
    '/ui/..%2fapp.ts',
    '/ui/',
    '/ui/none.ts',
    '/vendor/ws.js',
    '/ui/%',
  ])('does not serve %s', async (path) => expect(await rawGet(path)).toBe(404));
});

describe('/page', () => {
  it('tells where everything is', async () => {
    const response = await fetch(`${workspace.origin}/page/bootstrap`);
    expect(await response.json()).toEqual({
      team: { id: 'T0ACME', name: 'Acme', domain: 'acme' },
      carrierUrl: 'http://127.0.0.1:1',
      defaultUserId: 'U0ASHA',
      phones: [{ number: '+6591234567', name: 'Mei' }],
      app: { id: 'A0HERALD', name: 'Testling', botUserId: 'U0HERALD' },
    });
  });

  it.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.example' }],
    ['a page without origin', { origin: 'null' }],
    ['another host name', { host: 'evil.example' }],
    ['a cross-site load', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s', async (_, headers) => {
    expect(await rawGet('/page/bootstrap', headers)).toBe(403);
  });

  it('takes its own origin', async () => {
    expect(await rawGet('/page/bootstrap', { origin: workspace.origin })).toBe(200);
  });

  it('carries out acts, and says what is wrong with others', async () => {
    const act = async (body: unknown) => {
      const response = await fetch(`${workspace.origin}/page/act`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    expect(await act({ type: 'post', as: 'U0ASHA', channel: 'C0TEAM', text: 'hello' })).toEqual({
      status: 200,
      body: { ok: true },
    });
    expect(await act({ type: 'post', as: 'U0NONE', channel: 'C0TEAM', text: 'hello' })).toEqual({
      status: 200,
      body: no('user_not_found'),
    });
    expect(await act({ type: 'dance' })).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(workspace.snapshot().messages.map((message) => message.text)).toEqual(['hello']);
  });

  it('streams a snapshot, then every change', async () => {
    const response = await fetch(`${workspace.origin}/page/events`);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const next = async (): Promise<PageEvent> => {
      while (!text.includes('\n\n')) text += (await reader?.read())?.value ?? '';
      const [line = '', ...rest] = text.split('\n\n');
      text = rest.join('\n\n');
      return JSON.parse(line.replace(/^data: /, '')) as PageEvent;
    };
    expect(await next()).toEqual({ type: 'snapshot', snapshot: workspace.snapshot() });
    await workspace.act({ type: 'post', as: 'U0ASHA', channel: 'C0TEAM', text: 'hello' });
    const [message] = workspace.snapshot().messages;
    expect(await next()).toEqual({ type: 'message', message });
    await reader?.cancel();
  });

  it('takes a file, which a form hands to the app whole', async () => {
    const sent = await fetch(`${workspace.origin}/page/upload?as=U0ASHA&name=people.csv`, {
      method: 'POST',
      body: 'number\n+6591234567\n',
    });
    const { file } = (await sent.json()) as { file: SlackFile };
    const socket = await openSocket(workspace);
    await workspace.act({ type: 'shortcut', as: 'U0ASHA', callbackId: 'ask_now' });
    const blocks = [
      {
        type: 'input',
        block_id: 'file',
        label: { type: 'plain_text', text: 'File' },
        element: { type: 'file_input', action_id: 'value' },
      },
    ];
    const title = { type: 'plain_text', text: 'Files' };
    const view = { type: 'modal', callback_id: 'files', title, submit: title, blocks };
    await call(workspace, 'views.open', { trigger_id: socket.envelopes[0]?.payload.trigger_id, view });
    const viewId = workspace.snapshot().viewStacks.U0ASHA?.[0]?.id ?? '';
    const state = { file: { value: { type: 'file_input', files: [{ id: file.id }] } } };
    expect(await workspace.act({ type: 'view_submission', as: 'U0ASHA', viewId, state })).toEqual({
      ok: true,
    });
    expect(socket.envelopes.at(-1)?.payload.view).toMatchObject({
      state: {
        values: {
          file: { value: { files: [{ id: file.id, name: 'people.csv', filetype: 'csv', size: 19 }] } },
        },
      },
    });
    const read = await fetch(file.url_private_download, {
      headers: { authorization: `Bearer ${BOT_TOKEN}` },
    });
    expect(await read.text()).toBe('number\n+6591234567\n');
  });
});
