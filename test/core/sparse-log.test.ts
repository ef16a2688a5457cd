import { expect, it } from 'vitest';
import { createSparseLog } from '../../src/core/surroundings.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

const MINUTE_MS = 60_000;

function setUp() {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const warn = createSparseLog({ clock, logger });
  const many = (reason: string, times: number) => {
    for (let time = 0; time < times; time += 1) warn(reason, { status: 401 }, 'refused');
  };
  const line = (fields: object) => ({
    level: 'warn',
    fields: { status: 401, ...fields },
    message: 'refused',
  });
  return { clock, logger, many, line };
}

it('logs the first of a kind, and then once a minute how many more came', async () => {
  const { clock, logger, many, line } = setUp();
  many('a', 1_000);
  many('b', 1);
  await clock.advance(MINUTE_MS - 1);
  many('a', 500);
  const first = [line({ reason: 'a' }), line({ reason: 'b' })];
  expect(logger.lines).toEqual(first);
  await clock.advance(1);
  many('a', 1_000);
  expect(logger.lines).toEqual([...first, line({ reason: 'a', more: 1_499 })]);
  await clock.advance(MINUTE_MS);
  many('a', 1);
  expect(logger.lines.slice(3)).toEqual([line({ reason: 'a', more: 999 })]);
});

it('counts nobody twice: what comes alone stands alone', async () => {
  const { clock, logger, many, line } = setUp();
  many('a', 1);
  await clock.advance(MINUTE_MS);
  many('a', 1);
  expect(logger.lines).toEqual([line({ reason: 'a' }), line({ reason: 'a' })]);
  expect(clock.sleeping).toBe(0);
});
