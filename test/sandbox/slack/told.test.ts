import { afterEach, expect, test } from 'vitest';
import type { Workspace, WorkspaceOptions } from '../../../sandbox/slack/server.ts';
import { startTestWorkspace } from './test-workspace.ts';
import { call, no, openSocket } from './web-client.ts';

/*
 * What real workspaces tell an app, in shapes as the tests of Slack's own SDKs have captured them (ids are the sandbox's):
 * https://github.com/slackapi/bolt-python/blob/main/tests/scenario_tests/test_message_bot.py (people's and bots' messages),
 * .../test_events_org_apps.py and ../slack_bolt/request/test_request.py (an organisation's install),
 * .../test_app_actor_user_token.py and ../slack_bolt/request/test_internals.py (Slack Connect).
 */

const CHANNEL = 'C0TEAM';
const GRID = { id: 'E0ACME', name: 'Acme Group' };
let workspace: Workspace;
afterEach(() => workspace.close());

/** Starts a workspace, does what `act` says, and returns the `count` payloads that the app was told. */
async function told(
  count: number,
  act: (triggerId: () => string) => Promise<unknown>,
  options: Partial<WorkspaceOptions> = {},
): Promise<Record<string, unknown>[]> {
  workspace = await startTestWorkspace(options);
  const socket = await openSocket(workspace);
  await act(() => String(socket.envelopes.at(-1)?.payload.trigger_id));
  await expect.poll(() => socket.envelopes.length).toBeGreaterThanOrEqual(count);
  socket.close();
  return socket.envelopes.map(({ payload }) => payload);
}

const post =
  (text: string, as = 'U0ASHA', channel = CHANNEL) =>
  () =>
    workspace.act({ type: 'post', as, channel, text });
const command =
  (text: string, as = 'U0ASHA') =>
  () =>
    workspace.act({ type: 'command', as, channel: CHANNEL, command: '/ask', text });

test('the text of a command names its emoji', async () => {
  const [payload] = await told(1, command('Sale 🎉 ❤️ 👏🏽 :acme:'));
  expect(payload).toMatchObject({ text: 'Sale :tada: :heart: :clap::skin-tone-4: :acme:' });
});

test('what a person types is escaped, as a command and as a message', async () => {
  const [asked, said] = await told(2, async () => {
    await command('Tom & Jerry <b> &amp; <!channel>')();
    await post('Tom & Jerry <b>')();
  });
  expect(asked).toMatchObject({ text: 'Tom &amp; Jerry &lt;b&gt; &amp;amp; &lt;!channel&gt;' });
  expect(said?.event).toMatchObject({
    text: 'Tom &amp; Jerry &lt;b&gt;',
    blocks: [{ elements: [{ elements: [{ type: 'text', text: 'Tom & Jerry <b>' }] }] }],
  });
});

test('an edit tells what is there and what was before', async () => {
  const [, edit] = await told(2, async () => {
    await post('Tom & Jerry')();
    const ts = workspace.snapshot().messages[0]?.ts ?? '';
    const act = { type: 'edit', as: 'U0ASHA', channel: CHANNEL, ts, text: 'Tom & <Jerry>' } as const;
    expect(await workspace.act({ ...act, as: 'U0RAVI' })).toEqual(no('cant_update_message'));
    expect(await workspace.act({ ...act, text: ' ' })).toEqual(no('no_text'));
    expect(await workspace.act(act)).toEqual({ ok: true });
  });
  const [message] = workspace.snapshot().messages;
  expect(edit?.event).toMatchObject({
    type: 'message',
    subtype: 'message_changed',
    hidden: true,
    channel: CHANNEL,
    channel_type: 'channel',
    message: {
      type: 'message',
      user: 'U0ASHA',
      ts: message?.ts,
      text: 'Tom &amp; &lt;Jerry&gt;',
      edited: { user: 'U0ASHA', ts: expect.stringMatching(/^\d{10}\.000000$/) },
    },
    previous_message: { type: 'message', user: 'U0ASHA', ts: message?.ts, text: 'Tom &amp; Jerry' },
  });
  expect(edit?.event).not.toHaveProperty('previous_message.edited');
});

test('another app edits its own message, and keeps what it leaves out', async () => {
  const attachments = [{ text: 'db-1' }];
  const [, edit] = await told(2, async () => {
    const post = {
      type: 'app_post',
      appId: 'A0ALERTMANAGER',
      channel: 'C0ALERTS',
      text: '[FIRING:1]',
    } as const;
    await workspace.act({ ...post, attachments });
    const ts = workspace.snapshot().messages[0]?.ts ?? '';
    const act = { ...post, type: 'app_edit', ts, text: '[FIRING:2]' } as const;
    expect(await workspace.act({ ...act, appId: 'A0GRAFANA' })).toEqual(no('cant_update_message'));
    expect(await workspace.act(act)).toEqual({ ok: true });
  });
  expect(edit?.event).toMatchObject({
    subtype: 'message_changed',
    message: {
      subtype: 'bot_message',
      bot_id: 'B0ALERTMANAGER',
      text: '[FIRING:2]',
      attachments,
      edited: { user: 'B0ALERTMANAGER' },
    },
    previous_message: { text: '[FIRING:1]', attachments },
  });
});

test('reactions of people and of the app stand beside one another', async () => {
  const events = await told(5, async () => {
    await post('hello')();
    const ts = workspace.snapshot().messages[0]?.ts ?? '';
    const act = { type: 'react', as: 'U0RAVI', channel: CHANNEL, ts, name: 'eyes' } as const;
    expect(await workspace.act(act)).toEqual({ ok: true });
    expect(await workspace.act(act)).toEqual(no('already_reacted'));
    expect(await workspace.act({ ...act, name: 'no_such_emoji' })).toEqual(no('invalid_name'));
    const app = { channel: CHANNEL, timestamp: ts, name: 'eyes' };
    expect(await call(workspace, 'reactions.add', app)).toEqual({ ok: true });
    expect(workspace.snapshot().messages[0]?.reactions).toEqual([
      { name: 'eyes', users: ['U0RAVI', 'U0HERALD'] },
    ]);
    expect(await call(workspace, 'reactions.remove', app)).toEqual({ ok: true });
    expect(await workspace.act({ ...act, isTakenBack: true })).toEqual({ ok: true });
    expect(await workspace.act({ ...act, isTakenBack: true })).toEqual(no('no_reaction'));
  });
  expect(workspace.snapshot().messages[0]?.reactions).toEqual([]);
  const { ts } = workspace.snapshot().messages[0] ?? {};
  const item = { type: 'message', channel: CHANNEL, ts };
  const [, ...reactions] = events.map(({ event }) => event);
  const said = { reaction: 'eyes', item, item_user: 'U0ASHA', event_ts: expect.any(String) };
  expect(reactions).toEqual([
    { type: 'reaction_added', user: 'U0RAVI', ...said },
    { type: 'reaction_added', user: 'U0HERALD', ...said },
    { type: 'reaction_removed', user: 'U0HERALD', ...said },
    { type: 'reaction_removed', user: 'U0RAVI', ...said },
  ]);
});

test.each([
  ['no_such_emoji', 'invalid_name'],
  ['🚨', 'invalid_name'],
  [':eyes:', 'invalid_name'],
  ['clap::skin-tone-4', undefined],
  ['+1', undefined],
  ['acme', undefined],
])('the app reacts with %s: %s', async (name, error) => {
  workspace = await startTestWorkspace();
  const { ts } = await call(workspace, 'chat.postMessage', { channel: CHANNEL, text: 'x' });
  const answer = await call(workspace, 'reactions.add', { channel: CHANNEL, timestamp: ts, name });
  expect(answer.error).toBe(error);
});

test('a person’s message carries rich text, with the code points of its emoji', async () => {
  const words = (text: string) => ({ type: 'text', text });
  const elements = [
    ...[words('Hi '), { type: 'user', user_id: 'U0RAVI' }, words(' ')],
    ...[{ type: 'text', text: 'now', style: { bold: true } }, words(' ')],
    ...[{ type: 'emoji', name: 'clap', unicode: '1f44f-1f3fd', skin_tone: 4 }, words(' & ')],
    ...[{ type: 'emoji', name: 'acme' }, words(' at 10:30:45, see ')],
    { type: 'link', url: 'https://a.example', text: 'this' },
  ];
  const text = 'Hi <@U0RAVI> *now* 👏🏽 &amp; :acme: at 10:30:45, see <https://a.example|this>';
  const [payload] = await told(1, () =>
    workspace.act({ type: 'post', as: 'U0ASHA', channel: CHANNEL, text, isEncoded: true }),
  );
  expect(payload?.event).toMatchObject({
    type: 'message',
    client_msg_id: expect.any(String),
    text: 'Hi <@U0RAVI> *now* :clap::skin-tone-4: &amp; :acme: at 10:30:45, see <https://a.example|this>',
    team: 'T0ACME',
    blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
  });
});

test('a webhook’s message names a bot and no app; emoji of its text, blocks and attachments are names', async () => {
  const [payload] = await told(1, () =>
    workspace.act({
      type: 'app_post',
      appId: 'A0GRAFANA',
      channel: CHANNEL,
      text: '🚨 down',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: '🚨 R&D', emoji: true } },
        { type: 'section', text: { type: 'plain_text', text: '🚨 R&D', emoji: false } },
        { type: 'section', text: { type: 'mrkdwn', text: '🚨 R&amp;D' } },
      ],
      attachments: [{ title: '🔥', fallback: '🔥', fields: [{ title: 'a', value: '🔥' }] }],
    }),
  );
  expect(payload?.event).toMatchObject({
    subtype: 'bot_message',
    bot_id: 'B0GRAFANA',
    text: ':rotating_light: down',
    blocks: [
      { text: { text: ':rotating_light: R&amp;D' } },
      { text: { text: '🚨 R&amp;D' } },
      { text: { text: ':rotating_light: R&amp;D' } },
    ],
    attachments: [{ title: ':fire:', fallback: ':fire:', fields: [{ value: ':fire:' }] }],
  });
  for (const absent of ['app_id', 'bot_profile', 'user', 'team'])
    expect(payload?.event).not.toHaveProperty(absent);
});

test('what a person enters into a workflow comes in Slack’s notation', async () => {
  const [payload] = await told(1, () =>
    workspace.act({
      type: 'workflow_step',
      as: 'U0ASHA',
      callbackId: 'look_up',
      inputs: { word: 'a & b 🎉 +65 9123 4567 https://a.example/?x=1&y' },
    }),
  );
  expect(payload?.event).toMatchObject({
    inputs: {
      word: 'a &amp; b :tada: <tel:+6591234567|+65 9123 4567> <https://a.example/?x=1&amp;y>',
    },
  });
});

test('the texts of a view come back escaped, where it is opened and where it is acted on', async () => {
  const [, action] = await told(2, async (triggerId) => {
    await workspace.act({ type: 'shortcut', as: 'U0ASHA', callbackId: 'ask_now' });
    const plain = (text: string, emoji: boolean) => ({ type: 'plain_text', text, emoji });
    const button = { type: 'button', action_id: 'go', text: plain('Go 🚀', true), value: 'a&b' };
    const view = {
      type: 'modal',
      title: plain('R&D', false),
      blocks: [{ type: 'actions', block_id: 'b', elements: [button] }],
    };
    const answer = await call(workspace, 'views.open', { trigger_id: triggerId(), view });
    expect(answer.view).toMatchObject({
      title: { text: 'R&amp;D' },
      blocks: [{ elements: [{ value: 'a&b' }] }],
    });
    const viewId = workspace.snapshot().viewStacks.U0ASHA?.[0]?.id ?? '';
    await workspace.act({
      type: 'block_action',
      as: 'U0ASHA',
      container: { type: 'view', viewId },
      blockId: 'b',
      actionId: 'go',
      value: { type: 'button', value: 'a&b' },
    });
  });
  expect(action).toMatchObject({
    view: { blocks: [{ elements: [{ text: { text: 'Go :rocket:' } }] }] },
    actions: [{ text: { text: 'Go :rocket:' }, value: 'a&b' }],
  });
});

test.each([
  ['of a workspace of a Grid', { ...GRID, isInstalled: false }, { id: 'T0ACME', domain: 'acme' }, 'T0ACME'],
  ['of a whole organisation', { ...GRID, isInstalled: true }, null, 'E0ACME'],
])('an install %s', async (_name, organisation, team, teamId) => {
  const { isInstalled } = organisation;
  const payloads = await told(
    3,
    async () => {
      await workspace.act({ type: 'shortcut', as: 'U0NOOR', callbackId: 'ask_now' });
      await command('x', 'U0ASHA')();
      await post('x', 'U0NOOR', 'C0SHARED')();
    },
    { organisation, withOthers: true },
  );
  expect(payloads).toMatchObject([
    {
      type: 'shortcut',
      team,
      enterprise: GRID,
      is_enterprise_install: isInstalled,
      user: { id: 'U0NOOR', team_id: 'T0BRANCH' },
    },
    { team_id: 'T0ACME', enterprise_id: 'E0ACME', is_enterprise_install: String(isInstalled) },
    {
      team_id: 'T0ACME',
      enterprise_id: 'E0ACME',
      authorizations: [
        {
          enterprise_id: 'E0ACME',
          team_id: isInstalled ? null : 'T0ACME',
          is_enterprise_install: isInstalled,
        },
      ],
    },
  ]);
  expect(await call(workspace, 'auth.test')).toMatchObject({
    team_id: teamId,
    enterprise_id: 'E0ACME',
    is_enterprise_install: isInstalled,
  });
  expect(await call(workspace, 'users.list')).toMatchObject(
    isInstalled ? no('missing_argument') : { ok: true },
  );
  expect(await call(workspace, 'users.list', { team_id: 'T0ACME' })).toMatchObject({ ok: true });
});

test('a shared channel: what a person of another company says, and who that is', async () => {
  const payloads = await told(1, post('hello', 'U0LENA', 'C0SHARED'), { withOthers: true });
  expect(payloads).toMatchObject([
    {
      team_id: 'T0PARTNER',
      context_team_id: 'T0ACME',
      is_ext_shared_channel: true,
      authorizations: [{ team_id: 'T0ACME', is_enterprise_install: false }],
      event: { user: 'U0LENA', team: 'T0PARTNER', user_team: 'T0PARTNER', source_team: 'T0PARTNER' },
    },
  ]);
  expect(await call(workspace, 'users.info', { user: 'U0LENA' })).toMatchObject({
    user: { team_id: 'T0PARTNER', is_stranger: true, profile: { team: 'T0PARTNER' } },
  });
  expect(await call(workspace, 'conversations.info', { channel: 'C0SHARED' })).toMatchObject({
    channel: { is_shared: true, is_ext_shared: true },
  });
  const asked = { type: 'command', as: 'U0LENA', channel: 'C0SHARED', command: '/ask', text: 'x' } as const;
  expect(await workspace.act(asked)).toMatchObject(no('unknown_command'));
});

test('a conversation that the manifest makes read-only has no composer', async () => {
  const manifestPath = new URL('../../../manifest.yml', import.meta.url).pathname;
  workspace = await startTestWorkspace({ manifestPath });
  const refused = no('restricted_action');
  expect(await post('hello', 'U0ASHA', 'D0ASHA')()).toMatchObject(refused);
  const typed = { type: 'command', as: 'U0ASHA', channel: 'D0ASHA', command: '/sms', text: '' } as const;
  expect(await workspace.act(typed)).toMatchObject(refused);
  expect(await call(workspace, 'chat.postMessage', { channel: 'D0ASHA', text: 'x' })).toMatchObject({
    ok: true,
  });
});
