import { expect, it } from 'vitest';
import { keepRemoving, type RetentionStore } from '../../src/sends/retention.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** @param doubts what is wrong with the clock at each look */
function setUp({ leads = true, failing = false, doubts = [] as (string | undefined)[] } = {}) {
  const clock = createManualClock(100 * DAY);
  const stop = new AbortController();
  const logger = createRecordingLogger();
  const asked: string[] = [];
  const left = { numbers: 3, pages: 2 };
  const store: RetentionStore = {
    removeNumbers: async (before, at) => {
      asked.push(`numbers ${before / DAY} ${at > 100 * DAY ? 'later' : 'now'}`);
      if (failing && asked.length === 1) throw new Error('the disk is full');
      left.numbers -= 1;
      return left.numbers < 0 ? 0 : 500;
    },
    removeTexts: async (before, at) => {
      asked.push(`texts ${before / DAY} ${at / DAY}`);
      return 0;
    },
    removeBodies: async (before) => {
      asked.push(`bodies ${before / DAY}`);
      return 0;
    },
    removeAnswers: async (before) => {
      asked.push(`answers ${before / DAY}`);
      return 0;
    },
    giveBack: async () => {
      left.pages -= 1;
      return left.pages < 0 ? 0 : 500;
    },
  };
  const audiences = {
    sweepOld: async (before: number) => {
      asked.push(`lists ${before / DAY}`);
      return 0;
    },
    sweepUnused: async (before: number) => {
      asked.push(`unused ${before / DAY}`);
      return 0;
    },
  };
  const all = {
    ...{ store, audiences, clock, logger, stopping: stop.signal },
    sharing: { isLeader: async () => leads },
    doubt: async () => doubts.shift(),
  };
  return { asked, left, stop, logger, clock, all };
}

it('removes in steps, with rests, until nothing is left, looks again hourly, and ends with Herald', async () => {
  const { asked, left, stop, logger, clock, all } = setUp();
  keepRemoving({ recipients: 90 }, all);
  await clock.advance(0);
  expect(asked).toHaveLength(1);
  await clock.advance(HOUR / 2);
  expect(asked).toHaveLength(5);
  expect(asked[0]).toBe('numbers 10 now');
  expect(left.pages).toBe(-1);
  expect(logger.lines).toMatchObject([
    {
      level: 'info',
      fields: { recipients: 1_500 },
      message: 'what was too old was removed',
    },
  ]);
  await clock.advance(HOUR);
  expect(asked).toHaveLength(7);
  stop.abort();
  await clock.advance(3 * HOUR);
  expect(asked).toHaveLength(7);
});

it('removes what has a period of its own, and says nothing when there was nothing', async () => {
  const { asked, stop, logger, clock, all } = setUp();
  keepRemoving({ texts: 10, webhooks: 20, answers: 30, lists: 40 }, all);
  await clock.advance(HOUR / 2);
  stop.abort();
  expect(asked).toEqual(['texts 90 100', 'bodies 80', 'answers 70', 'lists 60', 'unused 99']);
  expect(logger.lines).toEqual([]);
});

it('stops between two steps when Herald does', async () => {
  const { asked, stop, clock, all } = setUp();
  keepRemoving({ recipients: 90, webhooks: 1 }, all);
  await clock.advance(0);
  stop.abort();
  await clock.advance(HOUR);
  expect(asked).toEqual(['numbers 10 now']);
});

it('tries again soon what failed', async () => {
  const { asked, stop, logger, clock, all } = setUp({ failing: true });
  keepRemoving({ recipients: 90 }, all);
  await clock.advance(HOUR / 2);
  expect(logger.lines.map(({ level }) => level)).toEqual(['error', 'info']);
  expect(asked.length).toBeGreaterThan(3);
  stop.abort();
});

it('removes nothing by a clock that is in doubt, looks again soon, and notes it when it lasts', async () => {
  const doubts = ['It is wrong.', 'It is wrong.', 'It is wrong.', undefined];
  const { asked, stop, logger, clock, all } = setUp({ doubts });
  const latest = keepRemoving({ recipients: 90 }, all);
  await clock.advance(0);
  expect(asked).toEqual([]);
  expect(logger.lines).toMatchObject([
    { level: 'warn', fields: { why: 'It is wrong.' }, message: 'nothing is removed by its age' },
  ]);
  // Somebody who does not say once what time it is needs nobody.
  expect(latest()).toBeUndefined();
  await clock.advance(20 * 60_000);
  expect(asked).toEqual([]);
  expect(latest()).toEqual({ problem: 'What is too old is not removed. It is wrong.' });
  await clock.advance(10 * 60_000);
  expect(asked[0]).toMatch(/^numbers/);
  expect(latest()).toEqual({ fine: 100 * DAY + HOUR / 2 });
  stop.abort();
});

it('removes by the time that was confirmed, however long it takes', async () => {
  const { asked, stop, clock, all } = setUp();
  keepRemoving({ recipients: 90, texts: 90 }, all);
  await clock.advance(0);
  clock.set(3_650 * DAY);
  await clock.advance(HOUR / 2);
  stop.abort();
  expect(asked).toContain('texts 10 100');
  expect(asked.at(-1)).toBe('unused 99');
});

it('leaves it to the replica that leads, and where nothing is configured removes lists that nobody sent to', async () => {
  const follower = setUp({ leads: false });
  const latest = keepRemoving({ recipients: 90 }, follower.all);
  await follower.clock.advance(3 * HOUR);
  expect(follower.asked).toEqual([]);
  expect(latest()).toBeUndefined();
  follower.stop.abort();
  const none = setUp();
  keepRemoving({}, none.all);
  await none.clock.advance(HOUR / 2);
  none.stop.abort();
  expect(none.asked).toEqual(['unused 99']);
});
