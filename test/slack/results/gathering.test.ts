import { webApi } from '@slack/bolt';
import { beforeEach, expect, test } from 'vitest';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import type { Announcer } from '../../../src/sends/announcer.ts';
import { createPlacing } from '../../../src/slack/kit/posting/placing.ts';
import { createAnnouncer } from '../../../src/slack/results/announcer.ts';
import { NO_ANSWERS } from '../../fakes/answers.ts';
import type { ManualClock } from '../../fakes/clock.ts';
import { ACCEPTED, createSendsHarness, REFUSED, request } from '../../sends/harness.ts';

const IDENTITY = { teamId: 'T0ACME', teamName: 'Acme', botUserId: 'U0HERALD', botId: 'B0HERALD' };
const BURST = 10;
const SENDS = 30;
const EVERY_MS = 200;
const REJECTED = 20;
const MORE = 20;

/** A channel of Slack's: it takes a burst of ten posts, then one a second. */
class Channel {
  readonly messages = new Map<string, string>();
  refusals = 0;
  updates = 0;
  lastPostAt = 0;
  readonly #clock: ManualClock;
  #left = BURST;
  #at: number;

  constructor(clock: ManualClock) {
    this.#clock = clock;
    this.#at = clock.monotonic();
  }

  readonly client = {
    chat: {
      postMessage: async (body: { text: string; blocks: unknown }) => {
        const now = this.#clock.monotonic();
        this.#left = Math.min(BURST, this.#left + (now - this.#at) / 1_000);
        this.#at = now;
        if (this.#left < 1) {
          this.refusals += 1;
          throw new webApi.WebAPIRateLimitedError(1);
        }
        this.#left -= 1;
        this.lastPostAt = now;
        const ts = `${this.messages.size + 1}.0`;
        this.messages.set(ts, JSON.stringify(body.blocks));
        return { ok: true, channel: 'C0TEAM', ts };
      },
      update: async ({ ts, blocks }: { ts: string; blocks: unknown }) => {
        if (!this.messages.has(ts)) throw platformError('message_not_found');
        this.updates += 1;
        this.messages.set(ts, JSON.stringify(blocks));
        return { ok: true, channel: 'C0TEAM', ts };
      },
    },
    conversations: { history: async () => ({ ok: true, messages: [] }) },
  } as unknown as webApi.WebClient;

  of(sendId: string): string[] {
    return [...this.messages].filter(([, blocks]) => blocks.includes(sendId)).map(([ts]) => ts);
  }
}

function platformError(error: string): Error {
  return new webApi.WebAPIPlatformError({ ok: false, error });
}

let delivered: Set<string>;
let harness: ReturnType<typeof createSendsHarness>;
let channel: Channel;
let ids: string[];

beforeEach(async () => {
  delivered = new Set();
  const outcomes = Array.from({ length: SENDS + MORE }, (_, place) =>
    place === REJECTED ? REFUSED : ACCEPTED,
  );
  let announcer: Announcer | undefined;
  harness = createSendsHarness(outcomes, undefined, {
    announcer: {
      announce: async (report) => (await announcer?.announce(report)) ?? { state: 'refused', reason: 'none' },
    },
  });
  const { clock, logger, store } = harness;
  channel = new Channel(clock);
  const shared = { client: channel.client, identity: () => IDENTITY, clock, logger };
  announcer = createAnnouncer({
    ...shared,
    placing: createPlacing({
      ...shared,
      latestUrls: { tell: async () => false },
      claimPost: async () => true,
    }),
    store,
    catalogue: { find: async () => undefined, search: async () => [] },
    answers: {
      ...NO_ANSWERS,
      summary: async (id) =>
        delivered.has(id) ? { tally: [], delivered: 1, read: 0, failed: 0, failures: [] } : undefined,
    },
  });
  ids = [];
  await submit(SENDS);
});

async function submit(count: number): Promise<void> {
  for (let place = 0; place < count; place += 1) {
    const to = `+9198123456${String(place).padStart(2, '0')}` as Msisdn;
    const result = await harness.service.submit(request({ requestKey: `view-${ids.length}`, to }));
    if (result.state === 'started') ids.push(result.send.id);
    await harness.clock.advance(EVERY_MS);
  }
}

/** Everything that is under way, and what is tried again later. */
async function settle(): Promise<void> {
  for (let second = 0; second < 120; second += 1) await harness.clock.advance(1_000);
}

test('thirty results in six seconds: Slack refuses none, and the last is told at once', async () => {
  const end = harness.clock.monotonic();
  await settle();
  expect(ids).toHaveLength(SENDS);
  expect({ refusals: channel.refusals, late: Math.max(0, channel.lastPostAt - end - 2_500) }).toEqual({
    refusals: 0,
    late: 0,
  });
  for (const id of ids) {
    const [ts, ...others] = channel.of(id);
    expect(others, id).toEqual([]);
    expect((await harness.store.find(id))?.announcement).toEqual({ channelId: 'C0TEAM', ts });
  }
  expect(await harness.store.unannounced(9)).toEqual([]);
});

function shared(): string {
  const [ts] = [...channel.messages].find(([, blocks]) => blocks.includes(' more: all accepted')) ?? [];
  return ts ?? '';
}

const listed = (ts: string) => ids.filter((id) => channel.messages.get(ts)?.includes(id));

test('a message of several has a line for each, masked, and a failure with its cause', async () => {
  await settle();
  const ts = shared();
  expect(listed(ts).length).toBeGreaterThan(3);
  expect(channel.messages.get(ts)).toContain(`${listed(ts).length} more: all accepted by the service`);
  expect(channel.messages.get(ts)).toContain('+91 ••••• •56');
  expect([...channel.messages.values()].join()).not.toMatch(/9198123456|98123/);
  const [failed = ''] = channel.of(ids[REJECTED] ?? '');
  expect(channel.messages.get(failed)).toContain('It failed.');
  expect(channel.messages.get(failed)).toContain('Look.');
});

test('news of some of them update that message once, with all of them', async () => {
  await settle();
  const ts = shared();
  const members = listed(ts);
  for (const id of members) delivered.add(id);
  const before = channel.updates;
  const told = members.map((id) => harness.service.announceAgain(id));
  await settle();
  await Promise.all(told);
  expect(channel.updates - before).toBe(1);
  expect(listed(ts)).toEqual(members);
  expect(channel.messages.get(ts)?.match(/delivered/g)).toHaveLength(members.length);
});

test('where it was deleted, whatever has news is told anew', async () => {
  await settle();
  const ts = shared();
  const [one = ''] = listed(ts);
  channel.messages.delete(ts);
  delivered.add(one);
  const told = harness.service.announceAgain(one);
  await settle();
  await told;
  expect(channel.of(one)).toHaveLength(1);
  expect(channel.messages.get(channel.of(one)[0] ?? '')).toContain('delivered');
});

test('where the database does not take what stands where, none of them is told anew', async () => {
  await settle();
  harness.database.exec(
    "CREATE TRIGGER gone BEFORE UPDATE OF announcement_ts ON sends BEGIN SELECT RAISE(ABORT, 'gone'); END",
  );
  await submit(MORE);
  await settle();
  const standing = channel.messages.size;
  expect(await harness.store.unannounced(SENDS)).toHaveLength(MORE);
  harness.database.exec('DROP TRIGGER gone');
  const told = ids.map((id) => harness.service.announceAgain(id));
  await settle();
  await Promise.all(told);
  expect(channel.messages.size).toBe(standing);
  expect(ids.filter((id) => channel.of(id).length !== 1)).toEqual([]);
  expect(await harness.store.unannounced(SENDS)).toEqual([]);
});
