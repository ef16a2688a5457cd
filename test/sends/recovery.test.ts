import { expect, it } from 'vitest';
import { stopWhatWasRestored } from '../../src/sends/recovery.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

/** What is done at a start with a database of which the store says this. */
async function start(stopped: readonly string[] | undefined) {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const done: unknown[] = [];
  const store = {
    stopRestored: async (failure: { readonly what: string }, at: number) => {
      done.push([failure.what, at - clock.now()]);
      return stopped;
    },
  };
  const alerts = { stopRestored: async () => void done.push('alerts') };
  return { told: await stopWhatWasRestored({ store, alerts, clock, logger }), done, logger };
}

const WHY = expect.stringMatching(/older copy/);

it('stops alerts in a restored copy, too, says so once, and has the sends announced', async () => {
  const { told, done, logger } = await start(['S-1', 'S-2']);
  expect(told).toEqual(['S-1', 'S-2']);
  expect(done).toEqual([[WHY, 0], 'alerts']);
  expect(logger.lines).toMatchObject([{ level: 'error', fields: { sendIds: ['S-1', 'S-2'] } }]);
});

it('does so where nothing of the copy was under way, and leaves any other database alone', async () => {
  expect((await start([])).done).toEqual([[WHY, 0], 'alerts']);
  const { told, done, logger } = await start(undefined);
  expect([told, done, logger.lines]).toEqual([[], [[WHY, 0]], []]);
});
