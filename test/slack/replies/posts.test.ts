import { webApi } from '@slack/bolt';
import { expect, onTestFinished, test } from 'vitest';
import { ADDRESS_FIELDS } from '../../../src/messages/address/message.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { createRefusedPosts } from '../../../src/sends/refused-posts.ts';
import type { CustomerEvent } from '../../../src/sends/replies/event.ts';
import type { Origin } from '../../../src/sends/send.ts';
import { renderReplies } from '../../../src/slack/replies/posts.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { rendering } from '../../fakes/renderers.ts';
import { openMemoryStores } from '../../fakes/stores.ts';
import { oneSend } from '../../store/steps.ts';
import { createMortal, createMortalOutbox, createSlack } from '../kit/posting/fake-slack.ts';

const FROM = '+919812345678' as Msisdn;
const ORIGIN = { teamId: 'T', userId: 'U0ASHA', channelId: 'C0TEAM' };
const text = (words: string): CustomerEvent => ({ kind: 'text', text: words, from: FROM });
const ADDRESS: CustomerEvent = { kind: 'address', values: [{ name: 'name', value: 'Asha' }], from: FROM };

interface Posted {
  readonly channel: string;
  readonly thread_ts?: string;
}

/** Answers on a real store, shown by an outbox in a Slack that a test plays by hand. */
function showing(channel?: string) {
  const stores = openMemoryStores();
  const { replies, sends, posts, alerts, conversations } = stores;
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const refusedPosts = createRefusedPosts(logger, () => {});
  const trouble: string[] = [];
  const slack = createSlack(clock, () => trouble.shift());
  /** Codes with which Slack refuses to post there. */
  const world: { refuse: (to: Posted) => string | undefined } = { refuse: () => undefined };
  const { chat, conversations: history } = slack.client;
  const client = {
    conversations: history,
    chat: {
      update: chat.update,
      postMessage: async (body: Posted) => {
        const error = world.refuse(body);
        if (error) throw new webApi.WebAPIPlatformError({ ok: false, error });
        return chat.postMessage(body as Parameters<typeof chat.postMessage>[0]);
      },
    },
  } as unknown as Pick<webApi.WebClient, 'chat' | 'conversations'>;
  const sources = { replyStore: replies, store: sends, alertStore: alerts, refusedPosts, clock, logger };
  const end = createMortalOutbox({
    ...{ posts, client, refusedPosts, clock, logger, alive: createMortal().alive },
    renderers: rendering({ reply: renderReplies({ ...sources, channel, addressFields: ADDRESS_FIELDS }) }),
  });
  onTestFinished(end);

  /** A send, whose message stands at `announcement`. */
  async function sent(announcement?: { channelId: string; ts: string }, origin: Partial<Origin> = {}) {
    const at = clock.now();
    await sends.create({ ...oneSend('S-1'), origin: { ...ORIGIN, ...origin }, createdAt: at });
    // Of its own message nothing is shown here.
    await clock.advance(5_000);
    if (announcement) await posts.note({ mark: 'send:S-1', place: announcement, restMs: 0 }, at);
  }

  let bodies = 0;
  async function answered(events: readonly CustomerEvent[], sendId?: string): Promise<void> {
    bodies += 1;
    const digest = `d${bodies}`;
    const receivedAt = clock.now();
    await replies.keep([{ digest, receivedAt, body: '' }], 1);
    const kept = (await replies.waiting(receivedAt, 99)).find((one) => one.digest === digest);
    const record = events.map((event, index) => ({
      ...{ key: `${digest}#${index}`, event, optedOut: false, askedAt: receivedAt },
      ...(sendId && { sendId }),
    }));
    await replies.record([{ webhookId: kept?.id ?? -1, events: record, deliveries: [] }]);
  }

  /** Answers the send, and waits until that is shown. */
  async function answer(...events: readonly CustomerEvent[]): Promise<void> {
    await answered(events, 'S-1');
    await clock.advance(1_500);
  }

  /** Where they stand, and what they say. */
  const said = () => slack.messages.map(({ channel: at, thread_ts, text: words }) => [at, thread_ts, words]);
  const openIn = async () =>
    (await conversations.openQuestions({ since: 0, limit: 9 })).map(({ place }) => place);
  return {
    ...{ clock, slack, trouble, world, refusedPosts, logger, posts },
    ...{ sent, answered, answer, said, openIn },
  };
}

const ROOT = { channelId: 'C0TEAM', ts: '100.1' };
const saying = (...words: string[]) => expect.stringMatching(words.join('[\\s\\S]*'));

test('goes into the thread of the send, and tags who asked with the first', async () => {
  const { sent, answer, said, openIn } = showing();
  await sent(ROOT);
  await answer(text('one'), text('two'));
  await answer(text('three'));
  expect(said()).toEqual([
    ['C0TEAM', '100.1', saying('<@U0ASHA>', 'one', 'two')],
    ['C0TEAM', '100.1', expect.not.stringContaining('U0ASHA')],
  ]);
  expect(await openIn()).toEqual([{ channelId: 'C0TEAM', threadTs: '100.1', ts: '2.0' }]);
});

test('addresses are shown by themselves, beside each other', async () => {
  const { sent, answer, said } = showing();
  await sent(ROOT);
  await answer(ADDRESS, text('two'), ADDRESS);
  await answer();
  expect(said().map(([, , words]) => words)).toEqual([saying('Address from', ', \\+91'), saying('two')]);
});

test('what comes back to an answer stands in the thread of the conversation', async () => {
  const { sent, answer, said, posts, clock } = showing();
  await sent({ channelId: 'C0TEAM', ts: '100.5' }, { threadTs: '100.1' });
  await answer(text('one'));
  // Its result was shown directly: there nobody knows the thread.
  const place = { channelId: 'D0ASHA', ts: '7.1' };
  await posts.note({ mark: 'send:S-1', place, restMs: 0 }, clock.now());
  await answer(text('two'));
  expect(said().map(([channel, thread]) => [channel, thread])).toEqual([
    ['C0TEAM', '100.1'],
    ['D0ASHA', '7.1'],
  ]);
});

test('customers can be answered where they stand, but those on call answer an alert', async () => {
  const { sent, answer, slack, said, openIn } = showing();
  await sent(undefined, { channelId: 'C0ALERTS', alert: { id: 'L-1', threadTs: '9.9', urgent: true } });
  await answer(text('I am on it'));
  expect(said()).toMatchObject([['C0ALERTS', '9.9', saying('I am on it')]]);
  expect(JSON.stringify(slack.messages)).not.toContain('answer_');
  expect(await openIn()).toEqual([]);
  const other = showing();
  await other.sent(ROOT);
  await other.answer(text('Hello'));
  const buttons = JSON.stringify(other.slack.messages).match(/"(answer_\w+)"/g);
  expect(buttons).toEqual(['"answer_customer"', '"answer_none"']);
});

test('waits for a send’s message that is on its way, and then does without', async () => {
  const { sent, answer, clock, said, openIn } = showing();
  await sent();
  await answer(text('one'));
  await clock.advance(50_000);
  await answer(text('two'));
  expect(said()).toEqual([]);
  await clock.advance(20_000);
  expect(said()).toEqual([['C0TEAM', undefined, saying('one', 'two')]]);
  // It begins a thread of its own.
  const place = { channelId: 'C0TEAM', threadTs: '1.0', ts: '1.0' };
  expect(await openIn()).toEqual([place]);
});

test('goes to the channel where the thread is gone, and to who asked where Herald may not post there', async () => {
  const { sent, answer, world, said, slack, openIn } = showing();
  await sent(ROOT);
  world.refuse = ({ thread_ts }) => (thread_ts ? 'thread_not_found' : undefined);
  await answer(text('one'));
  world.refuse = ({ channel }) => (channel === 'U0ASHA' ? undefined : 'not_in_channel');
  await answer(text('two'));
  expect(said()).toMatchObject([
    ['C0TEAM', undefined, saying('one')],
    ['U0ASHA', undefined, saying('two')],
  ]);
  expect(slack.messages.map(({ blocks }) => /reference S-1/.test(JSON.stringify(blocks)))).toEqual([
    true,
    true,
  ]);
  expect(await openIn()).toHaveLength(2);
});

test('what Slack refuses everywhere, and not because of the places, waits for a day and is then given up', async () => {
  const { sent, answer, answered, world, clock, said, refusedPosts } = showing();
  await sent(ROOT);
  world.refuse = () => 'ekm_access_denied';
  await answer(text('one'));
  await clock.leap(60 * 60_000);
  await clock.advance(5_000);
  expect(refusedPosts.latest()).toBeUndefined();
  await clock.leap(23 * 60 * 60_000);
  await clock.advance(5_000);
  expect(refusedPosts.latest()).toEqual({ count: 1, reason: 'ekm_access_denied' });
  world.refuse = () => undefined;
  await answered([text('two')], 'S-1');
  await clock.advance(1_500);
  expect(said()).toMatchObject([['C0TEAM', '100.1', saying('two')]]);
});

test('what belongs to no send goes to the configured channel, or nowhere', async () => {
  const { answered, clock, said, slack } = showing('C0ANSWERS');
  await answered([text('Who are you?')]);
  await clock.advance(1_500);
  expect(said()).toEqual([['C0ANSWERS', undefined, saying('Who are you')]]);
  expect(JSON.stringify(slack.messages[0]?.blocks)).toContain('Herald found no send that this answers.');
  const other = showing();
  await other.answered([text('Who are you?')]);
  await other.clock.advance(1_500);
  expect(other.said()).toEqual([]);
  expect(other.logger.lines.map(({ level }) => level)).toEqual(['warn']);
  expect(await other.posts.waiting()).toEqual({ count: 0 });
});

test('a post whose answer was lost is found again, and where Herald may not read it is made once more', async () => {
  const { sent, answer, trouble, clock, said, openIn } = showing();
  await sent(ROOT);
  trouble.push('lost');
  await answer(text('one'));
  await clock.advance(10_000);
  expect(said()).toHaveLength(1);
  expect(await openIn()).toEqual([{ channelId: 'C0TEAM', threadTs: '100.1', ts: '1.0' }]);
  trouble.push('lost', 'missing_scope', 'lost', 'missing_scope');
  await answer(text('two'));
  await clock.advance(120_000);
  expect(said()).toHaveLength(3);
});

test('an answer that cannot be put into words holds up none of those around it', async () => {
  const { sent, answer, said, refusedPosts, posts } = showing();
  await sent(ROOT);
  const hostile = { kind: 'text', from: FROM } as CustomerEvent;
  await answer(text('one'), hostile, text('two'));
  await answer(hostile);
  await answer(text('three'));
  expect(said().map(([, , words]) => words)).toEqual([saying('one', 'two'), saying('three')]);
  expect(refusedPosts.latest()?.count).toBe(2);
  expect(await posts.waiting()).toEqual({ count: 0 });
});
