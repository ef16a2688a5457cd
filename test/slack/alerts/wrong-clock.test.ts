import type { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { createAlertIntake } from '../../../src/slack/alerts/intake.ts';
import { createSlackClock } from '../../../src/slack/connection/client.ts';
import { createPace } from '../../../src/slack/kit/posting/pace.ts';
import { placePost } from '../../../src/slack/kit/posting/place-post.ts';
import { CHANNEL, createAlertsSetting, MEI, MINUTE_MS, RULE } from '../../sends/alerts/setting.ts';

const HERALD = { teamId: 'T0ACME', teamName: 'Acme', botUserId: 'U0HERALD', botId: 'B0HERALD' };

/** Slack answers, and says what time it is for it: so many minutes behind this machine. */
async function setting(aheadMinutes: number) {
  const alerts = createAlertsSetting();
  alerts.alerts.start();
  const { clock } = alerts;
  const slackNow = () => clock.now() - aheadMinutes * MINUTE_MS;
  const answer = async () => new Response('{}', { headers: { date: new Date(slackNow()).toUTCString() } });
  const { slackClock, fetch } = createSlackClock(answer as unknown as webApi.FetchFunction, clock);
  const before = slackClock.now() - clock.now();
  await fetch('https://slack.com/api/auth.test');
  const intake = createAlertIntake({
    alertSettings: { rules: [RULE] },
    alerts: alerts.alerts,
    names: { nameOf: async (id) => id },
    botApps: { of: async () => ({}) },
    clock,
    slackClock,
  });
  /** A message that was posted so many minutes ago. */
  async function post(minutesAgo: number) {
    const ts = ((slackNow() - minutesAgo * MINUTE_MS) / 1_000).toFixed(6);
    const text = `firing: machine-${minutesAgo}`;
    const event = { type: 'message', channel: CHANNEL, ts, event_ts: ts, bot_id: 'B1', text };
    await intake({ type: 'event_callback', event_id: `Ev${ts}`, event }, HERALD);
    await alerts.settled();
  }
  return { ...alerts, slackClock, fetch, post, before, slackNow };
}

test.each([-20, 0, 20, 60 * 24 * 365])(
  '%i minutes ahead: an alert wakes, and only an old one is late',
  async (ahead) => {
    const { post, sent, slackClock, clock, before, slackNow } = await setting(ahead);
    expect(before).toBe(0);
    expect(Math.abs(slackClock.now() - slackNow())).toBeLessThan(1_000);
    await post(0);
    await post(14);
    expect(sent().map(({ to }) => to)).toEqual([MEI, MEI]);
    await post(16);
    expect(sent()).toHaveLength(2);
    await clock.advance(5 * MINUTE_MS);
    expect(Math.abs(slackClock.now() - slackNow())).toBeLessThan(1_000);
  },
);

test('an answer without a date leaves it at what was heard', async () => {
  const { slackClock, slackNow, clock } = await setting(20);
  const silent = createSlackClock((async () => new Response('{}')) as unknown as webApi.FetchFunction, clock);
  await silent.fetch('https://slack.com/api/auth.test');
  expect(silent.slackClock.now()).toBe(clock.now());
  expect(Math.abs(slackClock.now() - slackNow())).toBeLessThan(1_000);
});

test('a post whose answer was lost is looked for by Slack’s time', async () => {
  const { clock, slackClock, slackNow, logger } = await setting(20);
  const oldest: number[] = [];
  const postMessage = () => Promise.reject(new TypeError('the answer was lost'));
  const history = async (asked: { oldest: string }) => {
    oldest.push(Number(asked.oldest) * 1_000);
    return { ok: true, messages: [] };
  };
  const client = { chat: { postMessage }, conversations: { history } } as unknown as webApi.WebClient;
  const surroundings = {
    ...{ client, clock, slackClock, logger, pace: createPace(clock) },
    identity: () => HERALD,
    latestUrls: { say: async () => false },
  };
  const post = { mark: 'send:S-1', subject: 'S-1', wanted: 1, since: clock.now(), attempts: 0, tries: 0 };
  const render = () => ({ text: 'S-1', blocks: [] });
  await placePost({ ...post, lost: 1 }, { channelId: 'C0TEAM', userId: 'U1', render }, surroundings);
  expect(oldest[0]).toBeLessThan(slackNow());
});
