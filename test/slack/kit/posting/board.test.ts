import { expect, test } from 'vitest';
import type { AnnounceResult } from '../../../../src/sends/announcer.ts';
import { createRefusedPosts } from '../../../../src/sends/refused-posts.ts';
import { createBoard } from '../../../../src/slack/kit/posting/board.ts';
import { createManualClock } from '../../../fakes/clock.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';

const POSTED: AnnounceResult = { state: 'posted', channelId: 'C0TEAM', ts: '1.1' };

function setting() {
  const clock = createManualClock();
  const startedAt = clock.now();
  const logger = createRecordingLogger();
  const stop = new AbortController();
  const refusedPosts = createRefusedPosts(logger, () => {});
  const board = createBoard({ refusedPosts, clock, logger, stopping: stop.signal });
  const calls: string[] = [];
  const say =
    (what: string, result: AnnounceResult | undefined = POSTED) =>
    async () => {
      calls.push(`${clock.now() - startedAt} ${what}`);
      return result;
    };
  return { board, clock, calls, say, stop, logger, refusedPosts };
}

test('a message waits its turn, and shows what was wished for last', async () => {
  const { board, clock, calls, say } = setting();
  const shown: string[] = [];
  const show = (key: string, what: string) => void board.show(key, say(what)).then(() => shown.push(what));
  for (const what of ['a1', 'a2', 'a3']) show('a', what);
  show('b', 'b1');
  await clock.advance(0);
  show('a', 'a4');
  show('a', 'a5');
  await clock.advance(10_000);
  expect(calls).toEqual(['0 a1', '1200 a5', '2400 b1']);
  expect(shown.sort()).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'b1']);
});

test('two calls never overlap, so an older state cannot come over a newer one', async () => {
  const { board, clock } = setting();
  const order: string[] = [];
  let finish = (): void => undefined;
  void board.show('a', async () => {
    order.push('old begins');
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    order.push('old ends');
    return POSTED;
  });
  void board.show('b', async () => {
    order.push('new');
    return POSTED;
  });
  await clock.advance(60_000);
  expect(order).toEqual(['old begins']);
  finish();
  await clock.advance(2_000);
  expect(order).toEqual(['old begins', 'old ends', 'new']);
});

test('a 429 holds everything for as long as Slack says, and what it took later is shown', async () => {
  const { board, clock, calls, say } = setting();
  let done = false;
  let tries = 0;
  const limited = () => {
    tries += 1;
    return tries === 1 ? say('limited', { state: 'later', retryAfterMs: 30_000 })() : say('a')();
  };
  void board.show('a', limited).then(() => {
    done = true;
  });
  await clock.advance(0);
  void board.show('b', say('b'));
  await clock.advance(29_000);
  expect({ calls: [...calls], done }).toEqual({ calls: ['0 limited'], done: false });
  await clock.advance(5_000);
  expect({ calls, done }).toEqual({ calls: ['0 limited', '30000 a', '31200 b'], done: true });
});

test('what Slack refuses, and what cannot be made, holds nobody up', async () => {
  const { board, clock, calls, say, logger } = setting();
  const shown: string[] = [];
  void board.show('a', say('a', { state: 'refused', reason: 'is_archived' })).then(() => shown.push('a'));
  void board.show('b', () => Promise.reject(new Error('disk'))).then(() => shown.push('b'));
  void board.show('c', say('c', undefined)).then(() => shown.push('c'));
  await clock.advance(5_000);
  expect({ calls, shown }).toEqual({ calls: ['0 a', '2400 c'], shown: ['a', 'b', 'c'] });
  expect(logger.lines.map(({ message }) => message)).toEqual([
    'Slack refused a message of a bulk send',
    'a message of a bulk send could not be made',
  ]);
});

test('a stopping Herald lets everybody go who waits', async () => {
  const { board, clock, calls, say, stop } = setting();
  const shown: string[] = [];
  void board.show('a', say('a', { state: 'later', retryAfterMs: 60_000 })).then(() => shown.push('a'));
  await clock.advance(1_000);
  stop.abort();
  await clock.advance(0);
  await board.show('b', say('b'));
  expect({ calls, shown }).toEqual({ calls: ['0 a'], shown: ['a'] });
});

test('the last word comes after what is on its way, although Herald is stopping', async () => {
  const { board, clock, calls, say, stop } = setting();
  let finish = (): void => undefined;
  void board.show('a', async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return say('old')();
  });
  await clock.advance(0);
  stop.abort();
  const last = Promise.all([board.showLast('a', say('last a')), board.showLast('b', say('last b'))]);
  await clock.advance(1_000);
  expect(calls).toEqual([]);
  finish();
  await clock.advance(5_000);
  await last;
  expect(calls).toEqual(['1000 old', '2200 last a', '3400 last b']);
});

test('the last word is not said to a Slack that wants to be left alone, and throws nothing', async () => {
  const { board, clock, calls, say, stop, logger } = setting();
  void board.show('a', say('refused for now', { state: 'later', retryAfterMs: 30_000 }));
  await clock.advance(0);
  stop.abort();
  await clock.advance(0);
  await board.showLast('a', say('last'));
  expect(calls).toEqual(['0 refused for now']);
  await clock.advance(30_000);
  await board.showLast('a', async () => {
    throw new Error('a bug');
  });
  expect(logger.lines.at(-1)?.message).toBe('a message of a bulk send could not be made');
});

test('a message that Slack refuses without a reason of its own holds up itself only, and ends after a day', async () => {
  const { board, clock, calls, say, refusedPosts } = setting();
  const refused: AnnounceResult = { state: 'later', retryAfterMs: 5_000, refusal: 'ekm_access_denied' };
  let over = false;
  void board.show('a', say('a', refused)).then(() => {
    over = true;
  });
  void board.show('b', say('b'));
  await clock.advance(30_000);
  expect(calls.filter((call) => call.endsWith(' b'))).toEqual(['1200 b']);
  expect(calls.filter((call) => call.endsWith(' a')).length).toBe(3);
  await clock.advance(23 * 60 * 60_000);
  expect(over).toBe(false);
  await clock.advance(2 * 60 * 60_000);
  expect(over).toBe(true);
  expect(refusedPosts.latest()).toEqual({ count: 1, reason: 'ekm_access_denied' });
  const tried = calls.length;
  expect(tried).toBeLessThan(170);
  await clock.advance(60 * 60_000);
  expect(calls).toHaveLength(tried);
});

test('a message that was refused for a while is shown as it is by then', async () => {
  const { board, clock, calls, say, refusedPosts } = setting();
  void board.show('a', say('old', { state: 'later', retryAfterMs: 5_000, refusal: 'team_added_to_org' }));
  await clock.advance(1_000);
  const shown = board.show('a', say('new'));
  await clock.advance(5_000);
  await shown;
  expect(calls.map((call) => call.split(' ')[1])).toEqual(['old', 'new']);
  expect(refusedPosts.latest()).toBeUndefined();
});

test('the clock of the machine, set back by hours, holds nothing back', async () => {
  const { board, clock, calls, say } = setting();
  const startedAt = clock.now();
  void board.show('a', say('a'));
  await clock.advance(0);
  clock.set(-7_200_000);
  void board.show('b', say('b'));
  await clock.advance(2_000);
  expect(calls).toEqual(['0 a', `${clock.now() - startedAt - 800} b`]);
});
