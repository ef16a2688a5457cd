import { webApi } from '@slack/bolt';
import { expect, onTestFinished, test } from 'vitest';
import type { AlertRule } from '../../../src/sends/alerts/rules.ts';
import type { Signal } from '../../../src/sends/alerts/signal.ts';
import { createRefusedPosts } from '../../../src/sends/refused-posts.ts';
import { renderAlerts } from '../../../src/slack/alerts/posts.ts';
import { watchCollections } from '../../fakes/collections.ts';
import { rendering } from '../../fakes/renderers.ts';
import {
  alertIdOf,
  CHANNEL,
  createAlertsSetting,
  MINUTE_MS,
  RULE,
  SETTINGS,
} from '../../sends/alerts/setting.ts';
import { createMortal, createMortalOutbox } from '../kit/posting/fake-slack.ts';

const FIRING = '[FIRING:1] Disk full (db-1 critical)';
const platform = (error: string) => new webApi.WebAPIPlatformError({ ok: false, error });
const LIMITED = new webApi.WebAPIRateLimitedError(20);

/** Alerts that are sent and shown, by an outbox of their own, in a Slack that a test plays by hand. */
function showing(rule: Partial<AlertRule> = {}) {
  const setting = createAlertsSetting({}, rule);
  const { clock, logger, store, posts } = setting;
  const calls: string[] = [];
  const messages: { ts: string; text: string; thread: string | undefined }[] = [];
  const seconds: number[] = [];
  /** Of a call by its name. */
  const slack: { trouble: (call: string) => Error | undefined } = { trouble: () => undefined };
  function called(call: string): void {
    calls.push(call);
    const error = slack.trouble(call);
    if (error !== undefined) throw error;
  }
  const client = {
    chat: {
      postMessage: async ({ text, thread_ts }: { text: string; thread_ts?: string }) => {
        called('post');
        const ts = `${messages.length + 1}.0`;
        messages.push({ ts, text, thread: thread_ts });
        return { ok: true, channel: CHANNEL, ts };
      },
      update: async ({ text, ts }: { text: string; ts: string }) => {
        called('update');
        const message = messages.find((one) => one.ts === ts);
        if (message !== undefined) message.text = text;
        return { ok: true };
      },
    },
    conversations: { history: async () => ({ ok: true, messages: [] }) },
    reactions: { add: async () => called('add'), remove: async () => called('remove') },
  } as unknown as webApi.WebClient;
  const refusedPosts = createRefusedPosts(logger, () => {});
  const metrics = { alertRequested: (one: number) => seconds.push(one) };
  const alertSettings = { ...SETTINGS, rules: [{ ...RULE, ...rule }] };
  setting.alerts.start();
  const sources = { alertStore: setting.alertStore, store, alertSettings, client, metrics, clock, logger };
  const end = createMortalOutbox({
    ...{ posts, client, refusedPosts, clock, logger, alive: createMortal().alive },
    renderers: rendering(renderAlerts(sources)),
  });
  onTestFinished(end);
  const count = (call: string) => calls.filter((one) => one === call).length;
  return { ...setting, slack, messages, calls, count, seconds, refusedPosts };
}

test('an alert has one card, in its thread, that shows what became of it', async () => {
  const { post, clock, alerts, messages, calls } = showing();
  const { ts } = await post(FIRING);
  await clock.advance(5_000);
  expect(messages).toMatchObject([{ thread: ts, text: expect.stringContaining('🚨 Alert') }]);
  expect(messages[0]?.text).toContain('accepted');
  const shown = calls.length;
  await alerts.acknowledge(alertIdOf(CHANNEL, ts, 'critical'), 'U0ASHA');
  await clock.advance(5_000);
  expect(messages).toMatchObject([{ text: expect.stringContaining('👀 Acknowledged') }]);
  expect(calls.slice(shown).toSorted()).toEqual(['add', 'remove', 'update']);
});

test('that a rule holds alerts is said once, and at the end what it held, though Slack is busy', async () => {
  const { slack, post, clock, messages, posts } = showing({ capPerHour: 1 });
  slack.trouble = (call) => (call === 'post' ? LIMITED : undefined);
  await post(FIRING);
  for (const one of ['a', 'b', 'c']) await post(`firing: held ${one}`);
  await clock.advance(5_000);
  slack.trouble = () => undefined;
  await clock.advance(MINUTE_MS);
  const ofHolds = () => messages.filter(({ thread }) => thread === undefined).map(({ text }) => text);
  expect(ofHolds()).toEqual([expect.stringContaining('has reached its limit of 1 alerts an hour')]);
  await post('firing: held d');
  await clock.leap(50 * MINUTE_MS);
  expect(ofHolds()).toHaveLength(1);
  slack.trouble = (call) => (call === 'post' ? LIMITED : undefined);
  await clock.advance(10 * MINUTE_MS);
  slack.trouble = () => undefined;
  await clock.advance(MINUTE_MS);
  expect(ofHolds().slice(1)).toEqual([expect.stringContaining('📋 4 alerts were held')]);
  await post('firing: the next hour');
  await post('firing: held again');
  await clock.advance(5_000);
  await clock.leap(70 * MINUTE_MS);
  await clock.advance(5_000);
  expect(ofHolds().slice(2)).toEqual([
    expect.stringContaining('has reached its limit'),
    expect.stringContaining('📋 1 alert was held'),
  ]);
  expect(await posts.waiting()).toEqual({ count: 0 });
});

test('of what was held while Slack was away the digest alone tells', async () => {
  const { slack, post, clock, messages } = showing({ capPerHour: 1 });
  slack.trouble = (call) => (call === 'post' ? LIMITED : undefined);
  await post(FIRING);
  await post('firing: held');
  await clock.leap(61 * MINUTE_MS);
  slack.trouble = () => undefined;
  await clock.advance(MINUTE_MS);
  expect(messages.filter(({ thread }) => thread === undefined)).toMatchObject([
    { text: expect.stringContaining('📋 1 alert was held') },
  ]);
});

test('a sign that Slack does not take is asked for again, for a day; the card stands', async () => {
  const { slack, post, clock, alerts, messages, count } = showing();
  slack.trouble = (call) => (call === 'add' ? LIMITED : undefined);
  const { ts } = await post(FIRING);
  await clock.advance(5_000);
  expect(messages).toHaveLength(1);
  const soon = count('add');
  await clock.advance(MINUTE_MS);
  expect(count('add')).toBeGreaterThan(soon);
  const updates = count('update');
  slack.trouble = () => undefined;
  await clock.advance(2 * MINUTE_MS);
  const asked = count('add');
  await clock.advance(10 * MINUTE_MS);
  expect([count('add'), count('update')]).toEqual([asked, updates]);
  slack.trouble = (call) => (call === 'add' ? new webApi.WebAPIRateLimitedError(3_600) : undefined);
  await alerts.acknowledge(alertIdOf(CHANNEL, ts, 'critical'), 'U0ASHA');
  const hours = async (more: number) => {
    for (let hour = 0; hour < more; hour += 1) {
      await clock.leap(60 * MINUTE_MS);
      await clock.advance(5_000);
    }
    return count('add');
  };
  expect(await hours(23)).toBeGreaterThan(asked + 10);
  expect(await hours(3)).toBe(await hours(3));
});

test('the way to the request is measured once, and what remembers that does not grow for ever', async () => {
  const { made: setting, held } = watchCollections(() => showing({ coolDownMinutes: 1 }));
  async function show(text: string): Promise<void> {
    const { ts } = await setting.post(text);
    await setting.clock.advance(5_000);
    await setting.alerts.acknowledge(alertIdOf(CHANNEL, ts, 'critical'), 'U0ASHA');
    await setting.clock.advance(5_000);
    await setting.clock.leap(25 * 60 * MINUTE_MS);
  }
  await show(FIRING);
  expect(setting.seconds).toHaveLength(1);
  const before = held();
  for (let n = 0; n < 30; n += 1) await show(`${FIRING} ${n}`);
  expect(setting.seconds).toHaveLength(31);
  expect(held() - before).toBeLessThan(20);
});

const SOURCE = { name: 'prometheus <ops>', channel: CHANNEL };
const SIGNAL: Signal = {
  key: 'db-1',
  start: 7,
  status: 'firing',
  text: 'firing: *Disk* <!channel> full\nvalue > 90 %',
  link: 'https://metrics.example.org/a|b?x=<1>&y',
};

test('of a signal Herald posts the message itself, and the card below it; both wait while Slack is away', async () => {
  const { slack, alerts, clock, messages, deliveries, posts } = showing();
  slack.trouble = () => LIMITED;
  await alerts.report(SOURCE, [SIGNAL]);
  await clock.advance(2 * MINUTE_MS);
  expect([deliveries.length, messages.length]).toEqual([1, 0]);
  slack.trouble = () => undefined;
  await clock.advance(MINUTE_MS);
  expect(messages).toMatchObject([
    { thread: undefined, text: expect.stringContaining('🚨 *firing: *Disk* &lt;!channel&gt; full*') },
    { thread: '1.0', text: expect.stringContaining('🚨 Alert') },
  ]);
  expect(messages[0]?.text).toContain('From prometheus &lt;ops&gt; · since ');
  expect(messages[0]?.text).toContain('<https://metrics.example.org/a%7Cb?x=&lt;1&gt;&amp;y|Look into it>');
  await alerts.report(SOURCE, [{ ...SIGNAL, status: 'resolved', text: 'Whatever' }]);
  await clock.advance(MINUTE_MS);
  expect(messages).toMatchObject([
    { text: expect.stringMatching(/^✅ \*firing: .* · over /) },
    { text: expect.stringContaining('✅ Over') },
  ]);
  expect(await posts.waiting()).toEqual({ count: 0 });
});

test('of a signal that Slack refuses a message for, the card stands by itself as soon as that is possible', async () => {
  const { slack, alerts, clock, messages, posts } = showing();
  slack.trouble = (call) => (call === 'post' ? platform('is_archived') : undefined);
  await alerts.report(SOURCE, [SIGNAL]);
  await clock.advance(MINUTE_MS);
  expect(await posts.waiting()).toEqual({ count: 0 });
  slack.trouble = () => undefined;
  await alerts.report(SOURCE, [{ ...SIGNAL, status: 'resolved' }]);
  await clock.advance(MINUTE_MS);
  expect(messages.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^✅ \*fir/),
    expect.stringMatching(/^✅ Over/),
  ]);
});

test('what nobody’s rule matches stands in the channel, too', async () => {
  const { alerts, clock, messages, deliveries } = showing();
  await alerts.report(SOURCE, [{ ...SIGNAL, text: 'All is well' }]);
  await clock.advance(MINUTE_MS);
  expect([deliveries.length, messages.length]).toEqual([0, 1]);
});
