import { describe, expect, it } from 'vitest';
import type { SandboxMessage, SandboxView, WorkspaceSnapshot } from '../../../sandbox/protocol.ts';
import {
  applyPageEvent,
  channelMessages,
  channelsOf,
  compareTs,
  isUnread,
  threadReplies,
} from '../../../sandbox/ui/workspace-state.ts';

const message = (ts: string, more: Partial<SandboxMessage> = {}): SandboxMessage => ({
  channel: 'C1',
  ts,
  user: 'U1',
  text: ts,
  ...more,
});
const snapshot = (messages: SandboxMessage[]): WorkspaceSnapshot => ({
  users: [],
  channels: [],
  userGroups: [],
  commands: [],
  shortcuts: [],
  functions: [],
  executions: [],
  messages,
  viewStacks: {},
  homes: {},
  appConnected: true,
});

describe('events', () => {
  it('mean nothing before the snapshot', () => {
    expect(applyPageEvent(undefined, { type: 'app', connected: true })).toBeUndefined();
  });

  it('put a message in its place in time, and an edited one in the place of the old', () => {
    const before = snapshot([message('1.000001'), message('3.000000')]);
    const middle = applyPageEvent(before, { type: 'message', message: message('2.000000') });
    const edited = message('2.000000', { text: 'edited', edited: { ts: '4.0' } });
    expect(middle?.messages.map((one) => one.ts)).toEqual(['1.000001', '2.000000', '3.000000']);
    expect(applyPageEvent(middle, { type: 'message', message: edited })?.messages).toEqual([
      message('1.000001'),
      edited,
      message('3.000000'),
    ]);
  });

  it('take away one message of one channel', () => {
    const before = snapshot([message('1.0'), message('1.0', { channel: 'C2' })]);
    expect(applyPageEvent(before, { type: 'message_deleted', channel: 'C1', ts: '1.0' })?.messages).toEqual([
      message('1.0', { channel: 'C2' }),
    ]);
  });

  it('replace one person’s stack of views and nobody else’s', () => {
    const view = { id: 'V1' } as SandboxView;
    const before = { ...snapshot([]), viewStacks: { U1: [view], U2: [view] } };
    expect(applyPageEvent(before, { type: 'views', userId: 'U1', stack: [] })?.viewStacks).toEqual({
      U1: [],
      U2: [view],
    });
  });
});

it('shows a person the channel without replies and without what only others may see', () => {
  const mine = message('2.0', { ephemeralFor: 'U1' });
  const parent = message('1.0', { thread_ts: '1.0' });
  const reply = message('4.0', { thread_ts: '1.0' });
  const hidden = message('5.0', { thread_ts: '1.0', ephemeralFor: 'U2' });
  const all = [parent, mine, message('3.0', { ephemeralFor: 'U2' }), reply, hidden];
  expect(channelMessages(all, 'C1', 'U1')).toEqual([parent, mine]);
  expect(threadReplies(all, parent, 'U1')).toEqual([reply]);
  expect(threadReplies(all, parent, 'U2')).toEqual([reply, hidden]);
});

it('lists the channels a person is in, by name', () => {
  const channel = (id: string, name: string, memberIds: string[], kind: 'channel' | 'im' = 'channel') => ({
    id,
    name,
    isPrivate: false,
    kind,
    memberIds,
    topic: '',
  });
  const channels = [
    channel('C2', 'team', ['U1']),
    channel('C1', 'alerts', ['U1']),
    channel('C3', 'a', ['U2']),
  ];
  const found = channelsOf(
    { ...snapshot([]), channels: [...channels, channel('D1', 'b', ['U1'], 'im')] },
    'U1',
  );
  expect(found.map((one) => one.name)).toEqual(['alerts', 'team']);
});

it('compares time stamps that a double cannot tell apart', () => {
  expect(compareTs('1700000000.000001', '1700000000.000002')).toBeLessThan(0);
  expect(compareTs('1700000001.000000', '1700000000.999999')).toBeGreaterThan(0);
  expect(compareTs('1700000000.000001', '1700000000.000001')).toBe(0);
});

it('counts only what others wrote as unread', () => {
  const messages = [message('1.0', { user: 'U2' }), message('2.0', { user: 'U1' })];
  expect(isUnread(messages, 'C1', 'U1', '0.5')).toBe(true);
  expect(isUnread(messages, 'C1', 'U1', '1.0')).toBe(false);
});
