import type { App } from '@slack/bolt';
import { afterEach, describe, expect, it } from 'vitest';
import type { SandboxView, StateValues } from '../../../sandbox/protocol.ts';
import type { Workspace } from '../../../sandbox/slack/server.ts';
import { SIGNING_SECRET, startHttpApp, startSocketApp, startTestWorkspace } from './bolt-app.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const form = (note: string) => ({
  ...{ type: 'modal' as const, callback_id: 'question', title: plain('Ask'), submit: plain('Send') },
  ...{ notify_on_close: true, private_metadata: note },
  blocks: [
    {
      ...{ type: 'input' as const, block_id: 'to', label: plain('To') },
      element: { type: 'plain_text_input' as const, action_id: 'value', max_length: 20 },
    },
    {
      ...{ type: 'section' as const, block_id: 'kind', text: plain('Kind') },
      accessory: { type: 'external_select' as const, action_id: 'pick', min_query_length: 0 },
    },
  ],
});

/** The app under both ways of delivery: a form from a command, answered in the channel. */
function listen(seen: string[]) {
  return (app: App) => {
    app.command('/ask', async ({ ack, command, client, respond }) => {
      await ack(command.text === 'quick' ? { text: 'At once', response_type: 'ephemeral' } : undefined);
      if (command.text === 'respond') await respond({ text: 'Later', response_type: 'in_channel' });
      if (command.text === 'form') {
        await client.views.open({ trigger_id: command.trigger_id, view: form(command.channel_id) });
      }
    });
    app.options('pick', async ({ ack, options }) => {
      await ack({ options: [{ text: plain(`for ${options.value}`), value: 'a' }] });
    });
    app.action('pick', async ({ ack, body, client }) => {
      await ack();
      if (body.type !== 'block_actions' || !body.view) return;
      seen.push(`picked ${JSON.stringify(body.view.state.values)}`);
      await client.views.update({ view_id: body.view.id, hash: body.view.hash, view: form('updated') });
    });
    app.view('question', async ({ ack, view, client, body }) => {
      const to = view.state.values.to?.value?.value ?? '';
      if (to === 'nobody') {
        await ack({ response_action: 'errors', errors: { to: 'There is no such person.' } });
        return;
      }
      await ack();
      await client.chat.postMessage({
        channel: 'C0TEAM',
        text: `${body.user.id} asked ${to}`,
        blocks: [
          { type: 'section', block_id: 'said', text: plain(`asked ${to}`) },
          {
            ...{ type: 'actions', block_id: 'do' },
            elements: [{ type: 'button', action_id: 'done', text: plain('Done'), value: 'x' }],
          },
        ],
      });
    });
    app.view({ callback_id: 'question', type: 'view_closed' }, async ({ ack }) => {
      await ack();
      seen.push('closed');
    });
    app.action('done', async ({ ack, respond, body }) => {
      await ack();
      seen.push(`done by ${body.user.id}`);
      await respond({ replace_original: true, text: 'Done.' });
    });
    app.shortcut('ask_now', async ({ ack, shortcut, client }) => {
      await ack();
      await client.views.open({ trigger_id: shortcut.trigger_id, view: form('shortcut') });
    });
    app.shortcut('ask_about', async ({ ack, shortcut, client }) => {
      await ack();
      if (shortcut.type !== 'message_action') return;
      await client.chat.postMessage({
        channel: shortcut.channel.id,
        thread_ts: shortcut.message.ts,
        text: `About: ${shortcut.message.text}`,
      });
    });
    app.event('app_home_opened', async ({ event, client }) => {
      const text = plain(`Hello ${event.user}`);
      await client.views.publish({
        user_id: event.user,
        view: { type: 'home', blocks: [{ type: 'section', text }] },
      });
    });
    app.event('app_mention', async ({ event }) => {
      seen.push(`mentioned: ${event.text}`);
    });
    app.message('disk full', async ({ message }) => {
      seen.push(`message ${message.subtype ?? 'plain'}`);
    });
  };
}

let workspace: Workspace;
let stop: () => Promise<unknown>;
let seen: string[];

afterEach(async () => {
  await stop();
  await workspace.close();
});

const topView = (): SandboxView | undefined => workspace.snapshot().viewStacks.U0ASHA?.at(-1);
const typed = (to: string): StateValues => ({ to: { value: { type: 'plain_text_input', value: to } } });
const command = (text: string) =>
  workspace.act({ type: 'command', as: 'U0ASHA', channel: 'C0TEAM', command: '/ask', text });
const text = (pattern: string) =>
  workspace.waitFor((snapshot) => snapshot.messages.find((message) => message.text === pattern));

describe.each(['socket', 'http'] as const)('a Bolt app by %s', (mode) => {
  const start = async () => {
    seen = [];
    workspace = await startTestWorkspace();
    if (mode === 'socket') {
      const app = await startSocketApp(workspace, listen(seen));
      stop = () => app.stop();
      return;
    }
    const app = await startHttpApp(workspace, listen(seen));
    workspace.setDelivery({ mode: 'http', url: app.url, signingSecret: SIGNING_SECRET });
    stop = app.close;
  };

  it('answers a command in the acknowledgement, and by response_url', async () => {
    await start();
    expect(await command('quick')).toEqual({ ok: true });
    const quick = await text('At once');
    expect(quick).toEqual({
      ...{ channel: 'C0TEAM', ts: expect.any(String), text: 'At once', ephemeralFor: 'U0ASHA' },
      ...{ user: 'U0HERALD', bot_id: 'B0HERALD', app_id: 'A0HERALD' },
    });
    expect(await command('respond')).toEqual({ ok: true });
    expect((await text('Later')).ephemeralFor).toBe(undefined);
  });

  it('opens a form, holds its state, shows errors, closes it and posts', async () => {
    await start();
    await command('form');
    const view = await workspace.waitFor(topView);
    expect(view.state).toEqual({
      values: {
        to: { value: { type: 'plain_text_input', value: null } },
        kind: { pick: { type: 'external_select', selected_option: null } },
      },
    });
    const submit = (state: StateValues) =>
      workspace.act({ type: 'view_submission', as: 'U0ASHA', viewId: view.id, state });
    for (const [state, to] of [
      [{}, 'Please complete this required field.'],
      [typed('a name longer than twenty'), 'Please enter no more than 20 characters.'],
      [typed('nobody'), 'There is no such person.'],
    ] as const)
      expect(await submit(state)).toEqual({ ok: false, error: 'view_errors', errors: { to } });
    expect(await submit(typed('mei'))).toEqual({ ok: true });
    expect(workspace.snapshot().viewStacks.U0ASHA).toEqual([]);
    const message = await text('U0ASHA asked mei');
    const container = { type: 'message' as const, channel: 'C0TEAM', ts: message.ts };
    const click = { type: 'block_action' as const, as: 'U0RAVI', container, blockId: 'do', actionId: 'done' };
    expect(await workspace.act({ ...click, value: {} })).toEqual({ ok: true });
    await text('Done.');
    expect(await workspace.act({ ...click, value: {} })).toMatchObject({ ok: false, error: 'not_found' });
    expect(seen).toEqual(['done by U0RAVI']);
  });

  it('suggests options, and keeps what was typed over views.update', async () => {
    await start();
    await command('form');
    const view = await workspace.waitFor(topView);
    const container = { type: 'view' as const, viewId: view.id };
    const element = { as: 'U0ASHA', container, blockId: 'kind', actionId: 'pick' };
    const suggested = await workspace.act({ type: 'suggestion', ...element, value: 'or' });
    const option = { text: { type: 'plain_text', text: 'for or' }, value: 'a' };
    expect(suggested).toEqual({ ok: true, options: [option] });
    const value = { type: 'external_select', selected_option: option };
    const state = { ...typed('mei'), kind: { pick: value } };
    expect(await workspace.act({ type: 'block_action', ...element, value, state })).toEqual({ ok: true });
    const updated = await workspace.waitFor(() => {
      const top = topView();
      return top?.private_metadata === 'updated' ? top : undefined;
    });
    expect(updated.state.values).toEqual({ to: typed('mei').to, kind: { pick: value } });
    expect(updated.hash).not.toBe(view.hash);
    await workspace.act({ type: 'view_closed', as: 'U0ASHA', viewId: view.id });
    expect(seen).toEqual([`picked ${JSON.stringify(state)}`, 'closed']);
    expect(workspace.snapshot().viewStacks.U0ASHA).toEqual([]);
  });

  it('runs shortcuts, Home, mentions and other apps’ posts', async () => {
    await start();
    expect(await workspace.act({ type: 'shortcut', as: 'U0ASHA', callbackId: 'ask_now' })).toEqual({
      ok: true,
    });
    await workspace.waitFor(() => topView()?.private_metadata === 'shortcut');
    await workspace.act({ type: 'app_post', appId: 'A0GRAFANA', channel: 'C0ALERTS', text: 'disk full' });
    const alert = await text('disk full');
    const about = { callbackId: 'ask_about', channel: alert.channel, ts: alert.ts };
    expect(await workspace.act({ type: 'message_shortcut', as: 'U0RAVI', ...about })).toEqual({ ok: true });
    const reply = await text('About: disk full');
    expect(reply.thread_ts).toBe(alert.ts);
    await workspace.act({ type: 'home_opened', as: 'U0MEI' });
    const home = await workspace.waitFor((snapshot) => snapshot.homes.U0MEI);
    expect(home.blocks).toMatchObject([{ text: { text: 'Hello U0MEI' } }]);
    const mention = { type: 'post', as: 'U0ASHA', channel: 'C0TEAM', text: '<@U0HERALD> hello' } as const;
    await workspace.act({ ...mention, isEncoded: true });
    await expect.poll(() => seen).toEqual(['message bot_message', 'mentioned: <@U0HERALD> hello']);
  });
});
