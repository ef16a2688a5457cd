import { expect, it } from 'vitest';
import {
  type Coverage,
  EVENT_COVERAGE,
  INTERACTION_COVERAGE,
  WEB_API_COVERAGE,
} from '../../../sandbox/slack/coverage.ts';
import { apiMethods } from '../../../sandbox/slack/web-api/index.ts';
import { startTestWorkspace } from './test-workspace.ts';
import { call, openSocket } from './web-client.ts';

const emulated = (table: Readonly<Record<string, Coverage>>) =>
  Object.keys(table)
    .filter((name) => table[name]?.status === 'emulated')
    .sort();

it('answers exactly the methods that the table calls emulated', () => {
  expect(Object.keys(apiMethods).sort()).toEqual(emulated(WEB_API_COVERAGE));
});

it('answers unknown_method to those that are not started', async () => {
  const workspace = await startTestWorkspace();
  const missing = Object.keys(WEB_API_COVERAGE).filter(
    (name) => WEB_API_COVERAGE[name]?.status === 'not started',
  );
  const answers = await Promise.all(missing.map((method) => call(workspace, method)));
  expect(answers.map((answer) => answer.error)).toEqual(missing.map(() => 'unknown_method'));
  await workspace.close();
});

it('sends exactly the interactions and events that the tables call emulated', async () => {
  const workspace = await startTestWorkspace();
  const title = { type: 'plain_text', text: 'T' };
  const menu = { type: 'external_select', action_id: 'pick', min_query_length: 0 };
  const blocks = [{ type: 'actions', block_id: 'a', elements: [menu] }];
  const view = { type: 'modal', title, submit: title, notify_on_close: true, blocks };
  const socket = await openSocket(workspace, ({ payload }) =>
    payload.type === 'block_suggestion' ? { options: [] } : {},
  );
  const as = 'U0ASHA';
  const trigger = () => socket.envelopes.findLast(({ payload }) => payload.trigger_id)?.payload.trigger_id;
  const openView = async () => {
    await workspace.act({ type: 'shortcut', as, callbackId: 'ask_now' });
    await call(workspace, 'views.open', { trigger_id: trigger(), view });
    return workspace.snapshot().viewStacks[as]?.at(-1)?.id ?? '';
  };
  await workspace.act({ type: 'command', as, channel: 'C0TEAM', command: '/ask', text: '' });
  await workspace.act({ type: 'post', as, channel: 'C0TEAM', text: '<@U0HERALD>', isEncoded: true });
  const [message] = workspace.snapshot().messages;
  const ts = message?.ts ?? '';
  const reaction = { type: 'react', as, channel: 'C0TEAM', ts, name: 'eyes' } as const;
  await workspace.act(reaction);
  await workspace.act({ ...reaction, isTakenBack: true });
  await workspace.act({ type: 'message_shortcut', as, callbackId: 'ask_about', channel: 'C0TEAM', ts });
  const submitted = await openView();
  const container = { type: 'view' as const, viewId: submitted };
  const element = { as, container, blockId: 'a', actionId: 'pick' };
  await workspace.act({ type: 'suggestion', ...element, value: '' });
  await workspace.act({ type: 'block_action', ...element, value: { type: 'external_select' } });
  await workspace.act({ type: 'view_submission', as, viewId: submitted, state: {} });
  await workspace.act({ type: 'view_closed', as, viewId: await openView() });
  await workspace.act({ type: 'home_opened', as });
  await workspace.act({ type: 'workflow_step', as, callbackId: 'look_up', inputs: { word: 'a' } });
  await workspace.act({ type: 'post', as, channel: 'D0ASHA', text: 'hello' });
  await call(workspace, 'chat.postMessage', { channel: 'D0ASHA', text: 'hello' });
  const kinds = () => {
    const sent = socket.envelopes.filter(({ type }) => type !== 'events_api');
    return [...new Set(sent.map(({ type, payload }) => payload.type ?? type))].sort();
  };
  const events = () => {
    const sent = socket.envelopes.flatMap(({ payload }) => (payload.event ? [payload.event] : []));
    return [...new Set(sent.map(nameOfEvent))].sort();
  };
  expect(kinds()).toEqual(emulated(INTERACTION_COVERAGE));
  const seenHere = emulated(EVENT_COVERAGE).filter((name) => name !== 'message.groups');
  await expect.poll(events).toEqual(seenHere);
  socket.close();
  await workspace.close();
});

function nameOfEvent(event: { type: string; channel_type?: string }): string {
  return event.type === 'message' ? `message.${event.channel_type}s`.replace('ims', 'im') : event.type;
}
