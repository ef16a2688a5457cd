import { webApi } from '@slack/bolt';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ADDRESS_FIELDS } from '../../../src/messages/address/message.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import type { CustomerEvent } from '../../../src/sends/replies/event.ts';
import type { StoredCustomerEvent } from '../../../src/sends/replies/ports.ts';
import { createResponseUrls } from '../../../src/slack/connection/response-url.ts';
import {
  createBoltLogger,
  createSlackFetch,
  webClientOptions,
} from '../../../src/slack/connection/web-client.ts';
import { createReplyAnnouncer } from '../../../src/slack/replies/announcer.ts';
import { createManualClock, type ManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { type FakeAnswer, type FakeSlack, startFakeSlack } from '../fake-slack.ts';
import { report, SMS } from '../kit/cards/reports.ts';
import { NO_METRICS } from '../test-app.ts';

const FROM = '+919812345678' as Msisdn;

let slack: FakeSlack;
let clock: ManualClock;
beforeEach(async () => {
  slack = await startFakeSlack();
  clock = createManualClock();
});
afterEach(() => slack.close());

function announcer(channel?: string) {
  const logger = createRecordingLogger();
  const fetch = createSlackFetch(slack.apiUrl, createResponseUrls([slack.origin], clock), NO_METRICS, clock);
  const options = webClientOptions({ slackApiUrl: slack.apiUrl, logger: createBoltLogger(logger), fetch });
  const client = new webApi.WebClient('xoxb-1', { ...options, timeout: 5_000 });
  return createReplyAnnouncer({
    client,
    channel,
    addressFields: ADDRESS_FIELDS,
    clock,
    logger,
  });
}

const stored = (id: number, event: CustomerEvent, first = false): StoredCustomerEvent => ({
  ...{ id, key: String(id), event, optedOut: false, receivedAt: clock.now(), first },
});
const text = (id: number, first = false) => stored(id, { kind: 'text', text: 'Hello', from: FROM }, first);
const address = (id: number) =>
  stored(id, { kind: 'address', values: [{ name: 'name', value: 'Asha' }], from: FROM });
const send = (announcement?: { channelId: string; ts: string }) =>
  report(SMS, { state: 'accepted' }, announcement ? { announcement } : {}).send;

const ROOT = { channelId: 'C0TEAM', ts: '100.1' };
const POSTED = { ok: true, channel: 'C0TEAM', ts: '101.1' };
const PLACE = { channelId: 'C0TEAM', ts: '101.1', threadTs: '100.1' };
const announced = (...eventIds: number[]) => ({ state: 'announced', eventIds, place: PLACE });
const answers = (...list: FakeAnswer[]) => slack.answers.set('chat.postMessage', list);
/** Where the posts went, and whom they tag. */
const posts = () =>
  slack.calls.map(({ arguments: given }) => [
    given.channel,
    given.thread_ts,
    JSON.stringify(given).includes('U0ASHA'),
  ]);

test('goes into the thread of the send, and tags who asked with the first', async () => {
  answers(POSTED, POSTED);
  const { announce } = announcer();
  expect(await announce([text(1, true), text(2)], send(ROOT))).toEqual(announced(1, 2));
  expect(await announce([text(3)], send(ROOT))).toEqual(announced(3));
  expect(posts()).toEqual([
    ['C0TEAM', '100.1', true],
    ['C0TEAM', '100.1', false],
  ]);
});

test('what comes again, because the store could not be told, is not posted again', async () => {
  answers(POSTED);
  const { announce } = announcer();
  await announce([text(1, true), text(2)], send(ROOT));
  expect(await announce([text(1, true), text(2), text(3)], send(ROOT))).toEqual(announced(1, 2));
  // What fails is tried again one by one.
  expect(await announce([text(2)], send(ROOT))).toEqual(announced(1, 2));
  expect(posts()).toHaveLength(1);
  expect(await announce([text(3)], send(ROOT))).toEqual(announced(3));
  expect(posts()).toHaveLength(2);
});

test('what comes back to an answer stands in the thread of the conversation', async () => {
  answers(POSTED, POSTED, POSTED);
  const { announce } = announcer();
  const reply = send({ channelId: 'C0TEAM', ts: '100.5' });
  const answer = { ...reply, origin: { ...reply.origin, threadTs: '100.1' } };
  expect(await announce([text(1)], answer)).toEqual(announced(1));
  // Its result was told directly: there nobody knows the thread.
  await announce([text(2)], { ...answer, announcement: { channelId: 'D0ASHA', ts: '7.1' } });
  const third = text(3);
  await clock.advance(60_000);
  const { announcement: _untold, ...untold } = answer;
  await announce([third], untold);
  expect(posts().map(([channel, thread]) => [channel, thread])).toEqual([
    ['C0TEAM', '100.1'],
    ['D0ASHA', '7.1'],
    ['C0TEAM', '100.1'],
  ]);
});

test('customers can be answered where they stand, but those on call answer an alert', async () => {
  answers(POSTED, POSTED);
  const { announce } = announcer();
  await announce([{ ...text(7), askedAt: 1 }], send(ROOT));
  const alert = { id: 'AL-1', threadTs: '9.9', urgent: true };
  const called = { ...send(ROOT), origin: { ...send().origin, alert } };
  expect(await announce([text(8)], called)).toEqual({ state: 'announced', eventIds: [8] });
  const buttons = slack.calls.map(({ arguments: { blocks } }) => blocks?.match(/"(answer_\w+)"/g) ?? []);
  expect(buttons).toEqual([['"answer_customer"', '"answer_none"'], []]);
});

test('addresses and the rest are told by themselves', async () => {
  answers(POSTED, POSTED);
  const { announce } = announcer();
  expect(await announce([address(1), text(2), address(3)], send(ROOT))).toEqual(announced(1, 3));
  expect(await announce([text(2), address(4)], send(ROOT))).toEqual(announced(2));
});

test('waits for a send’s message that is on its way, and then does without', async () => {
  const early = text(1);
  const { announce } = announcer();
  expect(await announce([early], send())).toEqual({ state: 'later', retryAfterMs: 2_000 });
  await clock.advance(60_000);
  answers(POSTED);
  // It begins a thread of its own.
  const place = { ...PLACE, threadTs: '101.1' };
  expect(await announce([early], send())).toEqual({ ...announced(1), place });
  expect(posts()).toEqual([['C0TEAM', undefined, false]]);
});

test('where Herald may not post, who asked is told directly', async () => {
  const direct = { ok: true, channel: 'D0ASHA', ts: '101.1' };
  answers({ ok: false, error: 'channel_not_found' }, { ok: false, error: 'not_in_channel' }, direct);
  const place = { channelId: 'D0ASHA', ts: '101.1', threadTs: '101.1' };
  expect(await announcer().announce([text(1)], send(ROOT))).toEqual({ ...announced(1), place });
  expect(slack.calls.map(({ arguments: given }) => given.channel)).toEqual(['C0TEAM', 'C0TEAM', 'U0ASHA']);
});

test('what Slack refuses everywhere, and not because of the places, waits for a day and is then given up', async () => {
  const refused = { ok: false, error: 'ekm_access_denied' };
  answers(...Array.from({ length: 6 }, () => refused));
  const { announce } = announcer();
  const event = text(1);
  expect(await announce([event], send(ROOT))).toEqual({ state: 'later', retryAfterMs: 30_000 });
  await clock.advance(24 * 60 * 60_000);
  expect(await announce([event], send(ROOT))).toEqual({ state: 'refused', reason: 'ekm_access_denied' });
});

test('what belongs to no send goes to the configured channel, or nowhere', async () => {
  answers(POSTED);
  const place = { ...PLACE, threadTs: '101.1' };
  expect(await announcer('C0ANSWERS').announce([text(1)], undefined)).toEqual({ ...announced(1), place });
  expect(posts()).toEqual([['C0ANSWERS', undefined, false]]);
  expect(await announcer().announce([text(1)], undefined)).toEqual({
    state: 'refused',
    reason: 'webhooks.channel is not set in herald.yml',
  });
});

test('a post whose answer was lost is made once more, and not a third time', async () => {
  answers('reset', 'reset');
  const { announce } = announcer();
  expect(await announce([text(1)], send(ROOT))).toEqual({ state: 'later', retryAfterMs: 5_000 });
  expect(await announce([text(1)], send(ROOT))).toEqual({ state: 'announced', eventIds: [1] });
  expect(slack.calls).toHaveLength(2);
});
