import { describe, expect, it } from 'vitest';
import { createClockDoubt, keepRemoving, type RetentionStore } from '../../src/sends/retention.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** @param doubts what is wrong with the clock at each look */
function setUp({ leads = true, doubts = [] as (string | undefined)[] } = {}) {
  const clock = createManualClock(100 * DAY);
  const stop = new AbortController();
  const logger = createRecordingLogger();
  const asked: string[] = [];
  const left = { numbers: 3, pages: 2 };
  const none = async (what: string) => {
    asked.push(what);
    return 0;
  };
  const store: RetentionStore = {
    removeNumbers: async (before, at) => {
      asked.push(`numbers ${before / DAY} ${at > 100 * DAY ? 'later' : 'now'}`);
      left.numbers -= 1;
      return left.numbers < 0 ? 0 : 500;
    },
    removeTexts: (before, at) => none(`texts ${before / DAY} ${at / DAY}`),
    removeBodies: (before) => none(`bodies ${before / DAY}`),
    removeAnswers: (before) => none(`answers ${before / DAY}`),
    giveBack: async () => {
      left.pages -= 1;
      return left.pages < 0 ? 0 : 500;
    },
  };
  const audiences = {
    sweepOld: (before: number) => none(`lists ${before / DAY}`),
    sweepUnused: (before: number) => none(`unused ${before / DAY}`),
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
  const message = 'what was too old was removed';
  expect(logger.lines).toMatchObject([{ level: 'info', fields: { recipients: 1_500 }, message }]);
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

describe('a doubt about the clock', () => {
  /** @param ahead of whom this machine's clock is ahead, by how much; an error where nobody answers */
  function setClocks(ahead: Record<string, number | Error | undefined>) {
    const clock = createManualClock();
    const others = Object.keys(ahead).map((whose) => {
      const compare = async () => {
        const ms = ahead[whose];
        if (ms instanceof Error) throw ms;
        return ms;
      };
      return [whose, compare] as const;
    });
    return { clock, ahead, doubt: createClockDoubt(clock, Object.fromEntries(others)) };
  }

  it.each([
    ['Slack’s', 6 * MINUTE, /^The clock of this machine is 6 min ahead of Slack’s\. .*NTP/],
    ['Slack’s', -9 * MINUTE, /9 min behind Slack’s/],
    ['Slack’s', 3_650 * DAY, /5256000 min ahead of Slack’s/],
    ['the database’s', 6 * MINUTE, /6 min ahead of the database’s/],
  ])('is there when the clock is minutes from %s', async (whose, ms, sentence) => {
    const { doubt } = setClocks({ 'Slack’s': 0, 'the database’s': 0, [whose]: ms });
    expect(await doubt()).toMatch(sentence);
  });

  it('is there while nobody says what time it is, and over when somebody does', async () => {
    const { ahead, doubt } = setClocks({ 'Slack’s': new Error('away') });
    expect(await doubt()).toMatch(/^Nobody confirms the clock of this machine/);
    ahead['Slack’s'] = undefined;
    expect(await doubt()).toMatch(/^Nobody confirms/);
    ahead['Slack’s'] = 4 * MINUTE;
    expect(await doubt()).toBeUndefined();
  });

  it('is not there when one of two confirms the clock while the other is away', async () => {
    const { doubt } = setClocks({ 'Slack’s': new Error('away'), 'the database’s': -MINUTE });
    expect(await doubt()).toBeUndefined();
  });

  it('is there when the clock was set by more than a day since it was last confirmed, until it is set back', async () => {
    const { clock, doubt } = setClocks({ 'Slack’s': 0 });
    expect(await doubt()).toBeUndefined();
    await clock.advance(40 * DAY);
    expect(await doubt()).toBeUndefined();
    clock.set(DAY + MINUTE);
    expect(await doubt()).toMatch(/was set by more than a day.* restart Herald/);
    await clock.advance(DAY);
    expect(await doubt()).toMatch(/was set by more than a day/);
    clock.set(-DAY);
    expect(await doubt()).toBeUndefined();
    clock.set(-2 * DAY);
    expect(await doubt()).toMatch(/was set by more than a day/);
  });
});
