import { describe, expect, test } from 'vitest';
import { type AlertRule, compilePattern } from '../../../src/sends/alerts/rules.ts';
import type { Signal } from '../../../src/sends/alerts/signal.ts';
import type { Outcome } from '../../../src/sends/outcome.ts';
import { seeded } from '../../http/hostile-bodies.ts';
import { ACCEPTED, NOT_SENT } from '../harness.ts';
import { ARUN, CHANNEL, createAlertsSetting, MEI, MINUTE_MS, RULE, SETTINGS } from './setting.ts';

const PROMETHEUS = { name: 'prometheus', channel: CHANNEL };
const SCRIPTS = { name: 'scripts', channel: CHANNEL };
const NOW = Date.UTC(2026, 0, 5, 8, 0);

function reporting(rule: Partial<AlertRule> = {}, over: Partial<typeof SETTINGS> = {}) {
  const setting = createAlertsSetting(over, { match: undefined, text: '{{title}}', ...rule });
  setting.alerts.start();
  const report = async (signal: Partial<Signal> = {}, source = PROMETHEUS) => {
    await setting.alerts.report(source, [
      { key: 'db-1', start: NOW, status: 'firing', text: 'Disk full', ...signal },
    ]);
    await setting.settled();
  };
  const texts = () => setting.sent().map(({ text }) => text);
  const decisions = async () =>
    (await setting.alertStore.decisionsSince(0)).flatMap(({ what, count }) => Array(count).fill(what));
  return { ...setting, report, texts, decisions };
}

test('a signal is sent once, however often it is reported, and again when it starts anew', async () => {
  const { report, texts, decisions } = reporting();
  for (let times = 0; times < 5; times += 1) await report();
  expect(texts()).toEqual(['Disk full']);
  await report({ status: 'resolved', text: 'Something else' });
  await report();
  await report({ start: NOW + 1 });
  expect(texts()).toEqual(['Disk full', 'Disk full']);
  expect(await decisions()).toEqual(['resolved', 'sent', 'sent']);
});

test('a signal is over by its status alone, and only that one', async () => {
  const { report, alertStore } = reporting();
  await report({ text: 'Resolved: no, it fires' });
  await report({ key: 'db-2', text: 'Resolved: no, it fires' });
  await report({ key: 'db-2', status: 'resolved', text: '[FIRING:1] Disk full' });
  const { alerts } = await alertStore.state({ recent: 0, openSince: 0, ids: [] });
  expect(alerts.map(({ state }) => state)).toEqual(['open', 'resolved']);
});

test('a signal of a flapping alert is a repetition within the cool-down, by its key, or by the pattern of the rule', async () => {
  const flapping = reporting();
  await flapping.report();
  await flapping.report({ start: NOW + 5, text: 'Other words' });
  expect(await flapping.decisions()).toEqual(['repeated', 'sent']);
  const grouped = reporting({ fingerprint: compilePattern('alertname=(\\w+)') });
  await grouped.report({ text: 'One\nalertname=Disk' });
  await grouped.report({ key: 'db-2', text: 'Two\nalertname=Disk' });
  expect(await grouped.decisions()).toEqual(['repeated', 'sent']);
});

test('a signal goes by `from` and `match` like a posted message', async () => {
  const from = { sources: ['prometheus'] };
  const { report, post, texts } = reporting({ from, match: compilePattern('severity=critical') });
  await report({ text: 'One\nseverity=warning' });
  await report({ key: 'db-2', text: 'Two\nseverity=critical' });
  await report({ key: 'db-3', text: 'Three\nseverity=critical' }, SCRIPTS);
  await post('Four severity=critical');
  expect(texts()).toEqual(['Two']);
});

const over = { status: 'resolved' } as const;
const escalate = [{ afterMinutes: 50, notify: ['second'] }];

test('a signal that is over ends what was reported of its key before, whatever start it names, in the message that stands there', async () => {
  const { report, texts, alertStore, clock } = reporting({ escalate });
  await report();
  const [{ ts = '' } = {}] = await alertStore.signals(CHANNEL, 0);
  // Some versions of Grafana name the end as its start.
  await report({ ...over, start: NOW + 5 * MINUTE_MS });
  expect((await alertStore.message(CHANNEL, ts)).events.map(({ kind }) => kind)).toEqual([
    'posted',
    'resolved',
  ]);
  // Alertmanager says nothing of the end of what fires anew before its next look.
  for (const minutes of [10, 30]) {
    await report({ start: NOW + minutes * MINUTE_MS });
    await clock.advance(20 * MINUTE_MS);
  }
  await report({ ...over, start: NOW + 30 * MINUTE_MS });
  await clock.advance(60 * MINUTE_MS);
  expect(texts()).toEqual(['Disk full', 'Disk full', 'Disk full']);
  const { alerts } = await alertStore.state({ recent: 0, openSince: 0, ids: [] });
  expect(alerts.map(({ state }) => state)).toEqual(['resolved', 'resolved', 'resolved']);
  const all = new Set((await alertStore.signals(CHANNEL, 0)).map((event) => event.ts));
  const messages = await Promise.all([...all].map((one) => alertStore.message(CHANNEL, one)));
  const shown = messages.filter(({ place }) => place === 'waiting');
  expect(shown.map(({ events }) => events.map(({ kind }) => kind))).toEqual(
    Array(3).fill(['posted', 'resolved']),
  );
});

test('a signal that is over ends no later start of its key', async () => {
  const { report, alerts, clock, lastAlert } = reporting();
  await alerts.mute('critical', clock.now() + MINUTE_MS, 'U0ASHA');
  await report();
  await clock.advance(MINUTE_MS);
  await report({ start: NOW + 1 });
  await report(over);
  expect((await lastAlert())?.state).toBe('open');
});

test('a signal that is over ends an alert of several, by the pattern of its rule, with the last of them', async () => {
  const fingerprint = compilePattern('alertname=(\\w+)');
  const { report, lastAlert, texts, decisions, clock } = reporting({ fingerprint, escalate });
  const keys = ['db-1', 'db-2', 'db-3'];
  for (const key of keys) await report({ key, text: `${key}\nalertname=Disk` });
  for (const key of ['db-2', 'db-1', 'db-1']) await report({ key, ...over });
  expect((await lastAlert())?.state).toBe('open');
  await clock.advance(50 * MINUTE_MS);
  expect(texts()).toEqual(['db-1', 'Nobody has acknowledged: db-1']);
  await report({ key: 'db-3', ...over });
  expect((await lastAlert())?.state).toBe('resolved');
  expect(await decisions()).toEqual(['repeated', 'repeated', 'resolved', 'resolved', 'resolved', 'sent']);
});

test('a signal that came while its rule was muted is sent when it is reported again after that, once', async () => {
  const { report, alerts, clock, texts } = reporting();
  await alerts.mute('critical', clock.now() + 60 * MINUTE_MS, 'U0ASHA');
  await report();
  await report();
  await clock.advance(60 * MINUTE_MS);
  expect(texts()).toEqual([]);
  for (let times = 0; times < 3; times += 1) await report();
  expect(texts()).toEqual(['Disk full']);
});

test('a signal without a start is the same until it is over, for twelve hours at most', async () => {
  const { start: _, ...plain } = { start: 0, key: 'backup' };
  const { alerts, clock, settled, texts } = reporting();
  const say = async (status: Signal['status'] = 'firing') => {
    await alerts.report(SCRIPTS, [{ ...plain, status, text: 'Backup failed' }]);
    await settled();
  };
  for (let hour = 0; hour < 12; hour += 1) {
    await say();
    await clock.advance(60 * MINUTE_MS);
  }
  expect(texts()).toHaveLength(1);
  await say();
  expect(texts()).toHaveLength(2);
  await say('resolved');
  await say('resolved');
  await say();
  expect(texts()).toHaveLength(3);
});

test('a signal reaches phones while Slack has not said who Herald is; what needs an approval waits for that', async () => {
  const nobody = { herald: () => undefined };
  const { again, alerts: _, ...setting } = createAlertsSetting({}, { match: undefined });
  const { alerts } = again(nobody);
  alerts.start();
  await alerts.report(PROMETHEUS, [{ key: 'k', start: 1, status: 'firing', text: 'Down' }]);
  await setting.settled();
  expect(setting.sent()).toMatchObject([{ text: 'Down', to: MEI }]);
  const wide = createAlertsSetting({ approvalOver: 0 }, { match: undefined });
  const other = wide.again({ ...nobody, settings: { ...SETTINGS, approvalOver: 0, rules: [RULE] } });
  other.alerts.start();
  await other.alerts.report(PROMETHEUS, [{ key: 'k', start: 1, status: 'firing', text: 'critical' }]);
  await wide.clock.advance(MINUTE_MS);
  expect([wide.sent(), wide.bulkRequests]).toEqual([[], []]);
});

/*
 * Random lives: two sources and a Slack channel, repeats and late reports, Slack and the service gone and back, restarts, two
 * replicas at work, a clock that is set. Whoever should be notified is, and nobody twice.
 */
describe('whatever happens, whoever should be notified is, once', () => {
  const RULES = [
    { name: 'signals', from: { sources: ['prometheus', 'scripts'] }, text: '{{title}}' },
    { name: 'posts', from: { apps: ['A0GRAFANA'] }, notify: ['second'] },
  ].map((rule) => ({ ...RULE, match: undefined, capPerHour: 1_000, coolDownMinutes: 0.000_01, ...rule }));
  const settings = { ...SETTINGS, rules: RULES, capPerPersonPerHour: 1_000 };

  test.each(Array.from({ length: 12 }, (_none, seed) => seed + 1))('life %i', async (seed) => {
    const random = seeded(seed);
    const int = (below: number) => Math.floor(random() * below);
    // The service is gone now and then, and never for as many attempts as a send has.
    const outcomes: Outcome[] = [];
    for (let at = 0; at < 5_000; at += 1)
      outcomes.push(random() < 0.3 && !outcomes.slice(-4).includes(NOT_SENT) ? NOT_SENT : ACCEPTED);
    const came = [...outcomes];
    const setting = createAlertsSetting(settings, {}, outcomes);
    let slackIsThere = true;
    const herald = () => (slackIsThere ? { teamId: 'T0', userId: 'U0HERALD' } : undefined);
    const begin = () => {
      const one = setting.again({ herald, settings });
      one.alerts.start();
      return one;
    };
    const replicas = [begin(), begin()];
    const any = () => replicas[int(2)]?.alerts ?? setting.alerts;
    const over = new Set<string>();
    const expected: { text: string; to: string }[] = [];
    const seen = new Set<string>();
    for (let step = 0; step < 60; step += 1) {
      const name = `${int(2) === 0 ? 'prometheus' : 'scripts'} db-${int(6)} of ${int(4)}`;
      const [source = '', key = '', , start] = name.split(' ');
      const chance = random();
      // Longer than the cool-down.
      await setting.clock.advance(7 + int(90));
      if (chance < 0.7) {
        const status = random() < 0.75 ? 'firing' : 'resolved';
        if (status === 'firing' && !seen.has(name) && !over.has(name)) expected.push({ text: name, to: MEI });
        (status === 'firing' ? seen : over).add(name);
        const signal = { key, start: Number(start), status, text: name } as const;
        const times = 1 + int(3);
        await Promise.all(
          Array.from({ length: times }, () => any().report({ name: source, channel: CHANNEL }, [signal])),
        );
        // What fires and is over before anybody looked is over.
        await setting.settled();
      } else if (chance < 0.8) {
        const event = setting.event(`post ${step}`);
        expected.push({ text: `post ${step}`, to: ARUN });
        await Promise.all([any().receive(event), any().receive({ ...event, eventId: `again ${step}` })]);
      } else if (chance < 0.87) slackIsThere = !slackIsThere;
      else if (chance < 0.94) {
        const place = int(2);
        replicas[place]?.stop.abort();
        await replicas[place]?.alerts.drained();
        replicas[place] = begin();
      } else {
        await setting.settled();
        setting.clock.set((int(21) - 10) * MINUTE_MS + int(50_000));
      }
      if (random() < 0.3) await setting.settled();
    }
    slackIsThere = true;
    await setting.clock.advance(30 * MINUTE_MS);
    const sorted = (list: readonly { text: string; to: string }[]) =>
      list.map(({ text, to }) => `${text} to ${to}`).toSorted();
    const arrived = setting.sent().filter((_one, at) => came[at] === ACCEPTED);
    expect(sorted(arrived)).toEqual(sorted(expected));
    expect(await setting.alertStore.waiting(9)).toEqual([]);
  });
});
