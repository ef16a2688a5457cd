import { expect, test } from 'vitest';
import { ALERTS } from '../../../sandbox/ui/chat/alert-samples.ts';
import { readAlertEvent } from '../../../src/slack/alerts/intake.ts';

const HERALD = { botId: 'B0HERALD', botUserId: 'U0HERALD' };
const READING = { herald: HERALD, receivedAt: 1_773_190_211_000 };
const TS = '1773190210.000100';
const BOT = { type: 'message', subtype: 'bot_message', bot_id: 'B0GRAFANA', username: 'Grafana' };
const GRAFANA = { ...BOT, ts: TS, ...ALERTS.grafana };

/** What every event of these says. */
const ABOUT = { eventId: 'Ev1', channelId: 'C0ALERTS', ts: TS, receivedAt: READING.receivedAt };

const OWN = { ...GRAFANA, bot_id: 'B0HERALD' };
const LATER = { type: 'message', channel: 'C0ALERTS', ts: '1773190215.1' };
const read = (event: object) => readAlertEvent({ type: 'event_callback', event_id: 'Ev1', event }, READING);
const posted = (over: object = {}) => ({
  ...GRAFANA,
  channel: 'C0ALERTS',
  event_ts: TS,
  channel_type: 'channel',
  ...over,
});

test.each(Object.keys(ALERTS))('an event of Slack with a message of %s is read whole', (source) => {
  const author = { botId: 'B0GRAFANA', name: 'Grafana' };
  expect(read(posted({ ...ALERTS[source], attachments: ALERTS[source]?.attachments }))).toEqual({
    ...{ ...ABOUT, kind: 'posted', eventTs: TS, author, text: expect.stringMatching(/.{40}/s) },
  });
});

test('an event of Slack names its app where the message or the bot’s profile does, and a person by user', () => {
  const author = { appId: 'A1', botId: 'B0GRAFANA', name: 'Grafana' };
  expect(read(posted({ app_id: 'A1' }))?.author).toEqual(author);
  expect(read(posted({ bot_profile: { app_id: 'A1' } }))?.author).toEqual(author);
  expect(read(posted({ username: '', bot_profile: { name: 'Nightly' } }))?.author.name).toBe('Nightly');
  const person = { type: 'message', user: 'U0ASHA', text: 'Fire', ts: TS, channel: 'C0ALERTS' };
  expect(read(person)?.author).toEqual({ userId: 'U0ASHA' });
});

test('an event of Slack that a message was edited, or deleted, is told in the order of Slack', () => {
  const gone = { ...ABOUT, kind: 'deleted', eventTs: '1773190215.000200', author: {}, text: '' };
  const changed = {
    type: 'message',
    subtype: 'message_changed',
    hidden: true,
    channel: 'C0ALERTS',
    ...{ ts: gone.eventTs, event_ts: gone.eventTs },
    message: { ...GRAFANA, attachments: [], text: 'Over' },
    previous_message: GRAFANA,
  };
  expect(read(changed)).toMatchObject({ kind: 'changed', ts: TS, eventTs: gone.eventTs, text: 'Over' });
  const deleted = { ...changed, subtype: 'message_deleted', deleted_ts: TS, message: undefined };
  expect(read(deleted)).toEqual(gone);
  // So Slack tells of it where there are replies, as below every alert.
  const by = { text: 'This message was deleted.', user: 'USLACKBOT', hidden: true };
  const tombstone = { type: 'message', subtype: 'tombstone', ...by, thread_ts: TS, reply_count: 1, ts: TS };
  expect(read({ ...changed, message: tombstone })).toEqual(gone);
  expect(read({ ...changed, message: tombstone, previous_message: 'nonsense' })).toEqual(gone);
  expect(read({ ...changed, message: tombstone, previous_message: OWN })).toBeUndefined();
});

test('an event of Slack says nothing of what Slack shows of a link, but what somebody has shared', () => {
  const preview = { from_url: 'https://acme.slack.com/archives/C1/p1', is_msg_unfurl: true, text: 'Fire' };
  expect(read(posted({ text: 'Look', attachments: [preview] }))?.text).toBe('Look');
  const shared = { ...preview, is_share: true };
  expect(read(posted({ text: 'Look', attachments: [shared] }))?.text).toBe('Look\nFire');
  const app = { id: 1, app_unfurl_url: 'https://x.example.com', is_app_unfurl: true, title: 'Fire' };
  expect(read(posted({ text: 'Look', attachments: [app] }))?.text).toBe('Look');
});

test('an event of Slack a reply is no alert, unless it is shown in the channel too', () => {
  const reply = posted({ thread_ts: '1773190000.000001', subtype: undefined });
  expect(read(reply)).toBeUndefined();
  expect(read({ ...reply, subtype: 'thread_broadcast' })).toMatchObject({
    ts: TS,
    threadTs: '1773190000.000001',
  });
  expect(read({ ...reply, thread_ts: TS })).toMatchObject({ ts: TS, threadTs: TS });
});

test.each([
  ['posted', posted({ bot_id: 'B0HERALD', app_id: 'A0HERALD' })],
  ['posted as its user', posted({ bot_id: undefined, user: 'U0HERALD', subtype: undefined })],
  ['edited', { ...LATER, subtype: 'message_changed', message: OWN }],
  ['deleted', { ...LATER, subtype: 'message_deleted', deleted_ts: TS, previous_message: OWN }],
])('an event of Slack what Herald itself has %s is never looked at', (_, event) => {
  expect(read(event)).toBeUndefined();
});

test.each([
  ['a notice of Slack', posted({ subtype: 'channel_join' })],
  ['a count of replies', posted({ subtype: 'message_replied' })],
  ['another event', { type: 'app_home_opened', channel: 'C0ALERTS' }],
  ['a message without a time', posted({ ts: 'now' })],
  ['nonsense', { type: 'message', channel: 7, ts: TS }],
])('an event of Slack %s is no alert', (_, event) => expect(read(event)).toBeUndefined());

test('an event of Slack that is broken anywhere is no alert', () => {
  for (const payload of [{}, { event: null }, { event_id: 'E', event: [] }, { event_id: 7, event: posted() }])
    expect(readAlertEvent(payload, READING)).toBeUndefined();
});
