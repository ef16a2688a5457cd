import type { ReceiverEvent } from '@slack/bolt';
import { expect, test } from 'vitest';
import { createDeliveries } from '../../../src/slack/connection/deliveries.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { NO_METRICS } from '../test-app.ts';

function setUp(process: (event: ReceiverEvent) => Promise<void>) {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const acknowledged: [string, number][] = [];
  const metrics = {
    ...NO_METRICS,
    acknowledged: (kind: string, seconds: number) => void acknowledged.push([kind, seconds]),
    apiCalled: () => {},
  };
  return { clock, logger, acknowledged, deliveries: createDeliveries({ process, clock, logger, metrics }) };
}

const COMMAND = { command: '/sms', text: '+6591234567 hello' };

test('the acknowledgement is the answer, at once, while the handler goes on', async () => {
  const finish = Promise.withResolvers<void>();
  const { deliveries, acknowledged, clock } = setUp(async ({ ack }) => {
    await clock.sleep(250);
    await ack({ text: 'working' });
    await finish.promise;
  });
  const answer = deliveries.take({ key: 'e1', payload: COMMAND });
  await clock.advance(250);
  expect(await answer).toEqual({ state: 'acknowledged', payload: { text: 'working' } });
  expect(acknowledged).toEqual([['command', 0.25]]);
  const drained = deliveries.drain(1000);
  await clock.advance(1000);
  expect(await drained).toBe(1);
  finish.resolve();
  expect(await deliveries.drain(1000)).toBe(0);
});

test.each([
  ['nothing', undefined, undefined],
  ['an empty text', '', undefined],
  ['a text', 'hi', { text: 'hi' }],
  ['an object', { response_action: 'clear' }, { response_action: 'clear' }],
])('acknowledging with %s', async (_name, response, payload) => {
  const { deliveries } = setUp(({ ack }) => ack(response));
  expect(await deliveries.take({ key: 'e1', payload: COMMAND })).toEqual({ state: 'acknowledged', payload });
});

test('the same delivery twice runs once and is answered alike', async () => {
  let runs = 0;
  const { deliveries } = setUp(async ({ ack }) => {
    runs += 1;
    await ack({ response_action: 'errors', errors: { to: 'Enter one number.' } });
  });
  const both = [
    deliveries.take({ key: 'e1', payload: COMMAND }),
    deliveries.take({ key: 'e1', payload: COMMAND }),
  ];
  const expected = {
    state: 'acknowledged',
    payload: { response_action: 'errors', errors: { to: 'Enter one number.' } },
  };
  expect(await Promise.all(both)).toEqual([expected, expected]);
  expect(runs).toBe(1);
});

test('a repetition within ten minutes does not run, even when its answer is forgotten', async () => {
  let runs = 0;
  const { deliveries, clock } = setUp(async ({ ack }) => {
    runs += 1;
    await ack({ text: `run ${runs}` });
  });
  await deliveries.take({ key: 'e1', payload: COMMAND });
  await clock.advance(9 * 60_000);
  expect(await deliveries.take({ key: 'e1', payload: COMMAND })).toEqual({
    state: 'acknowledged',
    payload: undefined,
  });
  expect(runs).toBe(1);
  await clock.advance(60_000);
  expect(await deliveries.take({ key: 'e1', payload: COMMAND })).toEqual({
    state: 'acknowledged',
    payload: { text: 'run 2' },
  });
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
  expect(await deliveries.take(event)).toEqual({ state: 'acknowledged', payload: undefined });
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
  expect(await deliveries.take(event)).toEqual({ state: 'acknowledged', payload: undefined });
});

test('nobody answering is unhandled', async () => {
  const { deliveries } = setUp(async () => {});
  expect(await deliveries.take({ key: 'e1', payload: COMMAND })).toEqual({ state: 'unhandled' });
});

test('a broken handler is failed, and logged without the payload', async () => {
  const { deliveries, logger } = setUp(async () => {
    throw new TypeError('x is not a function');
  });
  expect(await deliveries.take({ key: 'e1', payload: COMMAND })).toEqual({ state: 'failed' });
  expect(logger.lines.map(({ level, message }) => ({ level, message }))).toEqual([
    { level: 'error', message: 'a delivery from Slack could not be handled' },
  ]);
  expect(JSON.stringify(logger.lines)).not.toMatch(/hello|91234567/);
});

test('no acknowledgement in three seconds is late; a repetition after it came gets it', async () => {
  const { deliveries, clock, logger } = setUp(async ({ ack }) => {
    await clock.sleep(4000);
    await ack({ text: 'at last' });
  });
  const first = deliveries.take({ key: 'e1', payload: COMMAND });
  await clock.advance(3000);
  expect(await first).toEqual({ state: 'late' });
  await clock.advance(1000);
  expect(await deliveries.take({ key: 'e1', payload: COMMAND })).toEqual({
    state: 'acknowledged',
    payload: { text: 'at last' },
  });
  expect(logger.lines).toEqual([
    {
      level: 'error',
      fields: { kind: 'command' },
      message: 'an interaction was not acknowledged within three seconds',
    },
    {
      level: 'warn',
      fields: { kind: 'command', tookMs: 4000 },
      message: 'an acknowledgement came too late for Slack',
    },
    {
      level: 'info',
      fields: { kind: 'command' },
      message: 'Slack delivered the same thing again; it was not run again',
    },
  ]);
});

test('of several each is late at its own time, and nothing is watched once they are drained', async () => {
  const { deliveries, clock } = setUp(async ({ ack, body }) => {
    await clock.sleep(body.takes);
    await ack({ text: body.text });
  });
  const late: [string, number][] = [];
  const take = (text: string, takes: number) =>
    void deliveries
      .take({ key: text, payload: { ...COMMAND, text, takes } })
      .then(({ state }) => late.push([`${text} ${state}`, clock.monotonic() - begun]));
  const begun = clock.monotonic();
  take('a', 10);
  await clock.advance(1000);
  take('b', 5000);
  await clock.advance(1000);
  take('c', 100);
  take('d', 5000);
  await clock.advance(3500);
  expect(late).toEqual([
    ['a acknowledged', 10],
    ['c acknowledged', 2100],
    ['b late', 4000],
    ['d late', 5000],
  ]);
  take('e', 1000);
  const drained = deliveries.drain(2000);
  await clock.advance(2000);
  expect([await drained, clock.sleeping]).toEqual([0, 0]);
});

test('a second acknowledgement changes nothing', async () => {
  const { deliveries } = setUp(async ({ ack }) => {
    await ack({ text: 'first' });
    await ack({ text: 'second' });
  });
  expect(await deliveries.take({ key: 'e1', payload: COMMAND })).toEqual({
    state: 'acknowledged',
    payload: { text: 'first' },
  });
});
