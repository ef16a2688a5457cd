import { webApi } from '@slack/bolt';
import { expect, it } from 'vitest';
import { watchesOf } from '../src/wiring/operators.ts';
import { createManualClock } from './fakes/clock.ts';
import { ownFolder } from './folder.ts';

type Herald = Parameters<typeof watchesOf>[0];

const at = ownFolder();
const MINUTE_MS = 60_000;

/** Whoever is asked, with only what the watches ask for. */
function herald(changes: Record<string, unknown> = {}) {
  const clock = createManualClock();
  const standing = { channel: 'sms', openSince: undefined as number | undefined, pausedMs: 0 };
  const world = {
    clock,
    configuration: { environment: { DATABASE_URL: 'postgres://x/y' } },
    stores: { sharing: {} },
    gateway: { health: () => ({}) },
    slack: { health: () => ({ ready: true }) },
    identity: () => ({ botUserId: 'U0HERALD', botId: 'B' }),
    dispatcher: { channels: () => [standing] },
    alertSettings: { rules: [] },
    client: { auth: { test: async () => ({ team_id: 'T', user_id: 'U', bot_id: 'B' }) } },
    backups: undefined,
    removal: () => undefined,
    ...changes,
  };
  const watches = watchesOf(world as never as Herald);
  const look = (name: string) => watches.find((watch) => watch.name === name)?.look(clock.now());
  return { clock, standing, look };
}

it('knows of the key what the latest answer says, and nothing before the first', async () => {
  const health: { latest?: object; keyRefusal?: object } = {};
  const { look } = herald({ gateway: { health: () => health } });
  expect(look('key')).toBeUndefined();
  health.latest = { state: 'unknown', at: 5 };
  expect(look('key')).toBeUndefined();
  health.latest = { state: 'accepted', at: 6 };
  expect(look('key')).toEqual({ fine: 6 });
  health.keyRefusal = { status: 401, since: 7 };
  expect(look('key')).toEqual({ problem: expect.stringMatching(/HTTP 401.*MESSAGING_API_KEY/) });
});

it('tells a token that Slack refuses from a Slack that is away', async () => {
  let error: Error | undefined;
  const client = {
    auth: {
      test: async () => {
        if (error) throw error;
        return { team_id: 'T', user_id: 'U', bot_id: 'B' };
      },
    },
  };
  const slack = { health: (): object => ({ ready: true }) };
  const { look, clock } = herald({ client, slack });
  expect(await look('token')).toEqual({ fine: clock.now() });
  error = new webApi.WebAPIPlatformError({ ok: false, error: 'token_revoked' } as never);
  expect(await look('token')).toEqual({
    problem: expect.stringMatching(/SLACK_BOT_TOKEN is no longer valid/),
  });
  error = new Error('no way there');
  expect(await look('token')).toBeUndefined();
  slack.health = () => ({ ready: false, isRefused: true, problem: 'Slack refused SLACK_APP_TOKEN.' });
  expect(await look('token')).toEqual({ problem: 'Slack refused SLACK_APP_TOKEN.' });
});

it('knows of what is removed by its age how that went', () => {
  const problem = 'What is too old is not removed. Nobody confirms the clock.';
  expect(herald({ removal: () => ({ problem }) }).look('removal')).toEqual({ problem });
  expect(herald().look('removal')).toBeUndefined();
});

it('knows for an hour that Slack drops events, and ends what is older only', async () => {
  const health: { droppedAt?: number } = {};
  const { look, clock } = herald({ slack: { health: () => health } });
  expect(look('events')).toEqual({ fine: clock.now() - 60 * MINUTE_MS });
  health.droppedAt = clock.now();
  expect(look('events')).toEqual({ problem: expect.stringMatching(/^Slack drops events: .*Alerts/) });
});

it('waits ten minutes for a service that fails', async () => {
  const latest = { state: 'accepted', at: 3 };
  const { look, clock, standing } = herald({ gateway: { health: () => ({ latest }) } });
  expect(await look('breaker:sms')).toEqual({ fine: 3 });
  standing.openSince = clock.now();
  expect(await look('breaker:sms')).toBeUndefined();
  await clock.advance(10 * MINUTE_MS);
  expect(await look('breaker:sms')).toEqual({ problem: expect.stringMatching(/sms has waited/) });
});

it('believes of a breaker what all replicas share', async () => {
  const states = new Map([['sms', { broken: { probeInMs: 1 } }]]);
  const { look, clock } = herald({ stores: { sharing: { channels: { read: async () => states } } } });
  expect(await look('breaker:sms')).toBeUndefined();
  states.clear();
  expect(await look('breaker:sms')).toEqual({ fine: clock.now() });
});

it('knows of rules what was seen of their channel within the last minute', async () => {
  let unseen: object | undefined;
  const rules = [{ name: 'critical & more', channel: 'C0OPS' }];
  const { look, clock } = herald({ sight: async () => unseen, alertSettings: { rules } });
  expect(await look('rule:C0OPS')).toEqual({ fine: clock.now() - MINUTE_MS });
  unseen = { state: 'later', why: 'Slack gave no answer.' };
  expect(await look('rule:C0OPS')).toBeUndefined();
  unseen = { state: 'refused', why: 'It is archived.' };
  expect(await look('rule:C0OPS')).toEqual({
    problem: 'Rules that watch <#C0OPS> see nothing (critical &amp; more): It is archived.',
  });
});

it('knows of a backup that is overdue, the first one included', async () => {
  let latest: number | undefined;
  const backups = { folder: '/backups', everyMs: 60 * MINUTE_MS, latest: () => latest };
  const { look, clock } = herald({ backups });
  expect(look('backup')).toHaveProperty('fine');
  await clock.leap(121 * MINUTE_MS);
  expect(look('backup')).toEqual({ problem: expect.stringMatching(/overdue.*\/backups/) });
  latest = clock.now();
  expect(look('backup')).toHaveProperty('fine');
});

it('looks at the disk of a file, and leaves that of a server to others', async () => {
  expect(await herald().look('disk')).toBeUndefined();
  const on = (path: string) => ({ configuration: { environment: { DATABASE_URL: `file:${path}` } } });
  const found = await herald(on(at('herald.db'))).look('disk');
  // As full as this machine's disk is, it is one or the other.
  expect(Object.keys(found ?? {})).toEqual([expect.stringMatching(/^(fine|problem)$/)]);
  expect(await herald(on(at())).look('disk')).toEqual({ problem: expect.stringMatching(/\S/) });
});
