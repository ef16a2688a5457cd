import { expect, test } from 'vitest';
import { type AlertRule, compilePattern } from '../../../src/sends/alerts/rules.ts';
import { readAlertEvent } from '../../../src/slack/alerts/intake.ts';
import { alertIdOf, CHANNEL, createAlertsSetting, MEI, MINUTE_MS } from './setting.ts';

/* Messages that their source edits, in the shapes in which Slack delivers edits of Alertmanager, PagerDuty and people. */

const HERALD = { botId: 'B0HERALD', botUserId: 'U0HERALD' };
const ESCALATION = [{ afterMinutes: 10, notify: ['second'] }];

/** As Alertmanager writes it: no text, and one attachment. */
const alertmanager = (title: string, text = '') => ({
  text: '',
  attachments: [
    {
      fallback: `${title} | https://alertmanager.example.com/#/alerts?receiver=ops`,
      title,
      title_link: 'https://alertmanager.example.com/#/alerts?receiver=ops',
      text,
      mrkdwn_in: ['fallback', 'pretext', 'text'],
    },
  ],
});
const UNFURL = {
  id: 2,
  from_url: 'https://wiki.example.com/firing',
  original_url: 'https://wiki.example.com/firing',
  service_name: 'Wiki',
  title: 'What to do when payments-db is firing',
  text: '[FIRING:7] All of it',
  fallback: 'Wiki: What to do when payments-db is firing',
};
const APP_UNFURL = {
  ...{ ...UNFURL, from_url: undefined, original_url: undefined },
  ...{ is_app_unfurl: true, app_unfurl_url: 'https://x.example.com' },
};
const ONE = alertmanager('[FIRING:1] DiskFull (node prometheus)', '• db-1 is down since 10:02, 93.1% used');
const TWO = alertmanager('[FIRING:2] DiskFull (node prometheus)', '• db-1 is down\n• payments-db is down');
const OVER = alertmanager('[RESOLVED] DiskFull (node prometheus)', '• db-1 is up again');

function started(rule: Partial<AlertRule> = {}) {
  const setting = createAlertsSetting({}, rule);
  setting.alerts.start();
  const first = Math.floor(setting.clock.now() / 1_000);
  const ts = `${first}.000100`;
  let edits = 0;
  const profile = { id: 'B0ALERTMAN', app_id: 'A0ALERTMAN', name: 'Alertmanager', deleted: false };
  const message = (content: object) => ({
    ...{ type: 'message', user: 'U0ALERTMAN', bot_id: 'B0ALERTMAN', bot_profile: profile },
    ...{ app_id: 'A0ALERTMAN', team: 'T0ACME', ts },
    ...content,
  });
  async function deliver(event: object, eventId: string) {
    const payload = { type: 'event_callback', event_id: eventId, event: { channel: CHANNEL, ...event } };
    const read = readAlertEvent(payload, { herald: HERALD, receivedAt: setting.clock.now() });
    if (read !== undefined) await setting.alerts.receive(read);
    await setting.settled();
  }
  let shown: object = {};
  async function post(content: object) {
    shown = message(content);
    await deliver({ ...shown, event_ts: ts, channel_type: 'channel' }, 'Ev0');
  }
  /** `chat.update` shows no `edited` where it changes blocks or attachments only. */
  function edit(content: object, at = setting.clock.now()) {
    edits += 1;
    const event_ts = `${Math.floor(at / 1_000)}.${String(edits).padStart(4, '0')}00`;
    const event = {
      ...{ type: 'message', subtype: 'message_changed', hidden: true, channel_type: 'channel' },
      ...{ message: message(content), previous_message: shown, ts: event_ts, event_ts },
    };
    shown = event.message;
    return event;
  }
  /** Seconds after the last, the message is edited. */
  async function change(content: object, minutes = 1) {
    await setting.clock.advance(minutes * MINUTE_MS);
    const event = edit(content);
    await deliver(event, `Ev-edit-${edits}`);
    return alertIdOf(CHANNEL, ts, 'critical', event.event_ts);
  }
  const texts = () => setting.sent().map(({ text }) => text.split('\n')[0]);
  const people = () => setting.sent().map(({ to }) => to);
  const states = async () => {
    const all = await setting.alertStore.state({ recent: 0, openSince: 0, ids: [] });
    return all.alerts.map(({ state }) => state);
  };
  return { ...setting, post, change, edit, deliver, message, texts, people, states, ts };
}

const [FIRST, SECOND] = ['[FIRING:1] DiskFull (node prometheus)', '[FIRING:2] DiskFull (node prometheus)'];

test('an edit that says something new is an alert of its own, in the thread that is there, and so it is after the message was over', async () => {
  const { post, change, texts, states, lastAlert, alertStore, ts } = started();
  await post(ONE);
  const id = await change(TWO);
  expect(texts()).toEqual([FIRST, SECOND]);
  expect(await alertStore.find(id)).toMatchObject({ ts, threadTs: ts, state: 'open', edited: true });
  await change(OVER);
  expect(await states()).toEqual(['resolved', 'resolved']);
  await change(ONE);
  expect(texts()).toEqual([FIRST, SECOND, FIRST]);
  expect(await states()).toEqual(['resolved', 'resolved', 'open']);
  expect(await lastAlert()).toMatchObject({ state: 'open', edited: true });
});

test('an edit that says something new is one however often, and in whatever order, Slack delivers it', async () => {
  const { post, edit, deliver, texts, clock } = started();
  await post(ONE);
  await clock.advance(MINUTE_MS);
  const early = edit(alertmanager('[FIRING:3] DiskFull (node)'), clock.now() - 30_000);
  const late = edit(TWO);
  await deliver(late, 'Ev-late');
  await deliver(late, 'Ev-late');
  await deliver(late, 'Ev-late-again');
  await deliver(early, 'Ev-early');
  expect(texts()).toEqual([FIRST, SECOND]);
});

const LATER = alertmanager(FIRST, '• db-1 is down since 2026-03-11T00:50:10Z, 95.4% used');
const DAY = 24 * 60;

test.each([
  ['a value or a time', LATER, 20],
  ['nothing at all, a day later', ONE, DAY],
  ['a preview of a link', { ...ONE, attachments: [...ONE.attachments, UNFURL] }, 20],
  ['what an app shows of a link', { ...ONE, attachments: [...ONE.attachments, APP_UNFURL] }, 20],
  ['the language that Slack found it in', { ...ONE, language: { locale: 'en_US', is_reliable: true } }, 20],
])('an edit that says nothing new wakes nobody by %s', async (_, content, minutes) => {
  const { post, change, texts, counted } = started();
  await post(ONE);
  for (let n = 0; n < 3; n += 1) await change(content, minutes);
  expect(texts()).toEqual([FIRST]);
  expect(counted.filter((what) => what === 'known')).toHaveLength(3);
});

test('an edit that says nothing new wakes nobody where somebody has acknowledged it, or it was edited to something new before', async () => {
  const { post, change, texts, alerts } = started();
  await post(ONE);
  const id = await change(TWO);
  await alerts.acknowledge(id, 'U0ASHA');
  for (let n = 0; n < 3; n += 1) await change(TWO, 5 * 60);
  expect(texts()).toEqual([FIRST, SECOND]);
});

test('an edit that says nothing new wakes nobody but what nobody was told of before is said when it comes again', async () => {
  const { post, change, texts, alerts, clock } = started();
  await alerts.mute('critical', clock.now() + 5 * MINUTE_MS, 'U0ASHA');
  await post(ONE);
  await change(LATER);
  expect(texts()).toEqual([]);
  await change(ONE, 10);
  expect(texts()).toEqual([FIRST]);
});

test('an edit that says nothing new wakes nobody and edits that overtook one another are measured by what was looked at', async () => {
  const { post, edit, deliver, texts, alertStore, clock, settled } = started({ coolDownMinutes: 0.01 });
  await post(ONE);
  const [moved, again] = [edit(LATER, clock.now() + 1_000), edit(ONE, clock.now() + 2_000)];
  await alertStore.keep(
    [moved, again].flatMap((event, n) => {
      const payload = { event_id: `Ev${n + 1}`, event: { channel: CHANNEL, ...event } };
      return readAlertEvent(payload, { herald: HERALD, receivedAt: clock.now() }) ?? [];
    }),
  );
  await clock.advance(20 * MINUTE_MS);
  expect(texts()).toEqual([FIRST]);
  await deliver(edit(LATER), 'Ev9');
  await settled();
  expect(texts()).toEqual([FIRST]);
});

test('whether words say something new is asked of the rule’s fingerprint: the named parts of everything that fires', async () => {
  const { post, change, texts } = started({ fingerprint: compilePattern('instance = (?P<name>[\\w-]+)') });
  const listed = (...names: string[]) =>
    alertmanager(
      `[FIRING:${names.length}] Down`,
      names.map((name) => `instance = ${name}, seen ${name.length} times`).join('\n'),
    );
  await post(listed('db-1'));
  await change(listed('db-1', 'payments-db'));
  await change(listed('payments-db', 'db-1'), 20);
  await change(listed('db-1', 'db-1', 'payments-db'), 20);
  expect(texts()).toEqual(['[FIRING:1] Down', '[FIRING:2] Down']);
});

test('a message that was deleted with its thread withdraws all of its alerts', async () => {
  const { post, change, deliver, edit, states, clock, people } = started({ escalate: ESCALATION });
  await post(ONE);
  await change(TWO);
  const { previous_message, ...event } = edit({});
  const { ts } = event.message;
  const gone = { type: 'message', subtype: 'tombstone', user: 'USLACKBOT', hidden: true, thread_ts: ts, ts };
  await deliver({ ...event, message: gone, previous_message }, 'Ev-gone');
  await clock.advance(20 * MINUTE_MS);
  expect(await states()).toEqual(['deleted', 'deleted']);
  expect(people()).toEqual([MEI, MEI]);
});
