import { webApi } from '@slack/bolt';
import { beforeEach, expect, test } from 'vitest';
import type { Alert } from '../../../src/sends/alerts/alert.ts';
import { createReactions } from '../../../src/slack/alerts/posts.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger, type RecordingLogger } from '../../fakes/logger.ts';

let calls: string[];
let refusal: (name: string, how: string) => Error | undefined;
let logger: RecordingLogger;
let show: (alert: Alert) => Promise<number>;
/** Of how the calls come out, as Slack keeps it. */
let shown: Set<string>;

beforeEach(() => {
  calls = [];
  shown = new Set();
  refusal = () => undefined;
  logger = createRecordingLogger();
  const call = (how: string) => async (given: { channel: string; timestamp: string; name: string }) => {
    calls.push(`${how} ${given.name} ${given.channel}/${given.timestamp}`);
    const error = refusal(given.name, how);
    if (error !== undefined) throw error;
    if (how === 'add') shown.add(given.name);
    else shown.delete(given.name);
    return { ok: true };
  };
  const client = { reactions: { add: call('add'), remove: call('remove') } } as unknown as webApi.WebClient;
  show = createReactions({ client, clock: createManualClock(), logger });
});

const alert = (state: Alert['state'], id = 'L-1') => ({ id, channelId: 'C0', ts: '1.0', state }) as Alert;
const platform = (error: string) => new webApi.WebAPIPlatformError({ ok: false, error });

test('an alert’s message shows its state, and nothing twice', async () => {
  for (const state of ['open', 'open', 'acknowledged', 'resolved'] as const) await show(alert(state));
  expect(calls).toEqual([
    'add rotating_light C0/1.0',
    'add eyes C0/1.0',
    'remove rotating_light C0/1.0',
    'add white_check_mark C0/1.0',
    'remove eyes C0/1.0',
  ]);
});

test('what an earlier process has shown is replaced', async () => {
  await show(alert('acknowledged'));
  expect(calls.toSorted()).toEqual([
    'add eyes C0/1.0',
    'remove rotating_light C0/1.0',
    'remove white_check_mark C0/1.0',
  ]);
});

test('of two alerts of one message the one that needs somebody shows', async () => {
  await show(alert('open', 'L-1'));
  await show(alert('open', 'L-2'));
  await show(alert('acknowledged', 'L-1'));
  expect(calls).toEqual(['add rotating_light C0/1.0']);
  await show(alert('resolved', 'L-2'));
  expect(calls.slice(1)).toEqual(['add eyes C0/1.0', 'remove rotating_light C0/1.0']);
});

test('without the scope nothing more is asked, and the log says so once', async () => {
  refusal = () => platform('missing_scope');
  for (const state of ['open', 'acknowledged', 'resolved'] as const) await show(alert(state));
  expect(calls).toEqual(['add rotating_light C0/1.0']);
  expect(logger.lines.map(({ level }) => level)).toEqual(['warn']);
});

const LIMITED = new webApi.WebAPIRateLimitedError(40);
const PASSING: readonly [string, Error][] = [
  ['says 429', LIMITED],
  ['is in trouble', platform('internal_error')],
  ['cannot be reached', new TypeError('fetch failed')],
  ['refuses for a moment', platform('team_added_to_org')],
];

test.each(PASSING)(
  'what Slack does not take as it %s is asked for again until it is as wanted',
  async (_, error) => {
    refusal = () => error;
    const waits = [await show(alert('open')), await show(alert('open')), await show(alert('open'))];
    expect(waits).toEqual(error === LIMITED ? [40_000, 40_000, 60_000] : [15_000, 30_000, 60_000]);
    expect(await show(alert('open'))).toBe(60_000);
    refusal = () => undefined;
    expect(await show(alert('open'))).toBe(0);
    expect(calls).toHaveLength(5);
    await show(alert('open'));
    expect(calls).toHaveLength(5);
  },
);

test.each(PASSING)('one sign goes when the other stands, though Slack %s between', async (_, error) => {
  await show(alert('open'));
  refusal = (_name, how) => (how === 'add' ? error : undefined);
  expect(await show(alert('resolved'))).toBeGreaterThan(0);
  expect([...shown]).toEqual(['rotating_light']);
  refusal = (_name, how) => (how === 'remove' ? error : undefined);
  expect(await show(alert('resolved'))).toBeGreaterThan(0);
  expect([...shown]).toEqual(['rotating_light', 'white_check_mark']);
  refusal = () => undefined;
  expect(await show(alert('resolved'))).toBe(0);
  expect([...shown]).toEqual(['white_check_mark']);
});

test('an alert that an edit says again shows that it is open, and no longer that it is over', async () => {
  shown.add('white_check_mark');
  expect(await show({ ...alert('open', 'L-2'), edited: true })).toBe(0);
  expect([...shown]).toEqual(['rotating_light']);
});

test.each(['already_reacted', 'no_reaction', 'message_not_found', 'too_many_reactions', 'is_archived'])(
  'what Slack refuses with %s is not asked for again',
  async (code) => {
    refusal = () => platform(code);
    expect(await show(alert('acknowledged'))).toBe(0);
    expect(await show(alert('resolved'))).toBe(0);
  },
);
