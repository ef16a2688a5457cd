import { webApi } from '@slack/bolt';
import { createRefusedPosts } from '../../../../src/sends/refused-posts.ts';
import { createStoreTrouble } from '../../../../src/sends/store-trouble.ts';
import { createOutbox } from '../../../../src/slack/kit/posting/outbox.ts';
import { UNSHARED } from '../../../../src/store/stores.ts';
import type { ManualClock } from '../../../fakes/clock.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';

/* As much of Slack as posts need, in any trouble that a test wants. */

export const IDENTITY = { teamId: 'T0', teamName: 'Acme', botUserId: 'U0HERALD', botId: 'B0HERALD' };
/** A generator of numbers from 0 to 1 that a seed repeats. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

interface Message {
  readonly channel: string;
  readonly ts: string;
  readonly thread_ts?: string | undefined;
  text: string;
  blocks?: unknown;
}

/** Answers of Slack’s that mean trouble; `lost` does what is asked first. */
export const TROUBLES = ['lost', 'ratelimited', 'internal_error', 'ekm_access_denied', 'down'] as const;

/** @param trouble asked at each call: one of those above, or a code with which Slack refuses */
export function createSlack(clock: ManualClock, trouble: () => string | undefined) {
  const messages: Message[] = [];
  const calls: { method: string; at: number; channel: string }[] = [];

  async function call<Answer>(method: string, channel: string, act: () => Answer): Promise<Answer> {
    calls.push({ method, channel, at: clock.monotonic() });
    const what = trouble();
    if (what === 'lost') act();
    if (what === 'lost' || what === 'down')
      throw Object.assign(new Error('socket hang up'), { code: 'slack_webapi_request_error' });
    if (what === 'ratelimited') throw new webApi.WebAPIRateLimitedError(3);
    if (what !== undefined) throw new webApi.WebAPIPlatformError({ ok: false, error: what });
    return act();
  }

  type Said = Message;
  const ofHerald = (channel: string) =>
    messages.filter((one) => one.channel === channel).map((one) => ({ ...one, bot_id: IDENTITY.botId }));

  const client = {
    chat: {
      postMessage: ({ channel, text, blocks, thread_ts }: Said) =>
        call('chat.postMessage', channel, () => {
          const ts = `${messages.length + 1}.0`;
          messages.push({ channel, ts, text, blocks, thread_ts });
          return { ok: true, channel, ts };
        }),
      update: ({ channel, ts, text, blocks }: Said) =>
        call('chat.update', channel, () => {
          const message = messages.find((one) => one.ts === ts);
          if (message) Object.assign(message, { text, blocks });
          return { ok: true };
        }),
    },
    conversations: {
      history: ({ channel }: Said) =>
        call('conversations.history', channel, () => ({ ok: true, messages: ofHerald(channel) })),
      replies: ({ channel, ts }: Said) =>
        call('conversations.replies', channel, () => ({
          ok: true,
          messages: ofHerald(channel).filter((one) => one.thread_ts === ts),
        })),
    },
  } as unknown as Pick<webApi.WebClient, 'chat' | 'conversations'>;
  return { client, messages, calls };
}

/** A process that can die: from then on none of its calls has an effect or an answer any more. */
export function createMortal() {
  let isDead = false;
  return {
    alive: <Args extends unknown[], Answer>(work: (...args: Args) => Promise<Answer>) =>
      (async (...args: Args) => {
        if (isDead) return new Promise<never>(() => {});
        const answer = await work(...args);
        return isDead ? new Promise<never>(() => {}) : answer;
      }) as (...args: Args) => Promise<Answer>,
    die: () => {
      isDead = true;
    },
  };
}

type OutboxDependencies = Parameters<typeof createOutbox>[0];

/** An outbox that shows posts until its process dies, and calls the store and Slack with none of its steps after that. */
export function createMortalOutbox({
  posts,
  client: { chat, conversations },
  alive,
  ...dependencies
}: Pick<OutboxDependencies, 'posts' | 'client' | 'renderers' | 'clock'> &
  Partial<OutboxDependencies> & { readonly alive: ReturnType<typeof createMortal>['alive'] }) {
  const stop = new AbortController();
  const logger = createRecordingLogger();
  const outbox = createOutbox({
    logger,
    refusedPosts: createRefusedPosts(logger, () => {}),
    storeTrouble: createStoreTrouble(),
    sharing: UNSHARED,
    identity: () => IDENTITY,
    latestUrls: { say: async () => false },
    stopping: stop.signal,
    ...dependencies,
    posts: { claim: alive(posts.claim), note: alive(posts.note), waiting: posts.waiting },
    client: {
      chat: { postMessage: alive(chat.postMessage), update: alive(chat.update) },
      conversations: { history: alive(conversations.history), replies: alive(conversations.replies) },
    } as unknown as OutboxDependencies['client'],
  });
  outbox.start();
  return async () => {
    stop.abort();
    await outbox.drained(0);
  };
}
