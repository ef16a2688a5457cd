import { expect, it } from 'vitest';
import { createNotes } from '../../src/sends/notes.ts';
import { keepNotifying, type Look, type Notice, type NoticeStore } from '../../src/sends/notices.ts';
import { createStoreTrouble } from '../../src/sends/store-trouble.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

/** As the stores keep them, in memory; the contract of test/store holds the real ones to the same. */
function noticeStore(): NoticeStore {
  const rows = new Map<string, { notice: Notice; told: boolean }>();
  return {
    begin: async (notice) => {
      const { overAt: _, ...known } = rows.get(notice.name)?.notice ?? notice;
      rows.set(notice.name, { notice: known, told: rows.get(notice.name)?.told ?? false });
    },
    end: async (name, at) => {
      const row = rows.get(name);
      if (row && row.notice.overAt === undefined && row.notice.since < at)
        rows.set(name, { ...row, notice: { ...row.notice, overAt: at } });
    },
    untold: async () =>
      [...rows.values()]
        .filter(({ told, notice }) => !told || notice.overAt !== undefined)
        .map((row) => row.notice),
    told: async ({ name, overAt }) => {
      const row = rows.get(name);
      if (overAt !== undefined) rows.delete(name);
      else if (row) rows.set(name, { ...row, told: true });
    },
  };
}

/** A world in which processes may be started; what Slack was told, in order. */
function world() {
  const clock = createManualClock();
  const shared = {
    notices: noticeStore(),
    notes: createNotes(clock),
    clock,
    logger: createRecordingLogger(),
  };
  const said: string[] = [];
  const slack = { works: true };

  function start(look: () => Look, rank = 0) {
    const stop = new AbortController();
    const storeTrouble = createStoreTrouble();
    keepNotifying([{ name: 'key', look }], {
      ...shared,
      lease: { rank: () => rank },
      storeTrouble,
      stopping: stop.signal,
      post: async ({ name, overAt }) => {
        if (slack.works) said.push(`${name} ${overAt === undefined ? 'begins' : 'is over'}`);
        return slack.works;
      },
    });
    return { stop: () => stop.abort(), storeTrouble };
  }
  return { clock, said, slack, start };
}

const problem: Look = { problem: 'The key is refused.' };

it('tells once that something is wrong and once that it is over, over restarts', async () => {
  const { clock, said, start } = world();
  let found: Look = problem;
  const first = start(() => found);
  await clock.advance(60_000);
  expect(said).toEqual(['key begins']);
  first.stop();
  await clock.advance(60_000);
  start(() => found);
  await clock.advance(60_000);
  // Nobody knows: nothing was sent since the start.
  found = undefined;
  await clock.advance(60_000);
  expect(said).toEqual(['key begins']);
  found = { fine: clock.now() };
  await clock.advance(60_000);
  expect(said).toEqual(['key begins', 'key is over']);
  found = problem;
  await clock.advance(60_000);
  expect(said).toEqual(['key begins', 'key is over', 'key begins']);
});

it('is over only for what was seen after it began, and not because it comes and goes', async () => {
  const { clock, said, start } = world();
  const before = clock.now() - 1;
  let look: () => Look = () => problem;
  start(() => look());
  await clock.advance(20_000);
  look = () => ({ fine: before });
  await clock.advance(60_000);
  expect(said).toEqual(['key begins']);
  let looks = 0;
  look = () => {
    looks += 1;
    return looks % 2 === 0 ? { fine: clock.now() } : problem;
  };
  await clock.advance(120_000);
  expect(said).toEqual(['key begins']);
});

it('is not over when it comes back before Slack takes that it was', async () => {
  const { clock, said, slack, start } = world();
  let look: () => Look = () => problem;
  start(() => look());
  await clock.advance(20_000);
  slack.works = false;
  look = () => ({ fine: clock.now() });
  await clock.advance(120_000);
  look = () => problem;
  await clock.advance(60_000);
  slack.works = true;
  await clock.advance(120_000);
  expect(said).toEqual(['key begins']);
  look = () => ({ fine: clock.now() });
  await clock.advance(120_000);
  expect(said).toEqual(['key begins', 'key is over']);
});

it('is told by one of several replicas, and by another one when Slack did not take it', async () => {
  const { clock, said, slack, start } = world();
  slack.works = false;
  start(() => problem);
  start(() => problem, 1);
  await clock.advance(30_000);
  slack.works = true;
  await clock.advance(120_000);
  expect(said).toEqual(['key begins']);
});

it('tells of a database that is gone from memory, by the first replica, and not of a hiccup', async () => {
  const { clock, said, start } = world();
  const [first, second] = [start(() => undefined), start(() => undefined, 1)];
  const both = [first.storeTrouble, second.storeTrouble];
  for (const trouble of both) trouble.began(clock.now(), new Error('gone'));
  await clock.advance(15_000);
  for (const trouble of both) trouble.ended();
  await clock.advance(60_000);
  expect(said).toEqual([]);
  for (const trouble of both) trouble.began(clock.now(), new Error('gone'));
  await clock.advance(120_000);
  expect(said).toEqual(['database begins']);
  for (const trouble of both) trouble.ended();
  await clock.advance(60_000);
  expect(said).toEqual(['database begins', 'database is over']);
});
