import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Workspace } from '../../../sandbox/slack/server.ts';
import { ManualClock } from '../manual-clock.ts';
import { APP_TOKEN, BOT_TOKEN, startTestWorkspace } from './test-workspace.ts';

let clock: ManualClock;
let workspace: Workspace;
beforeEach(async () => {
  clock = new ManualClock();
  workspace = await startTestWorkspace({ clock });
});
afterEach(() => workspace.close());

async function call(method: string, args: Record<string, string>) {
  const response = await fetch(`${workspace.apiUrl}${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${method.startsWith('apps.') ? APP_TOKEN : BOT_TOKEN}` },
    body: new URLSearchParams(args),
  });
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
}

const answered = { status: 200, retryAfter: null };

/** How many of the same calls are answered, and when Slack wants the next. */
async function until429(method: string, args: Record<string, string>) {
  for (let count = 0; count < 200; count += 1) {
    const { status, retryAfter } = await call(method, args);
    if (status === 429) return { count, retryAfter };
  }
  return undefined;
}

test.each([
  ['usergroups.list', {}, 20, '3'],
  ['reactions.add', { channel: 'C0TEAM', timestamp: '1.000001', name: 'eyes' }, 50, '2'],
  ['reactions.remove', { channel: 'C0TEAM', timestamp: '1.000001', name: 'eyes' }, 20, '3'],
  ['conversations.info', { channel: 'C0TEAM' }, 50, '2'],
  ['users.info', { user: 'U0ASHA' }, 100, '1'],
])(
  '%s is answered as often a minute as its tier says, then with Retry-After',
  async (method, args, count, retryAfter) => {
    expect(await until429(method, args)).toEqual({ count, retryAfter });
    expect(await call('team.info', {})).toEqual(answered);
    clock.advance(Number(retryAfter) * 1_000);
    expect(await call(method, args)).toEqual(answered);
    expect((await call(method, args)).status).toBe(429);
    clock.advance(60_000);
    expect(await until429(method, args)).toEqual({ count, retryAfter });
  },
);

test('posts: a short burst, then one a second, in each channel by itself', async () => {
  const team = { channel: 'C0TEAM', text: 'x' };
  expect(await until429('chat.postMessage', team)).toEqual({ count: 10, retryAfter: '1' });
  expect(await call('chat.postMessage', { ...team, channel: 'C0ALERTS' })).toEqual(answered);
  clock.advance(1_000);
  expect(await call('chat.postMessage', team)).toEqual(answered);
  expect(await call('chat.postMessage', team)).toEqual({ status: 429, retryAfter: '1' });
});

test('addresses of sockets: some at once, then one a minute', async () => {
  expect(await until429('apps.connections.open', {})).toEqual({ count: 20, retryAfter: '60' });
  clock.advance(60_000);
  expect(await until429('apps.connections.open', {})).toEqual({ count: 1, retryAfter: '60' });
});
