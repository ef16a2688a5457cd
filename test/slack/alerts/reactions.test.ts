import { webApi } from '@slack/bolt';
import { beforeEach, expect, test } from 'vitest';
import type { Alert } from '../../../src/sends/alerts/alert.ts';
import { createReactions } from '../../../src/slack/alerts/reactions.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger, type RecordingLogger } from '../../fakes/logger.ts';

let calls: string[];
let refusal: (name: string) => Error | undefined;
let logger: RecordingLogger;
let show: (alert: Alert) => Promise<void>;

beforeEach(() => {
  calls = [];
  refusal = () => undefined;
  logger = createRecordingLogger();
  const call = (how: string) => async (given: { channel: string; timestamp: string; name: string }) => {
    calls.push(`${how} ${given.name} ${given.channel}/${given.timestamp}`);
    const error = refusal(given.name);
    if (error !== undefined) throw error;
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

test('what Slack did not take for a moment is tried again with the next news', async () => {
  refusal = () => new webApi.WebAPIRateLimitedError(1);
  await show(alert('open'));
  refusal = () => undefined;
  await show(alert('open'));
  expect(calls).toEqual(['add rotating_light C0/1.0', 'add rotating_light C0/1.0']);
  await show(alert('open'));
  expect(calls).toHaveLength(2);
});
