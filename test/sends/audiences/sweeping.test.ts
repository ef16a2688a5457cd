import { expect, it } from 'vitest';
import { keepSweepingLists } from '../../../src/sends/audiences/sweeping.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';

const DAY = 24 * 3_600_000;

it('sweeps at the start and daily, through errors, until Herald stops', async () => {
  const clock = createManualClock(10 * DAY);
  const stop = new AbortController();
  const asked: number[] = [];
  const answers = [0, new Error('the disk is full'), 2, 1];
  const store = {
    sweepUnused: async (before: number) => {
      asked.push(before / DAY);
      const answer = answers.shift() ?? 0;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const logger = createRecordingLogger();
  const done = keepSweepingLists({ store, clock, logger, stopping: stop.signal });
  await clock.advance(2 * DAY);
  expect(asked).toEqual([9, 10, 11]);
  expect(logger.lines.map(({ level, message }) => [level, message])).toEqual([
    ['error', 'lists that nobody sent to could not be dropped; trying again tomorrow'],
    ['info', 'lists that nobody sent to within a day were dropped'],
  ]);
  stop.abort();
  await done;
  await clock.advance(2 * DAY);
  expect(asked).toHaveLength(3);
});
