import { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import type { RefusedPosts } from '../../src/sends/refused-posts.ts';
import { createStoreTrouble } from '../../src/sends/store-trouble.ts';
import { createBoltLogger, createSlackFetch, webClientOptions } from '../../src/slack/connection/client.ts';
import { createOutbox } from '../../src/slack/kit/posting/outbox.ts';
import { renderResultOfOne } from '../../src/slack/results/posts.ts';
import { UNSHARED } from '../../src/store/stores.ts';
import type { ManualClock } from '../fakes/clock.ts';
import { rendering } from '../fakes/renderers.ts';
import { ACCEPTED, createSendsHarness, request } from '../sends/harness.ts';
import { createSlack, IDENTITY } from '../slack/kit/posting/fake-slack.ts';
import { sourcesOf } from '../slack/results/sources.ts';
import { NO_METRICS } from '../slack/test-app.ts';
import { saidOf, sample } from './how-many.ts';
import { errorsOf } from './slack-errors.ts';
import { fails, ON_THE_WAY, refusal, says, type Trouble } from './slack-troubles.ts';

/*
 * The result of a message while Slack does not take it: each way of not taking it, of each method that a result needs, once
 * or for an hour. Each case has a channel and a person of its own, so that all of them happen at the same time.
 */

const API = 'https://slack.example/api/';
const HOUR = 3_600_000;
/** Beyond the hour: the longest wait between two tries, and a sweep. */
const AFTER = 15 * 60_000;
/** What Herald may call about one result within the hour: a try every five seconds, twice over. */
const MOST_CALLS = 2 * (HOUR / 5_000);

const METHODS = ['chat.postMessage', 'chat.update', 'conversations.history'] as const;
type Method = (typeof METHODS)[number];

/** Refusals that name the channel, the thread or the person: they are not waited for. */
const OF_THE_PLACE =
  /^(?:channel_|not_in_channel|is_archived|restricted_action|messages_tab_|cannot_reply_|slack_connect_)/;

/** Slack may have done it, whatever it says. */
const DONE: readonly Trouble[] = [
  ...ON_THE_WAY.filter(({ name }) => /^(?:HTTP|reset|time-out|a page|nothing)/.test(name)),
  ...['fatal_error', 'internal_error', 'request_timeout', 'service_unavailable'].map(refusal),
].map((fault) => ({ ...fault, name: `${fault.name}, and done`, isDone: true }));

interface Case {
  readonly method: Method;
  readonly fault: Trouble;
  /** Milliseconds; 0 for once. */
  readonly lastsMs: number;
  /** `channel`: direct messages get through. `all`: nothing does, whatever the method. */
  readonly reach?: 'channel' | 'all';
}

const ALL: readonly Case[] = [0, HOUR].flatMap((lastsMs) => [
  ...METHODS.flatMap((method) => {
    const refusals = errorsOf(method).map(refusal);
    const faults = [...refusals, ...ON_THE_WAY, ...(method === 'conversations.history' ? [] : DONE)];
    return [
      ...faults.map((fault): Case => ({ method, fault, lastsMs })),
      ...refusals.map((fault): Case => ({ method, fault, lastsMs, reach: 'channel' })),
    ];
  }),
  ...[...ON_THE_WAY, ...DONE].map(
    (fault): Case => ({ method: 'chat.postMessage', fault, lastsMs, reach: 'all' }),
  ),
]);

const CASES = sample(ALL, 3);

/** The Web API as results need it. `faultOf` says what goes wrong in a channel. */
function createWebApi(clock: ManualClock, faultOf: (method: string, channel: string) => Trouble | undefined) {
  const { client, messages } = createSlack(clock, () => undefined);
  const calls = new Map<string, number>();

  async function act(method: string, args: Record<string, string>): Promise<Response> {
    const [room = '', name = ''] = method.split('.');
    const methods = client as unknown as Record<string, Record<string, (args: object) => Promise<object>>>;
    return says((await methods[room]?.[name]?.({ ...args, blocks: JSON.parse(args.blocks ?? '[]') })) ?? {});
  }

  const fetch: webApi.FetchFunction = async (url, init) => {
    const method = String(url).slice(API.length);
    const args = Object.fromEntries(new URLSearchParams(String(init?.body)));
    const channel = (args.channel ?? '').replace(/^U/, 'D');
    const key = channel.slice(1);
    calls.set(key, (calls.get(key) ?? 0) + 1);
    const fault = faultOf(method, channel);
    if (fault === undefined || fault.isDone) {
      const answer = await act(method, { ...args, channel });
      if (fault === undefined) return answer;
    }
    return fault.answer();
  };
  return { fetch, messages, calls };
}

test('results: while Slack takes none of them, for whatever reason', async ({ task }) => {
  const used = new Set<number>();
  const lost = new Set<number>();
  const aside = new Set<number | undefined>();
  const caseOf = new Map<string, number>();
  let begun = 0;
  const { service, clock, logger, store, posts, deliveries, stop } = createSendsHarness([], undefined, {
    shows: false,
  });
  const slack = createWebApi(clock, (method, channel) => {
    const at = Number(channel.slice(1));
    const one = CASES[at];
    if (one === undefined) return undefined;
    // The history is read after a post whose answer was lost.
    if (one.method === 'conversations.history' && method === 'chat.postMessage' && !lost.has(at)) {
      lost.add(at);
      return { name: 'lost', isDone: true, answer: () => fails('fetch failed', 'ECONNRESET') };
    }
    const isOther = method !== one.method && one.reach !== 'all';
    if (isOther || (one.reach === 'channel' && channel.startsWith('D'))) return undefined;
    const isOver = one.lastsMs === 0 ? used.has(at) : clock.monotonic() - begun > one.lastsMs;
    used.add(at);
    return isOver ? undefined : one.fault;
  });
  const refusedPosts: RefusedPosts = {
    add: ({ mark = '' }) => aside.add(caseOf.get(mark.slice('send:'.length))),
    latest: () => undefined,
  };
  const fetch = createSlackFetch(API, [], NO_METRICS, clock, slack.fetch);
  const options = webClientOptions({ slackApiUrl: API, logger: createBoltLogger(logger), fetch });
  const outbox = createOutbox({
    posts,
    sharing: UNSHARED,
    renderers: rendering({ send: renderResultOfOne(sourcesOf(store, { logger })) }),
    latestUrls: { say: async () => false },
    client: new webApi.WebClient('xoxb-1', options),
    identity: () => IDENTITY,
    refusedPosts,
    storeTrouble: createStoreTrouble(),
    stopping: stop.signal,
    clock,
    logger,
  });

  outbox.start();
  await service.start();
  begun = clock.monotonic();
  for (const [at] of CASES.entries()) {
    const origin = { teamId: 'T0', userId: `U${at}`, channelId: `C${at}` };
    const taken = await service.submit(request({ origin, requestKey: `case-${at}` }));
    if (taken.state === 'started') caseOf.set(taken.send.id, at);
  }
  // What is slow shows “sending…” first, which the result then takes the place of.
  for (let answered = 0; answered < CASES.length; answered = deliveries.length) {
    await clock.advance(15_000);
    for (const { answer } of deliveries.slice(answered)) answer(ACCEPTED);
  }
  await clock.advance(HOUR + AFTER);
  const before = new Map(slack.calls);
  await clock.advance(AFTER);
  stop.abort();

  let setAside = 0;
  const wrong = CASES.flatMap(({ method, fault, lastsMs, reach }, at) => {
    const mine = slack.messages.filter(({ channel }) => Number(channel.slice(1)) === at);
    const told = mine.filter(({ text }) => text.includes('accepted by the service')).length;
    const calls = slack.calls.get(String(at)) ?? 0;
    const goesOn = calls !== before.get(String(at));
    // Where neither the channel nor the person may be written to, whoever runs Herald is told.
    const isNowhere = reach === undefined && lastsMs > 0 && OF_THE_PLACE.test(fault.name);
    const isSetAside = told === 0 && isNowhere && aside.has(at);
    if (isSetAside) setAside += 1;
    if ((told === 1 || isSetAside) && calls <= MOST_CALLS && !goesOn) return [];
    return [{ method, fault: fault.name, lastsMs, reach, told, calls, goesOn }];
  });
  expect(wrong).toEqual([]);
  expect(deliveries).toHaveLength(CASES.length);
  task.meta.figure = `${CASES.length} ways${saidOf(ALL)}, once and for an hour: one result each; ${setAside} set aside, where nobody may be written to`;
});
