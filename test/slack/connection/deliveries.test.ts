import type { ReceiverEvent } from '@slack/bolt';
import { expect, test } from 'vitest';
import { createNotes } from '../../../src/sends/notes.ts';
import { createDeliveries, createFirstDelivery } from '../../../src/slack/connection/deliveries.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { NO_METRICS } from '../test-app.ts';

function setUp(process: (event: ReceiverEvent) => Promise<void>) {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const acknowledged: [string, number][] = [];
  const count = (kind: string, seconds: number) => void acknowledged.push([kind, seconds]);
  const metrics = { ...NO_METRICS, acknowledged: count };
  const deliveries = createDeliveries({ process, clock, logger, metrics });
  const take = (key = 'e1') => deliveries.take({ key, payload: COMMAND });
  return { clock, logger, acknowledged, deliveries, take };
}

const COMMAND = { command: '/sms', text: '+6591234567 hello' };
const ERRORS = { response_action: 'errors', errors: { to: 'Enter one number.' } };
const acknowledgedWith = (payload?: object) => ({ state: 'acknowledged', payload });

test('the acknowledgement is the answer, at once, while the handler goes on', async () => {
  const finish = Promise.withResolvers<void>();
  const { deliveries, acknowledged, clock, take } = setUp(async ({ ack }) => {
    await clock.sleep(250);
    await ack({ text: 'working' });
    await finish.promise;
  });
  const answer = take();
  await clock.advance(250);
  expect(await answer).toEqual(acknowledgedWith({ text: 'working' }));
  expect(acknowledged).toEqual([['command', 0.25]]);
  const drained = deliveries.drain(1000);
  await clock.advance(1000);
  expect(await drained).toBe(1);
  finish.resolve();
  expect(await deliveries.drain(1000)).toBe(0);
});

test.each([
  ['an empty text', '', undefined],
  ['a text', 'hi', { text: 'hi' }],
  ['an object', { response_action: 'clear' }, { response_action: 'clear' }],
])('acknowledging with %s', async (_name, response, payload) => {
  const { take } = setUp(({ ack }) => ack(response));
  expect(await take()).toEqual({ state: 'acknowledged', payload });
});

test('the same delivery twice runs once and is answered alike', async () => {
  let runs = 0;
  const { take } = setUp(async ({ ack }) => {
    runs += 1;
    await ack(ERRORS);
  });
  const expected = acknowledgedWith(ERRORS);
  expect(await Promise.all([take(), take()])).toEqual([expected, expected]);
  expect(runs).toBe(1);
});

test('a repetition within ten minutes does not run, even when its answer is forgotten', async () => {
  let runs = 0;
  const { clock, take } = setUp(async ({ ack }) => {
    runs += 1;
    await ack({ text: `run ${runs}` });
  });
  await take();
  await clock.advance(9 * 60_000);
  expect(await take()).toEqual(acknowledgedWith());
  expect(runs).toBe(1);
  await clock.advance(60_000);
  expect(await take()).toEqual(acknowledgedWith({ text: 'run 2' }));
});

test.each([
  ['fails', () => Promise.reject(new Error('the database is gone'))],
  ['is for nobody yet', () => Promise.resolve()],
] as const)('an event that %s runs when Slack delivers it again, and no command does', async (_, begins) => {
  let down = true;
  let runs = 0;
  const { deliveries, clock } = setUp(async ({ ack }) => {
    runs += 1;
    return down ? begins() : ack();
  });
  const event = { key: 'e1', payload: { event: { type: 'message' } } };
  const command = { key: 'c1', payload: COMMAND };
  for (const one of [event, command]) expect((await deliveries.take(one)).state).not.toBe('acknowledged');
  down = false;
  for (const one of [event, event, command]) await deliveries.take(one);
  expect(runs).toBe(3);
  await clock.advance(61_000);
  expect(await deliveries.take(event)).toEqual(acknowledgedWith());
  expect(runs).toBe(3);
});

test('an event that fails after it was late runs when Slack delivers it again', async () => {
  let runs = 0;
  const { deliveries, clock } = setUp(async ({ ack }) => {
    runs += 1;
    if (runs > 1) return ack();
    await clock.sleep(4_000);
    throw new Error('the database is gone');
  });
  const event = { key: 'e1', payload: { event: { type: 'message' } } };
  const first = deliveries.take(event);
  await clock.advance(4_000);
  expect(await first).toEqual({ state: 'late' });
  expect(await deliveries.take(event)).toEqual(acknowledgedWith());
});

test('a broken handler is failed, and logged without the payload', async () => {
  const { logger, take } = setUp(async () => {
    throw new TypeError('x is not a function');
  });
  expect(await take()).toEqual({ state: 'failed' });
  expect(logger.lines.map(({ level }) => level)).toEqual(['error']);
  expect(JSON.stringify(logger.lines)).not.toMatch(/hello|91234567/);
});

test('no acknowledgement in three seconds is late; a repetition after it came gets it', async () => {
  const { clock, logger, take } = setUp(async ({ ack }) => {
    await clock.sleep(4000);
    await ack({ text: 'at last' });
  });
  const first = take();
  await clock.advance(3000);
  expect(await first).toEqual({ state: 'late' });
  await clock.advance(1000);
  expect(await take()).toEqual(acknowledgedWith({ text: 'at last' }));
  expect(logger.lines.map(({ level, fields }) => [level, fields])).toEqual([
    ['error', { kind: 'command' }],
    ['warn', { kind: 'command', tookMs: 4000 }],
    ['info', { kind: 'command' }],
  ]);
});

test('a second acknowledgement changes nothing', async () => {
  const { take } = setUp(async ({ ack }) => {
    await ack({ text: 'first' });
    await ack({ text: 'second' });
  });
  expect(await take()).toEqual(acknowledgedWith({ text: 'first' }));
});

function handed(deliveryKey: string, body: Record<string, unknown> = { command: '/sms' }): ReceiverEvent {
  return { body, ack: async () => {}, customProperties: { deliveryKey } };
}

test('of two processes that are handed the same delivery one runs it', async () => {
  const clock = createManualClock();
  const notes = createNotes(clock);
  const [one, other] = [1, 2].map(() => createFirstDelivery(notes.claim, clock, createRecordingLogger()));
  const answers = await Promise.all([one?.(handed('k')), other?.(handed('k')), other?.(handed('another'))]);
  expect(answers).toEqual([true, false, true]);
});

test.each([
  // Whoever had it first may have died before it was done.
  ['an event', { event: { type: 'function_executed' } }],
  ['a suggestion', { type: 'block_suggestion' }],
])('%s that comes again is run', async (_name, body) => {
  const isFirst = createFirstDelivery(async () => false, createManualClock(), createRecordingLogger());
  expect(await isFirst(handed('k', body))).toBe(true);
});

test('runs it when the store fails, or does not say in time for Slack', async () => {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const broken = createFirstDelivery(() => Promise.reject(new Error('gone')), clock, logger);
  expect(await broken(handed('k'))).toBe(true);
  const silent = createFirstDelivery(() => new Promise(() => {}), clock, logger);
  let answer: boolean | undefined;
  void silent(handed('k')).then((first) => {
    answer = first;
  });
  await clock.advance(499);
  expect(answer).toBeUndefined();
  await clock.advance(1);
  expect(answer).toBe(true);
});
