import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ActResult, SandboxView } from '../../../sandbox/protocol.ts';
import type { Workspace } from '../../../sandbox/slack/server.ts';
import { ManualClock } from '../manual-clock.ts';
import { startTestWorkspace } from './test-workspace.ts';
import { call, type Envelope, no, openSocket } from './web-client.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const modal = (name: string, extra: object = {}) => ({
  type: 'modal',
  callback_id: name,
  title: plain(name),
  submit: plain('Send'),
  blocks: [input('note')],
  ...extra,
});
const input = (blockId: string, extra: object = {}, element: object = {}) => ({
  type: 'input',
  block_id: blockId,
  label: plain('Note'),
  optional: true,
  element: { type: 'plain_text_input', action_id: 'value', ...element },
  ...extra,
});
const held = (value: string | null) => ({ value: { type: 'plain_text_input', value } });

let workspace: Workspace;
let clock: ManualClock;
let answer: (envelope: Envelope) => unknown;
let socket: Awaited<ReturnType<typeof openSocket>>;

beforeEach(async () => {
  clock = new ManualClock();
  workspace = await startTestWorkspace({ clock });
  answer = () => ({});
  socket = await openSocket(workspace, (envelope) => answer(envelope));
});
afterEach(async () => {
  socket.close();
  await workspace.close();
});

const as = 'U0ASHA';
const stack = (): SandboxView[] => workspace.snapshot().viewStacks[as] ?? [];
const names = () => stack().map((view) => view.callback_id);
const top = (): SandboxView => {
  const view = stack().at(-1);
  if (view === undefined) throw new Error('No view is open.');
  return view;
};

async function trigger(): Promise<string> {
  await workspace.act({ type: 'command', as, channel: 'C0TEAM', command: '/ask', text: '' });
  return String(socket.envelopes.at(-1)?.payload.trigger_id);
}

async function open(view: object): Promise<string> {
  const opened = await call(workspace, 'views.open', { trigger_id: await trigger(), view });
  return (opened.view as { id: string }).id;
}

const submit = (state = {}): Promise<ActResult> =>
  workspace.act({ type: 'view_submission', as, viewId: top().id, state });

describe('trigger_id', () => {
  it('opens one view, within three seconds', async () => {
    const view = modal('first');
    const id = await trigger();
    expect(await call(workspace, 'views.open', { trigger_id: 'made.up', view })).toEqual(
      no('invalid_trigger_id'),
    );
    expect(
      await call(workspace, 'views.open', { trigger_id: id, view: { ...view, title: undefined } }),
    ).toMatchObject(no('invalid_arguments'));
    expect(await call(workspace, 'views.open', { trigger_id: id, view })).toMatchObject({ ok: true });
    expect(await call(workspace, 'views.open', { trigger_id: id, view })).toEqual(no('exchanged_trigger_id'));
    const late = await trigger();
    clock.advance(3001);
    expect(await call(workspace, 'views.open', { trigger_id: late, view })).toEqual(no('expired_trigger_id'));
    expect(names()).toEqual(['first']);
  });
});

describe('the stack', () => {
  it('holds three views, and closes one by one or all at once', async () => {
    await open(modal('one', { notify_on_close: true }));
    for (const name of ['two', 'three', 'four']) {
      answer = () => ({ response_action: 'push', view: modal(name, { notify_on_close: name === 'three' }) });
      const result = await submit();
      if (name === 'four') {
        expect(result).toEqual({ ok: false, error: 'dispatch_failed', message: 'push_limit_reached' });
      } else expect(result).toEqual({ ok: true });
    }
    expect(names()).toEqual(['one', 'two', 'three']);
    expect(stack().length).toBe(3);
    answer = () => ({});
    await submit();
    expect(names()).toEqual(['one', 'two']);
    const before = socket.envelopes.length;
    await workspace.act({ type: 'view_closed', as, viewId: top().id, clearAll: true });
    expect(names()).toEqual([]);
    expect(
      socket.envelopes.slice(before).map(({ payload }) => [payload.type, payload.is_cleared, payload.view]),
    ).toMatchObject([['view_closed', true, { callback_id: 'one' }]]);
  });

  it('is pushed with a trigger from the view below', async () => {
    const first = await open(modal('one'));
    const outside = await trigger();
    expect(await call(workspace, 'views.push', { trigger_id: outside, view: modal('two') })).toEqual(
      no('not_found'),
    );
    answer = () => ({ response_action: 'errors', errors: { note: 'Wait' } });
    await submit();
    const inside = String(socket.envelopes.at(-1)?.payload.trigger_id);
    const pushed = await call(workspace, 'views.push', { trigger_id: inside, view: modal('two') });
    expect(pushed.view).toMatchObject({ previous_view_id: first, root_view_id: first, callback_id: 'two' });
    answer = () => ({ response_action: 'clear' });
    expect(await submit()).toEqual({ ok: true });
    expect(names()).toEqual([]);
  });
});

describe('state', () => {
  it('is kept where block_id and action_id stay, and starts anew elsewhere', async () => {
    const id = await open(modal('one', { blocks: [input('a'), input('b')] }));
    const blocks = [
      input('a', {}, { initial_value: 'ignored' }),
      input('b:2', {}, { initial_value: 'fresh' }),
    ];
    answer = () => ({ response_action: 'update', view: modal('one', { blocks }) });
    expect(await submit({ a: held('kept'), b: held('lost'), ghost: held('x') })).toEqual({ ok: true });
    expect([top().id, top().state.values]).toEqual([id, { a: held('kept'), 'b:2': held('fresh') }]);
  });

  it('gives empty inputs as null', async () => {
    await open(modal('one'));
    await submit({ note: held('') });
    const view = socket.envelopes.at(-1)?.payload.view;
    expect(view).toMatchObject({ state: { values: { note: held(null) } } });
  });
});

describe('answers to a submission', () => {
  it.each<[string, unknown, string]>([
    ['an unknown action', { response_action: 'explode' }, "The app's answer makes no sense here"],
    [
      'errors under no input',
      { response_action: 'errors', errors: { other: 'x' } },
      'errors name no input block: other',
    ],
    ['no errors', { response_action: 'errors', errors: {} }, 'errors is empty'],
    ['a bad view', { response_action: 'update', view: modal('x'.repeat(25)) }, 'invalid_arguments'],
  ])('%s leaves the view open', async (_, payload, message) => {
    await open(modal('one'));
    answer = () => payload;
    const result = await submit();
    expect(result).toMatchObject(no('dispatch_failed'));
    expect('message' in result ? result.message : '').toContain(message);
    expect(names()).toEqual(['one']);
  });

  it('that no longer exists is not submitted', async () => {
    await open(modal('one'));
    const viewId = top().id;
    await submit();
    expect(await workspace.act({ type: 'view_submission', as, viewId, state: {} })).toMatchObject(
      no('not_found'),
    );
  });
});

describe('views.update and views.publish', () => {
  it('refuse an old hash, an unknown view, another type, an id in use', async () => {
    const id = await open(modal('one', { external_id: 'mine' }));
    const { hash } = top();
    const update = (args: object) => call(workspace, 'views.update', { view: modal('two'), ...args });
    clock.advance(1000);
    expect(await update({ view_id: id, hash })).toMatchObject({ ok: true });
    expect(await update({ view_id: id, hash })).toEqual(no('hash_conflict'));
    expect(await update({ view_id: 'V0NONE' })).toEqual(no('not_found'));
    expect(await update({ external_id: 'mine' })).toEqual(no('not_found'));
    expect(await update({})).toMatchObject(no('invalid_arguments'));
    expect(await update({ view_id: id, view: { type: 'home', blocks: [] } })).toMatchObject({
      error: 'invalid_arguments',
      errors: ['must be a modal view [json-pointer:/view/type]'],
    });
    const publish = (args: object) =>
      call(workspace, 'views.publish', { user_id: as, view: { type: 'home', blocks: [] }, ...args });
    const { view } = await publish({});
    expect(await publish({ hash: 'old' })).toEqual(no('hash_conflict'));
    expect(await publish({ hash: (view as SandboxView).hash })).toMatchObject({ ok: true });
    expect(await publish({ user_id: 'U0NONE' })).toEqual(no('user_not_found'));
    const twin = modal('three', { external_id: 'twin' });
    await open(twin);
    expect(await call(workspace, 'views.open', { trigger_id: await trigger(), view: twin })).toEqual(
      no('duplicate_external_id'),
    );
  });
});

describe('what Slack’s client checks itself', () => {
  const of = (type: string, more: object = {}) => input('note', {}, { type, ...more });
  it.each<[string, object, string, string]>([
    ['required', input('note', { optional: false }), '', 'Please complete this required field.'],
    ['too short', input('note', {}, { min_length: 3 }), 'ab', 'Please enter at least 3 characters.'],
    ['too long', input('note', {}, { max_length: 3 }), 'abcd', 'Please enter no more than 3 characters.'],
    ['no e-mail', of('email_text_input'), 'a@b', 'Please enter a valid email address.'],
    ['no address', of('url_text_input'), 'a.b', 'Please enter a valid URL.'],
    [
      'no whole number',
      of('number_input', { is_decimal_allowed: false }),
      '1.5',
      'Please enter a whole number.',
    ],
  ])('%s', async (_, block, value, sentence) => {
    await open(modal('one', { blocks: [block] }));
    const type = (block as { element: { type: string } }).element.type;
    const before = socket.envelopes.length;
    expect(await submit({ note: { value: { type, value } } })).toEqual({
      ok: false,
      error: 'view_errors',
      errors: { note: sentence },
    });
    expect(socket.envelopes.length).toBe(before);
  });
});
