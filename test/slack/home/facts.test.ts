import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/sends/outcome.ts';
import { gatherHome, type HomeDependencies } from '../../../src/slack/home/facts.ts';
import { createLinks } from '../../../src/slack/kit/posting/links.ts';
import { NO_ANSWERS } from '../../fakes/answers.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { only } from '../../fakes/only.ts';
import { ASKED_AT, numberOf, openStores } from '../bulk-sends.ts';

const DAY_MS = 24 * 60 * 60_000;
const FAILURE = { what: 'It was lost.', next: 'Look.', scope: 'recipient' } as const;
const ACCEPTED: Outcome = { state: 'accepted', status: 200 };
const REJECTED: Outcome = { state: 'rejected', failure: FAILURE };
const ASHA = 'U0ASHA';
const MEI = 'U0MEI';

function setting() {
  const { sends: store, posts } = openStores();
  const asked: string[] = [];
  const clock = createManualClock(ASKED_AT);
  const client = {
    chat: {
      getPermalink: async ({ message_ts }: { message_ts: string }) => {
        asked.push(message_ts);
        return { ok: true, permalink: `https://acme.slack.com/p${message_ts}` };
      },
    },
  } as unknown as HomeDependencies['client'];
  const dependencies: HomeDependencies = {
    client,
    store,
    answers: NO_ANSWERS,
    conversations: only({ openQuestions: async () => [] }),
    directory: { whyNot: async () => 'not_listed' },
    access: { whyNot: async (_right, { userId }) => (userId === MEI ? 'Guests may not.' : undefined) },
    unseenRules: async () => [],
    timeZoneOf: async () => 'Asia/Kolkata',
    clock,
    logger: createRecordingLogger(),
  };
  async function sent(id: string, outcome: Outcome, at: number, { userId = ASHA, begunAt = at } = {}) {
    await store.create({
      id,
      kind: 'sms',
      message: { kind: 'sms', sender: 'ACME', text: id, type: 'TRANS', unicode: false },
      origin: { teamId: 'T', userId, channelId: 'C' },
      state: 'approved',
      recipients: [{ number: numberOf('+919812345678') }],
      createdAt: at,
      requestKey: id,
    });
    await store.moveSend({ sendId: id, from: 'approved', to: 'sending', at: begunAt, actor: userId });
    await store.claim(id, 1, begunAt);
    await store.settle([{ sendId: id, row: 0, outcome, settledAt: begunAt }]);
    const due = { now: at, how: 'post', limit: 9, restingChannels: [], inFlight: [] } as const;
    for (const { mark, wanted } of await posts.claim(due))
      await posts.note({ mark, shown: wanted, place: { channelId: 'C', ts: id }, restMs: 0 }, at);
  }
  const home = (userId: string) =>
    gatherHome({ userId, teamId: 'T' }, dependencies, createLinks(dependencies));
  return { sent, home, asked };
}

const idsOf = (listed: readonly { readonly send: { readonly id: string } }[]) =>
  listed.map(({ send }) => send.id);

test('what failed today is told once, with what was asked for before and began today', async () => {
  const { sent, home } = setting();
  // It is 13:30 in Kolkata: ten hours ago is still today there, fourteen are not.
  await sent('S-BEFORE', REJECTED, ASKED_AT - (14 * DAY_MS) / 24);
  await sent('S-NIGHT', REJECTED, ASKED_AT - (10 * DAY_MS) / 24);
  await sent('S-PLANNED', { state: 'unknown', failure: FAILURE }, ASKED_AT - 3 * DAY_MS, {
    begunAt: ASKED_AT,
  });
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

test('of many that failed Slack is asked for the links of those that are shown', async () => {
  const { sent, home, asked } = setting();
  for (let index = 0; index < 20; index += 1) await sent(`S-${index}`, REJECTED, ASKED_AT + index);
  const { failed } = await home(ASHA);
  expect(failed).toHaveLength(20);
  expect(asked).toHaveLength(8);
});
