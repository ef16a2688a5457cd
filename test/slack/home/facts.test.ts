import { expect, test } from 'vitest';
import type { Alert, AlertStep } from '../../../src/sends/alerts/alert.ts';
import type { Outcome } from '../../../src/sends/outcome.ts';
import { gatherHome, lastDays } from '../../../src/slack/home/facts.ts';
import { createLinks } from '../../../src/slack/kit/posting/links.ts';
import type { SlackServices } from '../../../src/slack/kit/services.ts';
import { NO_ANSWERS } from '../../fakes/answers.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { only } from '../../fakes/only.ts';
import { ASKED_AT, openStores } from '../bulk-sends.ts';
import { ACCEPTED, FAILURE, REJECTED, storeSent } from '../sends/sent.ts';

const DAY_MS = 24 * 60 * 60_000;
const ASHA = 'U0ASHA';
const MEI = 'U0MEI';

const alert = (id: string, state: Alert['state'], step: AlertStep['state'], receivedAt: number) =>
  ({
    ...{ id, state, receivedAt, postedAt: receivedAt, rule: 'r' },
    ...{ channelId: 'C0ALERTS', ts: id, threadTs: id },
    ...{ fingerprint: id, title: `Alert ${id}`, text: '', repeats: 0 },
    steps: [{ kind: 'alert', state: step, groups: [], dueAt: 0, people: [] }],
  }) satisfies Alert;
const ALERTS = [
  alert('older', 'open', 'sent', 1),
  alert('newer', 'open', 'sent', 2),
  alert('acknowledged', 'acknowledged', 'sent', 3),
  alert('to nobody', 'open', 'nobody', 4),
];

function setting() {
  const { sends: store, posts } = openStores();
  const asked: string[] = [];
  const client = {
    chat: {
      getPermalink: async ({ message_ts }: { message_ts: string }) => {
        asked.push(message_ts);
        return { ok: true, permalink: `https://acme.slack.com/p${message_ts}` };
      },
    },
  } as unknown as SlackServices['client'];
  const [clock, logger] = [createManualClock(ASKED_AT), createRecordingLogger()];
  const services = only<SlackServices>({
    linkTo: createLinks({ client, clock, logger }),
    store,
    answers: NO_ANSWERS,
    conversations: only({ openQuestions: async () => [] }),
    alertStore: only({ state: async () => ({ version: 1, rules: [], alerts: ALERTS }) }),
    directory: { whyNot: async () => 'not_listed' },
    access: { whyNot: async (_right, { userId }) => (userId === MEI ? 'Guests may not.' : undefined) },
    unseenRules: async () => [],
    timeZoneOf: async () => 'Asia/Kolkata',
    clock,
    logger,
  });
  async function sent(id: string, outcome: Outcome, at: number, { userId = ASHA, begunAt = at } = {}) {
    await storeSent(store, id, outcome, { at, userId, begunAt });
    const due = { now: at, how: 'post', limit: 9, restingChannels: [], inFlight: [] } as const;
    for (const { mark, wanted } of await posts.claim(due))
      await posts.note({ mark, shown: wanted, place: { channelId: 'C', ts: id }, restMs: 0 }, at);
  }
  const home = (userId: string) => gatherHome({ userId, teamId: 'T' }, services);
  return { sent, home, asked };
}

const idsOf = (listed: readonly { readonly send: { readonly id: string } }[]) =>
  listed.map(({ send }) => send.id);

test('what failed today is told once, with what was asked for before and began today', async () => {
  const { sent, home } = setting();
  // It is 13:30 in Kolkata: ten hours ago is still today there, fourteen are not.
  await sent('S-BEFORE', REJECTED, ASKED_AT - (14 * DAY_MS) / 24);
  await sent('S-NIGHT', REJECTED, ASKED_AT - (10 * DAY_MS) / 24);
  const unknown: Outcome = { state: 'unknown', failure: FAILURE };
  await sent('S-PLANNED', unknown, ASKED_AT - 3 * DAY_MS, { begunAt: ASKED_AT });
  await sent('S-WELL', ACCEPTED, ASKED_AT);
  const { failed, latest } = await home(ASHA);
  expect(idsOf(failed)).toEqual(['S-NIGHT', 'S-PLANNED']);
  expect(failed[0]).toMatchObject({ to: '+91 ••••• •5678', link: 'https://acme.slack.com/pS-NIGHT' });
  expect(idsOf(latest)).toEqual(['S-WELL', 'S-BEFORE']);
});

test('whoever may not see what others send finds their own', async () => {
  const { sent, home } = setting();
  await sent('S-ASHA', REJECTED, ASKED_AT);
  await sent('S-MEI', REJECTED, ASKED_AT, { userId: MEI });
  await sent('S-GOOD', ACCEPTED, ASKED_AT);
  const { failed, latest } = await home(MEI);
  expect(idsOf(failed)).toEqual(['S-MEI']);
  expect(latest).toEqual([]);
});

test('alerts that nobody has acknowledged are told of, newest first, to those who see what others do', async () => {
  const { home } = setting();
  const { alerts } = await home(ASHA);
  expect(alerts).toMatchObject([
    { title: 'Alert newer', link: 'https://acme.slack.com/pnewer' },
    { title: 'Alert older' },
  ]);
  expect((await home(MEI)).alerts).toEqual([]);
});

test('of many that failed Slack is asked for the links of those that are shown', async () => {
  const { sent, home, asked } = setting();
  for (let index = 0; index < 20; index += 1) await sent(`S-${index}`, REJECTED, ASKED_AT + index);
  const { failed } = await home(ASHA);
  expect(failed).toHaveLength(20);
  expect(asked.filter((ts) => ts.startsWith('S-'))).toHaveLength(8);
});

const HOUR_MS = 3_600_000;

test('the last days are those of the person’s own zone', () => {
  // 20:00 UTC on the 5th is already the 6th in Kolkata.
  const days = lastDays(2, Date.UTC(2026, 0, 5, 20), 'Asia/Kolkata');
  expect(days).toEqual([
    { from: Date.UTC(2026, 0, 4, 18, 30), to: Date.UTC(2026, 0, 5, 18, 30), label: ' 5 Jan' },
    { from: Date.UTC(2026, 0, 5, 18, 30), to: Date.UTC(2026, 0, 6, 18, 30), label: ' 6 Jan' },
  ]);
});

test.each([
  ['spring', Date.UTC(2026, 2, 30, 10), [24, 23, 24]],
  ['autumn', Date.UTC(2026, 9, 26, 10), [24, 25, 24]],
])('days on which clocks change in %s have the hours they have', (_season, now, hours) => {
  const days = lastDays(3, now, 'Europe/Berlin');
  expect(days.map(({ from, to }) => (to - from) / HOUR_MS)).toEqual(hours);
  expect(days.slice(1).map(({ from }) => from)).toEqual(days.slice(0, -1).map(({ to }) => to));
});
