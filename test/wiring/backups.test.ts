import { expect, it } from 'vitest';
import { keepBackingUp } from '../../src/store/sqlite/backups.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

it('backs up when the newest backup is old enough, tries again what failed, and ends with Herald', async () => {
  const clock = createManualClock();
  const start = clock.now();
  const logger = createRecordingLogger();
  const stop = new AbortController();
  /** The first was made by the Herald before this one, two hours before its start. */
  let latest = start - 2 * HOUR;
  const taken: number[] = [];
  const answers = [true, false, true];
  keepBackingUp({
    backups: {
      folder: 'backups',
      everyMs: 24 * HOUR,
      latest: () => latest,
      take: async (now) => {
        taken.push((now - start) / MINUTE);
        if (answers.shift() === false) return { ok: false, error: 'The disk is full.' };
        latest = now;
        return { ok: true, value: { sends: 3, optOuts: 1 } };
      },
    },
    clock,
    logger,
    stopping: stop.signal,
  });
  await clock.advance(47 * HOUR);
  expect(taken).toEqual([22 * 60, 46 * 60, 46 * 60 + 10]);
  expect(logger.lines.map(({ level, fields }) => [level, fields])).toEqual([
    ['info', { sends: 3, optOuts: 1 }],
    ['error', { why: 'The disk is full.' }],
    ['info', { sends: 3, optOuts: 1 }],
  ]);
  stop.abort();
  await clock.advance(72 * HOUR);
  expect(taken).toHaveLength(3);
});
