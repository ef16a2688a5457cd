import { expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { createTimers, taskKey } from '../../src/sends/tasks.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { describeTasks } from '../store/task-contract.ts';

describeTasks('A process alone', async () =>
  createTimers({ clock: systemClock, logger: createRecordingLogger() }),
);

const DAY = 86_400_000;

it('does what is to be done in half a minute then, though the clock of the machine is set back meanwhile', async () => {
  const clock = createManualClock();
  const timers = createTimers({ clock, logger: createRecordingLogger() });
  const done: string[] = [];
  await timers.start(async (task) => void done.push(taskKey(task)));
  await timers.arm({}, clock.now() + 30_000);
  await clock.advance(1_000);
  clock.set(-7_200_000);
  await clock.advance(30_000);
  expect(done).toEqual(['look']);
});

it('does what is a year ahead then, and not at once as a timer of Node’s would', async () => {
  const clock = createManualClock();
  const timers = createTimers({ clock, logger: createRecordingLogger() });
  const at: number[] = [];
  await timers.start(async () => void at.push(clock.now()));
  const year = clock.now() + 365 * DAY;
  await timers.arm({ sendId: 'S-A' }, year);
  await clock.leap(364 * DAY);
  expect(at).toEqual([]);
  await clock.advance(DAY);
  expect(at).toEqual([year]);
});
