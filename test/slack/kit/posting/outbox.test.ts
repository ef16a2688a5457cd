import type { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { ADDRESS_FIELDS } from '../../../../src/messages/address/message.ts';
import type { Msisdn } from '../../../../src/messages/numbers/phone-number.ts';
import type { Alert } from '../../../../src/sends/alerts/alert.ts';
import type { AlertStore } from '../../../../src/sends/alerts/ports.ts';
import type { SendStore } from '../../../../src/sends/ports.ts';
import type { PostStore } from '../../../../src/sends/posts.ts';
import { createRefusedPosts } from '../../../../src/sends/refused-posts.ts';
import type { ReplyStore } from '../../../../src/sends/replies/ports.ts';
import type { Renderer } from '../../../../src/slack/kit/posting/outbox.ts';
import { renderReplies } from '../../../../src/slack/replies/posts.ts';
import { createManualClock, type ManualClock } from '../../../fakes/clock.ts';
import { createRecordingLogger } from '../../../fakes/logger.ts';
import { rendering } from '../../../fakes/renderers.ts';
import { oneSend } from '../../../store/steps.ts';
import { openStores } from '../../bulk-sends.ts';
import { createMortal, createMortalOutbox, createSlack, seeded, TROUBLES } from './fake-slack.ts';

/*
 * Random changes of random sends, and answers to them, shown by processes that die between any two steps in a Slack that answers, refuses, limits,
 * loses answers and is down: in the end each stands once and shows its last state.
 */

/** Of an alert, in the end. */
const LAST_REPEAT = 99;
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

/** Shows how often an alert was repeated, and its sends by their states; for a while also what nobody wants. */
const renderAlert =
  ({ sends, alerts, sendsOf }: Pick<World, 'sends' | 'alerts' | 'sendsOf'>): Renderer =>
  async ({ subject }) => {
    const alert = await alerts.find(subject);
    if (alert === undefined) return 'nothing';
    const states = await Promise.all((sendsOf.get(subject) ?? []).map((id) => sends.find(id)));
    const text = `${subject}: ${alert.repeats} ${states.map((send) => send?.state)}`;
    const { channelId } = alert;
    const again = alert.repeats < LAST_REPEAT ? { againAfterMs: 4_000 } : {};
    return { markInMessage: subject, channelId, userId: 'U', ...again, render: () => ({ text, blocks: [] }) };
  };

interface World {
  readonly sends: SendStore;
  readonly alerts: AlertStore;
  readonly sendsOf: ReadonlyMap<string, readonly string[]>;
  readonly posts: PostStore;
  readonly replies: ReplyStore;
  readonly client: Pick<webApi.WebClient, 'chat' | 'conversations'>;
  readonly clock: ManualClock;
}

/** A process that shows posts until it dies: then none of its calls has an effect or an answer any more. */
function createProcess(world: World) {
  const { sends, alerts, replies, posts, clock, client } = world;
  const { alive, die } = createMortal();
  const logger = createRecordingLogger();
  const refusedPosts = createRefusedPosts(logger, () => {});
  const sources = { store: sends, alertStore: alerts, replyStore: replies, refusedPosts, clock, logger };
  const reply = renderReplies({ ...sources, channel: 'C0ANSWERS', addressFields: ADDRESS_FIELDS });
  const renderers = rendering({
    ...{ send: alive(renderState(sends)), alert: alive(renderAlert(world)), reply: alive(reply) },
  });
  const end = createMortalOutbox({ posts, client, renderers, clock, alive });
  return {
    die: () => {
      die();
      void end();
    },
  };
}

async function repeat(alerts: AlertStore, id: string, repeats: number, at: number): Promise<void> {
  const { version } = await alerts.state({ recent: at, openSince: at, ids: [] });
  const alert = { id, channelId: `C-${id}`, receivedAt: at, repeats, state: 'open', steps: [] };
  await alerts.commit(version, { alerts: [alert as unknown as Alert] }, at);
}

async function begin(
  sends: SendStore,
  id: string,
  channelId: string,
  at: number,
  alertId?: string,
): Promise<void> {
  const { origin, ...send } = oneSend(id);
  const alert = alertId && { alert: { id: alertId, threadTs: '1.0', urgent: true } };
  await sends.create({ ...send, origin: { ...origin, channelId, ...alert }, createdAt: at });
  await sends.moveSend({ sendId: id, from: 'approved', to: 'sending', at, actor: 'U' });
}

async function end(sends: SendStore, id: string, at: number): Promise<void> {
  await sends.claim(id, 1, at);
  const outcome = { state: 'unknown', failure: FAILURE } as const;
  await sends.settle([{ sendId: id, row: 0, outcome, settledAt: at }]);
}

/** What a customer says is its own key; to no send where none is named. */
async function answer(replies: ReplyStore, words: string, at: number, sendId?: string): Promise<void> {
  await replies.keep([{ digest: words, receivedAt: at, body: '' }], 1);
  const [kept] = await replies.waiting(at, 1);
  const event = { kind: 'text', text: words, from: '+919812345678' as Msisdn } as const;
  const said = { key: words, event, optedOut: false, ...(sendId && { sendId }) };
  await replies.record([{ webhookId: kept?.id ?? -1, events: [said], deliveries: [] }]);
}

test.each([1, 2, 3, 4, 5, 6])(
  'whatever happens, each send, alert and answer stands once and shows its last state (seed %i)',
  async (seed) => {
    const random = seeded(seed);
    const { sends, alerts, posts, replies } = openStores();
    const clock = createManualClock();
    let isOver = false;
    const trouble = () =>
      isOver || random() < 0.6 ? undefined : TROUBLES[Math.floor(random() * TROUBLES.length)];
    const slack = createSlack(clock, trouble);
    const ids = Array.from({ length: 25 }, (_, at) => `S-${seed}-${at + 10}`);
    // Two of five sends are for an alert.
    const alertOf = (at: number) => (at % 5 < 2 ? `L-${seed}-${Math.floor(at / 10)}` : undefined);
    const sendsOf = Map.groupBy(ids, (_, at) => alertOf(at) ?? '');
    const world = { sends, alerts, sendsOf, posts, replies, client: slack.client, clock };
    const said: string[] = [];
    let process = createProcess(world);
    for (const [at, id] of ids.entries()) {
      const alertId = alertOf(at);
      if (alertId !== undefined) await repeat(alerts, alertId, at, clock.now());
      await begin(sends, id, `C${at % 3}`, clock.now(), alertId);
      await clock.advance(Math.floor(random() * 3_000));
      if (random() < 0.3) {
        process.die();
        process = createProcess(world);
      }
      const other = ids[Math.floor(random() * (at + 1))] ?? id;
      if ((await sends.find(other))?.state === 'sending') await end(sends, other, clock.now());
      for (let more = Math.floor(random() * 4); more > 0; more -= 1) {
        const words = `answer ${said.push('')} of ${other}.`;
        said[said.length - 1] = words;
        await answer(replies, words, clock.now(), more === 3 ? undefined : other);
        await clock.advance(Math.floor(random() * 300));
      }
    }
    for (const id of ids) if ((await sends.find(id))?.state === 'sending') await end(sends, id, clock.now());
    const alertIds = [...sendsOf.keys()].filter((id) => id !== '');
    for (const id of alertIds) await repeat(alerts, id, LAST_REPEAT, clock.now());
    isOver = true;
    for (let waits = 0; waits < 180 && (await posts.waiting()).count > 0; waits += 1)
      await clock.advance(10_000);
    expect(await posts.waiting()).toEqual({ count: 0 });
    const saidOf = (id: string) =>
      slack.messages.filter(({ text }) => text.startsWith(`${id}:`)).map(({ text }) => text);
    for (const id of sendsOf.get('') ?? []) expect(saidOf(id)).toEqual([expect.stringContaining('done')]);
    for (const id of alertIds)
      expect(saidOf(id)).toEqual([`${id}: ${LAST_REPEAT} ${sendsOf.get(id)?.map(() => 'done')}`]);
    const answers = slack.messages.filter(({ text }) => text.includes('wrote:\nanswer'));
    expect(slack.messages.length - answers.length).toBe((sendsOf.get('')?.length ?? 0) + alertIds.length);
    const shown = answers.flatMap(({ text }) => text.match(/answer \d+ of S-\d+-\d+\./g) ?? []);
    expect(shown.toSorted()).toEqual(said.toSorted());
    process.die();
  },
  60_000,
);

test('a channel gets about one post a second, and updates go fifty a minute at most', async () => {
  const { sends, alerts, posts, replies } = openStores();
  const clock = createManualClock();
  const slack = createSlack(clock, () => undefined);
  const { client } = slack;
  const process = createProcess({ sends, alerts, sendsOf: new Map(), posts, replies, client, clock });
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
  const refusedPosts = createRefusedPosts(createRecordingLogger(), () => {});
  const stopShowing = createMortalOutbox({
    ...{ posts, client: slack.client, clock, refusedPosts, alive: createMortal().alive },
    renderers: rendering({
      send: async ({ subject: markInMessage }) => {
        if (markInMessage === 'S-ODD') throw new Error('this cannot be put into words');
        const render = () => ({ text: markInMessage, blocks: [] });
        return { markInMessage, channelId: 'C0', userId: 'U', render };
      },
    }),
  });
  for (const id of ['S-1', 'S-ODD']) await begin(sends, id, 'C0', clock.now());
  await clock.advance(5_000);
  for (const id of ['S-1', 'S-ODD']) await end(sends, id, clock.now());
  await clock.advance(120_000);
  expect(slack.calls.map(({ method }) => method)).toEqual(['chat.postMessage']);
  expect(await posts.waiting()).toEqual({ count: 0 });
  expect(refusedPosts.latest()?.count).toBe(1);
  await stopShowing();
});
