import { describe, expect, test } from 'vitest';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { compilePattern } from '../../../src/sends/alerts/rules.ts';
import { BY_COUNTRY } from '../../messages/samples.ts';
import { ARUN, alertIdOf, CHANNEL, createAlertsSetting, MEI, MINUTE_MS, SETTINGS } from './setting.ts';

const FIRING = '[FIRING:1] Disk full (db-1 critical)';
const RESOLVED = '[RESOLVED] Disk full (db-1 critical)';
const SENT = { kind: 'flash', to: MEI, text: FIRING };
const CRITICAL = compilePattern('critical');
const PEOPLE = [
  { name: 'Mei', number: MEI },
  { name: 'Arun', number: ARUN },
];
const ESCALATION = [{ afterMinutes: 10, notify: ['second'] }];

function started(...about: Parameters<typeof createAlertsSetting>) {
  const setting = createAlertsSetting(...about);
  setting.alerts.start();
  return setting;
}

test('an alert is sent once to who is on call, however often it is delivered, in the name of its thread', async () => {
  const setting = started();
  const event = await setting.post(FIRING, { threadTs: '1700.000001' });
  await setting.alerts.receive(event);
  await setting.alerts.receive({ ...event, eventId: 'Ev-again' });
  await setting.clock.advance(2_000);
  expect(setting.sent()).toEqual([SENT]);
  const id = alertIdOf(CHANNEL, event.ts, 'critical');
  const [person] = (await setting.lastAlert())?.steps[0]?.people ?? [];
  const send = await setting.service.report(person?.sendId ?? '');
  const alert = { id, threadTs: '1700.000001', urgent: true };
  const origin = { teamId: 'T0', userId: 'U0HERALD', channelId: CHANNEL, alert };
  expect(send?.send.origin).toEqual(origin);
  expect(send?.recipient.state).toBe('accepted');
  expect(setting.counted).toEqual(['kept', 'sent', 'delivered_again', 'delivered_again']);
});

test('an alert goes to everybody once, also as ordinary SMS where the rule wants that', async () => {
  const groups = { a: PEOPLE, b: PEOPLE };
  const setting = started({ groups }, { notify: ['a', 'b'], followUp: true });
  await setting.post(FIRING);
  expect(setting.sent().toSorted((one, other) => one.to.localeCompare(other.to))).toEqual([
    { ...SENT, to: MEI },
    { ...SENT, to: MEI, kind: 'sms' },
    { ...SENT, to: ARUN },
    { ...SENT, to: ARUN, kind: 'sms' },
  ]);
});

test('an alert for a number that has opted out says so', async () => {
  const setting = started();
  setting.optedOut.add(MEI);
  await setting.post(FIRING);
  await setting.clock.advance(2_000);
  expect(setting.sent()).toEqual([]);
  expect((await setting.lastAlert())?.steps[0]?.people[0]?.refusal).toMatch(/opted out/);
});

test('an answer acknowledges of who was notified, by a word that says so, however their number is spelled', async () => {
  const ana = { name: 'Ana', number: '+541123456789' as Msisdn };
  const setting = started({ groups: { oncall: [ana], second: PEOPLE } }, { escalate: ESCALATION });
  const { ts } = await setting.post(FIRING);
  const id = alertIdOf(CHANNEL, ts, 'critical');
  for (const [number, words] of [
    [ARUN, 'ok'],
    [ana.number, 'What is this?'],
    [undefined, 'ok'],
  ] as const)
    await setting.alerts.answered(id, number, words);
  expect((await setting.alertStore.find(id))?.state).toBe('open');
  await setting.alerts.answered(id, '+5491123456789' as Msisdn, 'OK');
  expect(await setting.alertStore.find(id)).toMatchObject({
    state: 'acknowledged',
    ended: { by: 'Ana', at: setting.clock.now() },
  });
  await setting.clock.advance(20 * MINUTE_MS);
  expect(setting.sent()).toEqual([{ ...SENT, to: ana.number }]);
  await setting.alerts.answered('L-NONE', MEI, 'ok');
});

test('an alert whose rule is gone is over, and says so', async () => {
  const setting = createAlertsSetting({}, { escalate: ESCALATION });
  setting.alerts.start();
  const { ts } = await setting.post(FIRING);
  setting.stop.abort();
  const rules = setting.again({ settings: { ...SETTINGS, rules: [] } });
  rules.alerts.start();
  await setting.clock.advance(20 * MINUTE_MS);
  expect(setting.sent()).toEqual([SENT]);
  expect(await setting.alertStore.find(alertIdOf(CHANNEL, ts, 'critical'))).toMatchObject({
    state: 'deleted',
    steps: [{ state: 'sent' }, { state: 'cancelled' }],
  });
});

test('an alert is over by another message for two days', async () => {
  const setting = started();
  const { ts } = await setting.post(FIRING);
  const state = async () => (await setting.alertStore.find(alertIdOf(CHANNEL, ts, 'critical')))?.state;
  await setting.clock.advance(47 * 60 * MINUTE_MS);
  await setting.post(RESOLVED);
  expect(await state()).toBe('resolved');
});

test('an escalation survives a restart; after a long outage it is told and not sent', async () => {
  const setting = started({}, { escalate: ESCALATION });
  await setting.post(FIRING);
  setting.stop.abort();
  await setting.clock.advance(11 * MINUTE_MS);
  expect(setting.sent()).toHaveLength(1);
  const next = setting.again();
  next.alerts.start();
  await setting.settled();
  const escalated = { kind: 'flash', to: ARUN, text: `Nobody has acknowledged: ${FIRING}` };
  expect(setting.sent()).toEqual([SENT, escalated]);
  await setting.post('firing: db-9');
  next.stop.abort();
  await setting.clock.advance(60 * MINUTE_MS);
  setting.again().alerts.start();
  await setting.clock.advance(2_000);
  expect(setting.sent()).toHaveLength(2);
  const late = await setting.lastAlert();
  expect([late?.title, late?.steps.map(({ state }) => state)]).toEqual(['firing: db-9', ['late']]);
});

test('a crash of one process leaves what it had stored or decided to another, within seconds', async () => {
  const setting = createAlertsSetting();
  const idle = setting.again();
  idle.alerts.start();
  await setting.settled();
  await setting.alerts.receive(setting.event(FIRING));
  await setting.clock.advance(6_000);
  expect(setting.sent()).toEqual([SENT]);
});

test('a crash between the sends and what is noted of them sends nobody anything twice', async () => {
  const setting = createAlertsSetting({ groups: { oncall: PEOPLE } });
  const { commit } = setting.alertStore;
  let commits = 0;
  setting.alertStore.commit = async (...args) => {
    commits += 1;
    // The first writes what was decided, the second what was sent.
    if (commits === 2) throw new Error('The process dies here.');
    return commit(...args);
  };
  setting.alerts.start();
  await setting.post(FIRING);
  expect(setting.sent()).toHaveLength(2);
  setting.again().alerts.start();
  await setting.clock.advance(MINUTE_MS);
  expect(new Set(setting.sent().map(({ to }) => to))).toEqual(new Set([MEI, ARUN]));
  expect(setting.sent()).toHaveLength(2);
});

test('a crash that brought an older copy of the database back sends nothing of it by itself', async () => {
  const setting = createAlertsSetting({}, { escalate: ESCALATION });
  setting.alerts.start();
  await setting.post(FIRING);
  setting.stop.abort();
  await setting.alerts.receive(setting.event('firing: kept and not decided on'));
  const next = setting.again();
  await next.alerts.stopRestored();
  next.alerts.start();
  await setting.clock.advance(20 * MINUTE_MS);
  expect(setting.sent()).toEqual([SENT]);
  expect((await setting.lastAlert())?.steps.map(({ state }) => state)).toEqual(['sent', 'late']);
});

test('a flood of a thousand alerts in a minute sends the cap, says in the last that more are held, and loses none', async () => {
  const setting = started();
  for (let index = 0; index < 1_000; index += 1)
    await setting.alerts.receive(setting.event(`firing: machine m${index} critical`));
  await setting.clock.advance(MINUTE_MS);
  const texts = setting.sent().map(({ text }) => text);
  expect(texts.toSorted()).toEqual([
    '(Last until 17:00, more are held) firing: machine m9 critical',
    ...Array.from({ length: 9 }, (_, index) => `firing: machine m${index} critical`),
  ]);
  expect(await setting.alertStore.decisionsSince(0)).toEqual([
    { rule: 'critical', what: 'held', count: 990 },
    { rule: 'critical', what: 'sent', count: 10 },
  ]);
  const [rule] = await setting.alerts.ruleStates();
  expect(rule?.holds?.map(({ count }) => count)).toEqual([990]);
  await setting.clock.advance(60 * MINUTE_MS);
  expect(setting.sent()).toHaveLength(10);
  await setting.post('firing: the next hour');
  expect(setting.sent()).toHaveLength(11);
});

describe('a rule', () => {
  test('that is muted sends nobody anything, also of an alert that is open, until somebody ends that', async () => {
    const setting = started({}, { escalate: ESCALATION, resolved: { notify: true } });
    const { ts } = await setting.post(FIRING);
    const until = setting.clock.now() + 90 * MINUTE_MS;
    await setting.alerts.mute('critical', until, 'U0ASHA');
    expect(await setting.alerts.ruleStates()).toEqual([{ rule: 'critical', muted: { until, by: 'U0ASHA' } }]);
    await setting.clock.advance(20 * MINUTE_MS);
    await setting.post(RESOLVED);
    await setting.post(FIRING);
    await setting.clock.advance(60 * MINUTE_MS);
    expect(setting.sent()).toEqual([SENT]);
    const { steps } = (await setting.alertStore.find(alertIdOf(CHANNEL, ts, 'critical'))) ?? {};
    const muted = { state: 'cancelled', note: 'The rule was muted then. Nobody was sent this.' };
    expect(steps?.slice(1)).toMatchObject([
      { kind: 'escalation', ...muted },
      { kind: 'resolved', ...muted },
    ]);
    await setting.alerts.mute('critical', 0, 'U0RAVI');
    expect(await setting.alerts.ruleStates()).toEqual([{ rule: 'critical' }]);
    await setting.post(FIRING);
    expect(setting.sent()).toEqual([SENT, SENT]);
  });

  test('that reaches more people than an alert may by itself asks for approval', async () => {
    const numbers = Array.from({ length: 11 }, (_, index) => `+65912345${String(60 + index)}` as Msisdn);
    const people = numbers.map((number, index) => ({ name: `P${index}`, number }));
    const setting = started({ groups: { oncall: people } });
    const { ts } = await setting.post(FIRING);
    expect(setting.sent()).toEqual([]);
    const id = alertIdOf(CHANNEL, ts, 'critical');
    const alert = { id, threadTs: ts, urgent: true };
    expect(setting.bulkRequests).toEqual([
      {
        message: { kind: 'flash', sender: 'ACMEIN', type: 'TRANS', text: FIRING, unicode: false },
        audienceId: 'A-1',
        origin: { teamId: 'T0', userId: 'U0HERALD', channelId: CHANNEL, alert },
        requestKey: `alert:${id}:0`,
        approvalOver: 10,
      },
    ]);
    await setting.clock.advance(2_000);
    expect((await setting.lastAlert())?.steps[0]?.note).toBe('No. Nothing was sent. Wait.');
  });

  test('comes from the sender of each person’s country, and says who has none', async () => {
    const people = [
      { name: 'Arun', number: ARUN },
      { name: 'Ida', number: '+97144567890' as Msisdn },
      { name: 'Mei', number: MEI },
    ];
    const setting = started({ groups: { oncall: people }, senders: BY_COUNTRY.slice(0, 3) });
    await setting.post(FIRING);
    await setting.clock.advance(2_000);
    expect(setting.deliveries.map(({ message }) => message)).toMatchObject([
      { sender: 'ACMEIN', type: 'TRANS' },
      { sender: 'ACMEAE', type: 'TRANS' },
    ]);
    expect((await setting.lastAlert())?.steps[0]?.people[2]).toMatchObject({
      refusal: 'The message has no TRANS sender for numbers of Singapore: choose another sender.',
    });
  });

  test('without a sender says so', async () => {
    const setting = started({ senders: [] });
    await setting.post(FIRING);
    await setting.clock.advance(2_000);
    expect((await setting.lastAlert())?.steps[0]?.note).toMatch(/no SMS sender/);
  });
});

const ODD = 'odd, critical';

test('an alert that cannot be worked on by its rule is set aside after three attempts, and the others are sent', async () => {
  const match: typeof CRITICAL = {
    named: () => [],
    find: (text) => {
      if (text === ODD) throw new Error('no end in sight');
      return CRITICAL.find(text);
    },
  };
  const setting = createAlertsSetting({}, { match });
  for (const text of [ODD, FIRING]) await setting.alerts.receive(setting.event(text));
  setting.alerts.start();
  await setting.settled();
  expect(setting.sent()).toEqual([SENT]);
  await setting.clock.advance(MINUTE_MS);
  expect(setting.counted).toContain('alert_event set aside');
  expect(await setting.alertStore.waiting(10)).toEqual([]);
  expect(setting.sent()).toEqual([SENT]);
});

test('an alert that cannot be worked on when it is to be sent says so in its card', async () => {
  const setting = createAlertsSetting();
  const { alerts } = setting.again({
    herald: () => {
      throw new Error('nobody');
    },
  });
  alerts.start();
  await alerts.receive(setting.event(FIRING));
  await setting.clock.advance(MINUTE_MS);
  expect(setting.sent()).toEqual([]);
  expect(setting.counted).toContain('alert set aside');
  expect((await setting.lastAlert())?.steps[0]).toMatchObject({
    state: 'late',
    note: expect.stringMatching(/^Herald failed three times to send this/),
  });
});
