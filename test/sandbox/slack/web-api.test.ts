import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { webApi } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../sandbox/slack/server.ts';
import { APP_TOKEN, BOT_TOKEN, startTestWorkspace } from './test-workspace.ts';
import { call, no } from './web-client.ts';

let workspace: Workspace;
beforeEach(async () => {
  workspace = await startTestWorkspace();
});
afterEach(() => workspace.close());

const post = (args: Record<string, unknown>) => call(workspace, 'chat.postMessage', args);
const TEAM_CHANNEL = { channel: 'C0TEAM' };

describe('tokens', () => {
  it.each([
    ['none', null, 'not_authed'],
    ['a wrong one', 'xoxb-wrong', 'invalid_auth'],
    ['the app-level one', APP_TOKEN, 'not_allowed_token_type'],
  ])('%s is refused', async (_, token, error) => {
    expect(await call(workspace, 'auth.test', {}, token)).toEqual({ ok: false, error });
  });

  it('may stand in the body', async () => {
    expect(await call(workspace, 'auth.test', { token: BOT_TOKEN }, null)).toMatchObject({
      ok: true,
      user_id: 'U0HERALD',
      bot_id: 'B0HERALD',
      team_id: 'T0ACME',
    });
  });

  it('need the scope of the method', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
    const manifestPath = join(folder, 'manifest.yml');
    await writeFile(
      manifestPath,
      'display_information: {name: Bare}\noauth_config: {scopes: {bot: [commands]}}\n',
    );
    const bare = await startTestWorkspace({ manifestPath });
    expect(await call(bare, 'users.info', { user: 'U0ASHA' })).toEqual({
      ok: false,
      error: 'missing_scope',
      needed: 'users:read',
      provided: 'commands',
    });
    await bare.close();
    await rm(folder, { recursive: true });
  });
});

it('does not know other methods', async () => {
  expect(await call(workspace, 'chat.shout')).toEqual({
    ok: false,
    error: 'unknown_method',
    req_method: 'chat.shout',
  });
});

it('reads JSON bodies as well as forms', async () => {
  const response = await fetch(`${workspace.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${BOT_TOKEN}`, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ ...TEAM_CHANNEL, text: 'by JSON', blocks: [{ type: 'divider', block_id: 'd' }] }),
  });
  expect(await response.json()).toMatchObject({
    ok: true,
    message: { text: 'by JSON', blocks: [{ type: 'divider', block_id: 'd' }] },
  });
});

describe('messages', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['no text', TEAM_CHANNEL, 'no_text'],
    ['a text of blanks', { ...TEAM_CHANNEL, text: '  ' }, 'no_text'],
    ['attachments with nothing in them', { ...TEAM_CHANNEL, attachments: [{}] }, 'no_text'],
    ['an unknown channel', { channel: 'C0NONE', text: 'x' }, 'channel_not_found'],
    ['a private channel without the bot', { channel: 'C0PRIVATE', text: 'x' }, 'channel_not_found'],
    ['too much text', { ...TEAM_CHANNEL, text: 'x'.repeat(40_001) }, 'msg_too_long'],
    ['a thread on nothing', { ...TEAM_CHANNEL, text: 'x', thread_ts: '1.000001' }, 'cannot_reply_to_message'],
    ['no channel', { text: 'x' }, 'invalid_arguments'],
  ])('%s is refused', async (_, args, error) => {
    expect(await post(args)).toMatchObject({ ok: false, error });
    expect(workspace.snapshot().messages).toEqual([]);
  });

  it('says what is wrong with blocks, as Slack does', async () => {
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3001) } }];
    const problem = 'must be less than 3001 characters [json-pointer:/blocks/0/text/text]';
    expect(await post({ ...TEAM_CHANNEL, text: 't', blocks })).toEqual({
      ok: false,
      error: 'invalid_blocks',
      errors: [problem],
      response_metadata: { messages: [`[ERROR] ${problem}`] },
    });
  });

  it('gives every message its own, growing time stamp', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => post({ ...TEAM_CHANNEL, text: `${index}` })),
    );
    const stamps = answers.map((answer) => String(answer.ts));
    expect(new Set(stamps).size).toBe(10);
    expect(stamps.every((ts) => /^\d{10}\.\d{6}$/.test(ts))).toBe(true);
  });

  it('updates and deletes the app’s own, and no other', async () => {
    await workspace.act({ type: 'post', as: 'U0ASHA', channel: 'C0TEAM', text: 'mine' });
    const [theirs] = workspace.snapshot().messages;
    const foreign = { ...TEAM_CHANNEL, ts: theirs?.ts ?? '' };
    const { ts } = await post({ ...TEAM_CHANNEL, text: 'before', blocks: [{ type: 'divider' }] });
    const update = (args: Record<string, unknown>) =>
      call(workspace, 'chat.update', { ...TEAM_CHANNEL, ...args });
    expect(await update({ ...foreign, text: 'x' })).toEqual(no('cant_update_message'));
    expect(await update({ ts: '1.000001', text: 'x' })).toEqual(no('message_not_found'));
    expect(await update({ ts, text: 'x'.repeat(4001) })).toEqual(no('msg_too_long'));
    expect(await update({ ts, text: 'after' })).toMatchObject({ ok: true, ts, text: 'after' });
    const updated = workspace.snapshot().messages.find((message) => message.ts === ts);
    expect([updated?.text, updated?.blocks, typeof updated?.edited?.ts]).toEqual([
      'after',
      undefined,
      'string',
    ]);
    expect(await call(workspace, 'chat.delete', foreign)).toEqual(no('cant_delete_message'));
    expect(await call(workspace, 'chat.delete', { ...TEAM_CHANNEL, ts })).toMatchObject({ ok: true });
    expect(workspace.snapshot().messages.map((message) => message.text)).toEqual(['mine']);
  });

  it('keeps threads and history apart, and ephemeral messages out of both', async () => {
    const root = await post({ ...TEAM_CHANNEL, text: 'root' });
    await post({ ...TEAM_CHANNEL, text: 'reply', thread_ts: root.ts });
    const whisper = { ...TEAM_CHANNEL, user: 'U0ASHA', text: 'psst' };
    const { message_ts: ephemeralTs } = await call(workspace, 'chat.postEphemeral', whisper);
    const history = await call(workspace, 'conversations.history', TEAM_CHANNEL);
    expect(history.messages).toMatchObject([{ text: 'root', reply_count: 1, thread_ts: root.ts }]);
    const thread = await call(workspace, 'conversations.replies', { ...TEAM_CHANNEL, ts: root.ts });
    expect(thread.messages).toMatchObject([{ text: 'root' }, { text: 'reply', thread_ts: root.ts }]);
    expect(await call(workspace, 'chat.update', { ...TEAM_CHANNEL, ts: ephemeralTs, text: 'x' })).toEqual(
      no('message_not_found'),
    );
    expect(
      await call(workspace, 'chat.postEphemeral', { ...whisper, channel: 'C0ALERTS', user: 'U0GUEST' }),
    ).toEqual(no('user_not_in_channel'));
  });

  it('pages through history', async () => {
    for (const text of ['a', 'b', 'c']) await post({ ...TEAM_CHANNEL, text });
    const client = new webApi.WebClient(BOT_TOKEN, { slackApiUrl: workspace.apiUrl });
    const texts: unknown[] = [];
    for await (const page of client.paginate('conversations.history', { ...TEAM_CHANNEL, limit: 2 })) {
      const { messages } = page as unknown as { messages: { text?: string }[] };
      texts.push(messages.map((message) => message.text));
    }
    expect(texts).toEqual([['c', 'b'], ['a']]);
    expect(await call(workspace, 'conversations.history', { ...TEAM_CHANNEL, cursor: 'nonsense' })).toEqual(
      no('invalid_cursor'),
    );
  });

  it('reaches a person by their id', async () => {
    expect(await call(workspace, 'conversations.open', { users: 'U0MEI' })).toMatchObject({
      ok: true,
      channel: { id: 'D0MEI' },
    });
    expect(await post({ channel: 'U0MEI', text: 'hello' })).toMatchObject({ ok: true, channel: 'D0MEI' });
  });
});

describe('people', () => {
  it('tells users, groups and bots', async () => {
    expect(await call(workspace, 'users.info', { user: 'U0GUEST' })).toMatchObject({
      user: { id: 'U0GUEST', is_restricted: true, is_bot: false, tz: 'Europe/London' },
    });
    expect(await call(workspace, 'users.info', { user: 'U0NONE' })).toEqual(no('user_not_found'));
    expect(await call(workspace, 'usergroups.users.list', { usergroup: 'S0MANAGERS' })).toEqual({
      ok: true,
      users: ['U0RAVI', 'U0MEI'],
    });
    expect(await call(workspace, 'usergroups.users.list', { usergroup: 'S0NONE' })).toEqual(
      no('no_such_subteam'),
    );
    expect(await call(workspace, 'bots.info', { bot: 'B0GRAFANA' })).toMatchObject({
      bot: { app_id: 'A0GRAFANA', name: 'Grafana' },
    });
  });

  it('tells the channels the bot may see, by type', async () => {
    const list = await call(workspace, 'conversations.list', { types: 'public_channel,private_channel' });
    expect((list.channels as { id: string }[]).map((channel) => channel.id)).toEqual([
      'C0TEAM',
      'C0APPROVALS',
      'C0ALERTS',
    ]);
    expect(await call(workspace, 'conversations.info', { channel: 'C0PRIVATE' })).toEqual(
      no('channel_not_found'),
    );
  });
});

describe('files', () => {
  it('takes an upload from Slack’s own client, shares it, and gives the bytes back to the bot only', async () => {
    const client = new webApi.WebClient(BOT_TOKEN, { slackApiUrl: workspace.apiUrl });
    const file = Buffer.from('number,name\n+6591234567,Mei\n');
    const upload = { channel_id: 'C0TEAM', file, filename: 'résumé.csv', initial_comment: 'The rows' };
    expect(await client.files.uploadV2(upload)).toMatchObject({ ok: true });
    const [message] = workspace.snapshot().messages;
    const [stored] = message?.files ?? [];
    expect([message?.text, stored?.name, stored?.mimetype, stored?.size]).toEqual([
      'The rows',
      'résumé.csv',
      'text/csv',
      file.length,
    ]);
    const url = stored?.url_private_download ?? '';
    const read = await fetch(url, { headers: { authorization: `Bearer ${BOT_TOKEN}` } });
    expect(Buffer.from(await read.arrayBuffer())).toEqual(file);
    const anonymous = await fetch(url);
    expect([anonymous.status, anonymous.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
  });

  it('are shared by people in messages, and shown to the app where its bot is', async () => {
    const uploaded = async (as: string) => {
      const address = `${workspace.origin}/page/upload?as=${as}&name=list.csv.gz`;
      const answer = await (await fetch(address, { method: 'POST', body: 'packed' })).json();
      return (answer as { file: { id: string } }).file.id;
    };
    const [team, managers] = [await uploaded('U0RAVI'), await uploaded('U0RAVI')];
    const share = (channel: string, files: string[]) =>
      workspace.act({ type: 'post', as: 'U0RAVI', channel, text: '', files });
    expect(await share('C0TEAM', [team])).toEqual({ ok: true });
    expect(await share('C0PRIVATE', [managers])).toEqual({ ok: true });
    expect(await share('C0TEAM', ['F0NONE'])).toEqual(no('file_not_found'));
    const { messages } = await call(workspace, 'conversations.history', { channel: 'C0TEAM' });
    expect(messages).toMatchObject([
      { subtype: 'file_share', user: 'U0RAVI', files: [{ id: team, filetype: 'gz', mode: 'hosted' }] },
    ]);
    const info = (file: string) => call(workspace, 'files.info', { file });
    expect(await info(team)).toMatchObject({ ok: true, file: { channels: ['C0TEAM'] } });
    expect(await info(managers)).toEqual(no('file_not_found'));
  });

  it('refuses bytes of another length, and files whose bytes never came', async () => {
    const begun = await call(workspace, 'files.getUploadURLExternal', { filename: 'a.csv', length: 5 });
    const sent = await fetch(String(begun.upload_url), { method: 'POST', body: 'four' });
    expect(sent.status).toBe(400);
    const files = [{ id: begun.file_id }];
    expect(await call(workspace, 'files.completeUploadExternal', { files })).toEqual(no('file_not_found'));
  });
});

it('remembers the calls, without their tokens', async () => {
  await post({ ...TEAM_CHANNEL, text: 'hi', token: BOT_TOKEN });
  expect(workspace.apiCalls().map(({ method, args }) => ({ method, args }))).toEqual([
    { method: 'chat.postMessage', args: { channel: 'C0TEAM', text: 'hi' } },
  ]);
});
