import { webApi } from '@slack/bolt';
import { expect, it } from 'vitest';
import { keepNotifying, type Look } from '../../src/sends/notices.ts';
import { createRefusedPosts } from '../../src/sends/refused-posts.ts';
import { createStoreTrouble } from '../../src/sends/store-trouble.ts';
import { createNoticePoster, renderNotices } from '../../src/slack/kit/posting/notice.ts';
import { createOutbox } from '../../src/slack/kit/posting/outbox.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { rendering } from '../fakes/renderers.ts';
import { openMemoryStores } from '../fakes/stores.ts';

type Client = Pick<webApi.WebClient, 'chat' | 'conversations'>;

/** A world in which processes may be started, on one store and in one Slack; what was said in it, in order. */
function world() {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const { notices, posts } = openMemoryStores();
  const said: string[] = [];
  const slack: { refusal?: string | undefined } = {};

  function postMessage({ channel, text = '' }: { channel: string; text?: string }) {
    if (slack.refusal !== undefined)
      throw new webApi.WebAPIPlatformError({ ok: false, error: slack.refusal } as never);
    const what = /database|key/.exec(text)?.[0];
    said.push(`${what} ${text.includes('needs somebody') ? 'begins' : 'is over'}`);
    return { ok: true, channel, ts: `${said.length}.0` };
  }
  const client = { chat: { postMessage: async (body: never) => postMessage(body) } } as never as Client;

  function start(look: () => Look, rank = 0) {
    const stop = new AbortController();
    const storeTrouble = createStoreTrouble();
    const process = { clock, logger, client, storeTrouble, stopping: stop.signal };
    const outbox = createOutbox({
      ...process,
      posts,
      sharing: { isLeader: async () => rank === 0 },
      renderers: rendering(renderNotices(notices, 'C0OPS')),
      identity: () => undefined,
      latestUrls: { say: async () => false },
      refusedPosts: createRefusedPosts(logger, () => {}),
    });
    outbox.start();
    keepNotifying([{ name: 'key', look }], {
      ...{ ...process, notices, lease: { rank: () => rank } },
      post: createNoticePoster(process, 'C0OPS'),
    });
    return {
      storeTrouble,
      stop: () => {
        stop.abort();
        void outbox.drained(0);
      },
    };
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

it.each(['not_in_channel', 'token_revoked', 'is_archived'])(
  'is said once by several replicas, once Slack no longer refuses it by %s',
  async (refusal) => {
    const { clock, said, slack, start } = world();
    slack.refusal = refusal;
    start(() => problem);
    start(() => problem, 1);
    await clock.advance(120_000);
    slack.refusal = undefined;
    await clock.advance(60_000);
    expect(said).toEqual(['key begins']);
  },
);

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
