import { expect, it } from 'vitest';
import { createSparseLog } from '../../src/core/sparse-log.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

const MINUTE_MS = 60_000;

function setUp() {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const stop = new AbortController();
  const warn = createSparseLog({ clock, logger, stopping: stop.signal });
  const said = () => logger.lines.map(({ fields }) => fields);
  return { clock, logger, stop, warn, said };
}

it('logs the first of a kind, and then once a minute how many more came', async () => {
  const { clock, logger, warn, said } = setUp();
  for (let times = 0; times < 1_000; times += 1) warn('a', {}, 'refused');
  warn('b', {}, 'refused');
  expect(said()).toEqual([{ reason: 'a' }, { reason: 'b' }]);
  await clock.advance(MINUTE_MS - 1);
  expect(said()).toHaveLength(2);
  await clock.advance(1);
  expect(said().slice(2)).toEqual([{ reason: 'a', more: 999 }]);
  warn('a', {}, 'refused');
  await clock.advance(MINUTE_MS);
  expect(said().slice(3)).toEqual([{ reason: 'a', more: 1 }]);
  expect(new Set(logger.lines.map(({ level, message }) => `${level} ${message}`))).toEqual(
    new Set(['warn refused']),
  );
});

it('after a minute without one the next is a first one, and no timer is left', async () => {
  const { clock, warn, said } = setUp();
  warn('a', {}, 'refused');
  await clock.advance(MINUTE_MS);
  expect(clock.sleeping).toBe(0);
  warn('a', {}, 'refused');
  expect(said()).toEqual([{ reason: 'a' }, { reason: 'a' }]);
});

it('a stop ends the wait, with what was counted, and keeps the rest short', async () => {
  const { clock, stop, warn, said } = setUp();
  for (let times = 0; times < 5; times += 1) warn('a', {}, 'refused');
  stop.abort();
  await clock.advance(0);
  expect(clock.sleeping).toBe(0);
  expect(said()).toEqual([{ reason: 'a' }, { reason: 'a', more: 4 }]);
  for (let times = 0; times < 5; times += 1) warn('a', {}, 'refused');
  expect(said()).toHaveLength(2);
});
