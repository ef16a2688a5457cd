import { expect, it } from 'vitest';
import { createBackgroundWork } from '../../src/sends/background-work.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

function setting() {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const stop = new AbortController();
  const work = createBackgroundWork('a test', { clock, logger, stopping: stop.signal });
  const lines = () => logger.lines.map(({ level, message }) => `${level}: ${message}`);
  return { clock, stop, lines, ...work };
}

it('steps, rests as long as the step says, and begins at once when it is woken', async () => {
  const { clock, stop, createLoop, drain } = setting();
  let steps = 0;
  const loop = createLoop('looking', async () => {
    steps += 1;
    return 1_000;
  });
  loop.start(500);
  await clock.advance(499);
  expect(steps).toBe(0);
  await clock.advance(1);
  expect(steps).toBe(1);
  await clock.advance(999);
  expect(steps).toBe(1);
  loop.wake();
  await clock.advance(0);
  expect(steps).toBe(2);
  await clock.advance(1_000);
  expect(steps).toBe(3);
  stop.abort();
  expect(await drain(0)).toBe(0);
  await clock.advance(5_000);
  expect(steps).toBe(3);
});

it('goes on five seconds after a step that failed, and says so', async () => {
  const { clock, lines, createLoop } = setting();
  let steps = 0;
  createLoop('looking', async () => {
    steps += 1;
    if (steps === 1) throw new Error('gone');
    return 60_000;
  }).start();
  await clock.advance(4_999);
  expect([steps, lines()]).toEqual([1, ['error: looking failed; trying again']]);
  await clock.advance(1);
  expect(steps).toBe(2);
});

it('waits for its work until a deadline, and survives a bug in it', async () => {
  const { clock, lines, keep, drain, drained } = setting();
  keep(Promise.reject(new Error('a bug')));
  keep(clock.sleep(1_000));
  keep(clock.sleep(9_000));
  const left = drain(2_000);
  await clock.advance(2_000);
  expect([await left, lines()]).toEqual([1, ['error: a test ended in a way that is a bug']]);
  let isDrained = false;
  void drained().then(() => {
    isDrained = true;
  });
  await clock.advance(6_999);
  expect(isDrained).toBe(false);
  await clock.advance(1);
  expect(isDrained).toBe(true);
});
