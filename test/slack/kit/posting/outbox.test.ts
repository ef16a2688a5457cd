import type { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import type { SendStore } from '../../../../src/sends/ports.ts';
import type { Post, PostKind, PostStore } from '../../../../src/sends/posts.ts';
import { createRefusedPosts } from '../../../../src/sends/refused-posts.ts';
import { createStoreTrouble } from '../../../../src/sends/store-trouble.ts';
import { createOutbox, type Renderer } from '../../../../src/slack/kit/posting/outbox.ts';
import { UNSHARED } from '../../../../src/store/alone.ts';
import { createManualClock, type ManualClock } from '../../../fakes/clock.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';
import { oneSend } from '../../../store/one-send.ts';
import { openStores } from '../../bulk-sends.ts';
import { createSlack, IDENTITY, seeded, TROUBLES } from './fake-slack.ts';

/*
 * Random changes of random sends, shown by processes that die between any two steps in a Slack that answers, refuses, limits,
 * loses answers and is down: in the end each stands once and shows its last state.
 */

const FAILURE = { what: 'It failed.', next: 'Look.', scope: 'recipient' } as const;

/** Shows a send as its state. */
const renderState =
  (sends: SendStore): Renderer =>
  async ({ subject }) => {
    const send = await sends.find(subject);
    if (send === undefined) return 'nothing';
    const text = `${subject}: ${send.state} ${JSON.stringify(send.counts)}`;
    return {
      markInMessage: subject,
      channelId: send.origin.channelId,
      userId: 'U',
      render: () => ({ text, blocks: [] }),
    };
  };

/** A process that shows posts until it dies: then none of its calls has an effect or an answer any more. */
function createProcess(world: {
  sends: SendStore;
  posts: PostStore;
  client: Pick<webApi.WebClient, 'chat' | 'conversations'>;
  clock: ManualClock;
}) {
  const { sends, posts, clock } = world;
  const stop = new AbortController();
  let isDead = false;
  const alive = <Args extends unknown[], Answer>(work: (...args: Args) => Promise<Answer>) =>
    (async (...args: Args) => {
      if (isDead) return new Promise<never>(() => {});
      const answer = await work(...args);
      return isDead ? new Promise<never>(() => {}) : answer;
    }) as (...args: Args) => Promise<Answer>;
  const { chat, conversations } = world.client;
  const logger = createRecordingLogger();
  const outbox = createOutbox({
    posts: { claim: alive(posts.claim), note: alive(posts.note), waiting: posts.waiting },
    sharing: UNSHARED,
    renderers: { send: alive(renderState(sends)) } as Record<PostKind, Renderer>,
    client: {
      chat: { postMessage: alive(chat.postMessage), update: alive(chat.update) },
      conversations: { history: alive(conversations.history) },
    } as unknown as typeof world.client,
    identity: () => IDENTITY,
    latestUrls: { tell: async () => false },
    refusedPosts: createRefusedPosts(logger, () => {}),
    storeTrouble: createStoreTrouble(),
    stopping: stop.signal,
    clock,
    logger,
  });
  outbox.start();
  return {
    outbox,
    die: () => {
      isDead = true;
      stop.abort();
      void outbox.drained(0);
    },
  };
}

async function begin(sends: SendStore, id: string, channelId: string, at: number): Promise<void> {
  const { origin, ...send } = oneSend(id);
  await sends.create({ ...send, origin: { ...origin, channelId }, createdAt: at });
  await sends.moveSend({ sendId: id, from: 'approved', to: 'sending', at, actor: 'U' });
}

async function end(sends: SendStore, id: string, at: number): Promise<void> {
  await sends.claim(id, 1, at);
  const outcome = { state: 'unknown', failure: FAILURE } as const;
  await sends.settle([{ sendId: id, row: 0, outcome, settledAt: at }]);
}

test.each([1, 2, 3, 4, 5, 6])(
  'whatever happens, each send stands once and shows its last state (seed %i)',
  async (seed) => {
    const random = seeded(seed);
    const { sends, posts } = openStores();
    const clock = createManualClock();
    let isOver = false;
    const trouble = () =>
      isOver || random() < 0.6 ? undefined : TROUBLES[Math.floor(random() * TROUBLES.length)];
    const slack = createSlack(clock, trouble);
    const world = { sends, posts, client: slack.client, clock };
    let process = createProcess(world);
    const ids = Array.from({ length: 25 }, (_, at) => `S-${seed}-${at + 10}`);
    for (const [at, id] of ids.entries()) {
      await begin(sends, id, `C${at % 3}`, clock.now());
      await clock.advance(Math.floor(random() * 3_000));
      if (random() < 0.3) {
        process.die();
        process = createProcess(world);
      }
      const other = ids[Math.floor(random() * (at + 1))] ?? id;
      if ((await sends.find(other))?.state === 'sending') await end(sends, other, clock.now());
    }
    for (const id of ids) if ((await sends.find(id))?.state === 'sending') await end(sends, id, clock.now());
    isOver = true;
    for (let waits = 0; waits < 180 && (await posts.waiting()).count > 0; waits += 1)
      await clock.advance(10_000);
    expect(await posts.waiting()).toEqual({ count: 0 });
    const said = ids.map((id) =>
      slack.messages.filter(({ text }) => text.startsWith(id)).map(({ text }) => text),
    );
    expect(said.map(({ length }) => length)).toEqual(ids.map(() => 1));
    expect(said.flat().filter((text) => !text.includes('done'))).toEqual([]);
    process.die();
  },
  60_000,
);

test('a channel gets about one post a second, and updates go fifty a minute at most', async () => {
  const { sends, posts } = openStores();
  const clock = createManualClock();
  const slack = createSlack(clock, () => undefined);
  const process = createProcess({ sends, posts, client: slack.client, clock });
  const ids = Array.from({ length: 40 }, (_, at) => `S-${at + 10}`);
  for (const id of ids) await begin(sends, id, 'C0', clock.now());
  await clock.advance(60_000);
  for (const id of ids) await end(sends, id, clock.now());
  await clock.advance(120_000);
  process.die();
  const timesOf = (method: string) =>
    slack.calls.filter((call) => call.method === method).map(({ at }) => at);
  const mostWithin = (times: readonly number[], ms: number) =>
    Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + ms).length));
  expect(timesOf('chat.postMessage')).toHaveLength(40);
  expect(mostWithin(timesOf('chat.postMessage'), 10_000)).toBeLessThanOrEqual(15);
  expect(timesOf('chat.update')).toHaveLength(40);
  expect(mostWithin(timesOf('chat.update'), 60_000)).toBeLessThanOrEqual(52);
  expect(slack.calls.filter(({ method }) => method === 'conversations.history')).toEqual([]);
});

test('what is shown already is not shown again, and what cannot be rendered is set aside', async () => {
  const { sends, posts } = openStores();
  const clock = createManualClock();
  const slack = createSlack(clock, () => undefined);
  const logger = createRecordingLogger();
  const refusedPosts = createRefusedPosts(logger, () => {});
  const stop = new AbortController();
  const outbox = createOutbox({
    posts,
    sharing: UNSHARED,
    renderers: {
      send: async (post: Post) => {
        if (post.subject === 'S-ODD') throw new Error('this cannot be put into words');
        const { subject: markInMessage } = post;
        const render = () => ({ text: markInMessage, blocks: [] });
        return { markInMessage, channelId: 'C0', userId: 'U', render };
      },
    } as Partial<Record<PostKind, Renderer>> as Record<PostKind, Renderer>,
    client: slack.client,
    identity: () => IDENTITY,
    latestUrls: { tell: async () => false },
    refusedPosts,
    storeTrouble: createStoreTrouble(),
    stopping: stop.signal,
    clock,
    logger,
  });
  outbox.start();
  for (const id of ['S-1', 'S-ODD']) await begin(sends, id, 'C0', clock.now());
  await clock.advance(5_000);
  for (const id of ['S-1', 'S-ODD']) await end(sends, id, clock.now());
  await clock.advance(120_000);
  expect(slack.calls.map(({ method }) => method)).toEqual(['chat.postMessage']);
  expect(await posts.waiting()).toEqual({ count: 0 });
  expect(refusedPosts.latest()?.count).toBe(1);
  stop.abort();
  await outbox.drained(0);
});
