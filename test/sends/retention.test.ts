import { expect, it } from 'vitest';
import { keepRemoving, type RetentionStore } from '../../src/sends/retention.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function setUp({ leads = true, failing = false } = {}) {
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
  };
  const sharing = { isLeader: async () => leads };
  return {
    asked,
    left,
    stop,
    logger,
    clock,
    all: { store, audiences, sharing, clock, logger, stopping: stop.signal },
  };
}

it('removes in steps, with rests, until nothing is left, looks again hourly, and ends with Herald', async () => {
  const { asked, left, stop, logger, clock, all } = setUp();
  const done = keepRemoving({ recipients: 90 }, all);
  await clock.advance(0);
  expect(asked).toHaveLength(1);
  await clock.advance(HOUR / 2);
  expect(asked).toHaveLength(4);
  expect(asked[0]).toBe('numbers 10 now');
  expect(left.pages).toBe(-1);
  expect(logger.lines).toMatchObject([
    {
      level: 'info',
      fields: { recipients: 1_500 },
      message: 'what was older than retention says was removed',
    },
  ]);
  await clock.advance(HOUR);
  expect(asked).toHaveLength(5);
  stop.abort();
  await done;
  await clock.advance(3 * HOUR);
  expect(asked).toHaveLength(5);
});

it('removes what has a period of its own, and says nothing when there was nothing', async () => {
  const { asked, stop, logger, clock, all } = setUp();
  void keepRemoving({ texts: 10, webhooks: 20, answers: 30, lists: 40 }, all);
  await clock.advance(HOUR / 2);
  stop.abort();
  expect(asked).toEqual(['texts 90 100', 'bodies 80', 'answers 70', 'lists 60']);
  expect(logger.lines).toEqual([]);
});

it('stops between two steps when Herald does', async () => {
  const { asked, stop, clock, all } = setUp();
  const done = keepRemoving({ recipients: 90, webhooks: 1 }, all);
  await clock.advance(0);
  stop.abort();
  await done;
  expect(asked).toEqual(['numbers 10 now']);
});

it('tries again in an hour what failed', async () => {
  const { asked, stop, logger, clock, all } = setUp({ failing: true });
  const done = keepRemoving({ recipients: 90 }, all);
  await clock.advance(2 * HOUR);
  expect(logger.lines.map(({ level }) => level)).toEqual(['error', 'info']);
  expect(asked.length).toBeGreaterThan(3);
  stop.abort();
  await done;
});

it('leaves it to the replica that leads, and removes nothing where nothing is configured', async () => {
  const follower = setUp({ leads: false });
  void keepRemoving({ recipients: 90 }, follower.all);
  await follower.clock.advance(3 * HOUR);
  expect(follower.asked).toEqual([]);
  follower.stop.abort();
  const none = setUp();
  await keepRemoving({}, none.all);
  expect(none.asked).toEqual([]);
});
