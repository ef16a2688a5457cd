import { expect, test } from 'vitest';
import type { SendStore } from '../../../src/sends/ports.ts';
import type { PostStore } from '../../../src/sends/posts.ts';
import type { Send, SendState } from '../../../src/sends/send.ts';
import { createStoreTrouble } from '../../../src/sends/store-trouble.ts';
import { createSpeeds } from '../../../src/slack/kit/cards/speed.ts';
import type { SlackFiles } from '../../../src/slack/kit/files/files.ts';
import { renderSendsToMany } from '../../../src/slack/results/posts.ts';
import { NO_ANSWERS } from '../../fakes/answers.ts';
import { createManualClock, type ManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { only } from '../../fakes/only.ts';
import { rendering } from '../../fakes/renderers.ts';
import { CARD_SETTINGS, DIGEST, found, LISTS, move, openStores, prepare } from '../bulk-sends.ts';
import {
  createMortal,
  createMortalOutbox,
  createSlack,
  seeded,
  TROUBLES,
} from '../kit/posting/fake-slack.ts';

/*
 * Random lives of sends to many, shown by two processes that die between any two steps, in a Slack in any trouble: in the
 * end each of their messages stands once, and shows how its send ended.
 */

type Slack = ReturnType<typeof createSlack>;

const FAILURE = { what: 'It failed.', next: 'Look.', scope: 'recipient' } as const;
/** What may become of a send next. */
const NEXT: Readonly<Partial<Record<SendState, readonly SendState[]>>> = {
  awaiting_approval: ['approved', 'approved', 'rejected', 'cancelled'],
  approved: ['sending', 'sending', 'paused', 'cancelled'],
  sending: ['paused', 'stopped', 'done', 'done'],
  paused: ['sending', 'sending', 'stopped'],
};

interface World {
  readonly sends: SendStore;
  readonly posts: PostStore;
  readonly slack: Slack;
  readonly clock: ManualClock;
  /** Files that were given, by name. */
  readonly files: string[];
  leader: number;
}

/** A process that shows posts while it leads, until it dies: then no step of it has an effect any more. */
function createProcess(world: World, number: number) {
  const { sends: store, posts, slack, clock, files } = world;
  const { alive, die } = createMortal();
  const shared = { clock, logger: createRecordingLogger(), storeTrouble: createStoreTrouble() };
  const given = async (_to: string, _words: string, { name }: { name: string }) => {
    files.push(name);
    return { ok: true, value: undefined } as const;
  };
  const end = createMortalOutbox({
    ...{ ...shared, posts, client: slack.client, alive },
    sharing: { isLeader: async () => world.leader === number },
    renderers: rendering(
      renderSendsToMany({
        ...shared,
        store,
        linkTo: async (message) => message && `https://acme.test/${message.channelId}/${message.ts}`,
        answers: NO_ANSWERS,
        audiences: LISTS,
        catalogue: { find: async () => undefined, search: async () => [], mark: async () => undefined },
        files: only<SlackFiles>({ sendTo: alive(given) as never }),
        approvalChannel: 'C0APPROVALS',
        cardSettings: CARD_SETTINGS,
        speedOf: createSpeeds(shared),
        lease: { replicas: () => 2 },
        stopping: new AbortController().signal,
      }),
    ),
  });
  return {
    die: () => {
      die();
      void end();
    },
  };
}

async function settleAll(store: SendStore, id: string, at: number): Promise<void> {
  const rows = (await store.claim(id, 9, at)).map(({ row }) => row);
  const outcome = { state: 'unknown', failure: FAILURE } as const;
  await store.settle(rows.map((row) => ({ sendId: id, row, outcome, settledAt: at })));
}

/** One random step in the life of a send; false when it has none any more. */
async function step({ sends, clock }: World, id: string, random: () => number): Promise<boolean> {
  const { state } = await found(sends, id);
  const ways = NEXT[state];
  const to = ways?.[Math.floor(random() * ways.length)];
  if (to === undefined) return false;
  const at = clock.now();
  if (to === 'approved') await sends.approve({ sendId: id, userId: 'U0RAVI', digest: DIGEST, at });
  else if (to === 'done') await settleAll(sends, id, at);
  else await move(sends, to, { id, at, actor: random() < 0.5 ? 'herald' : 'U0RAVI' });
  return true;
}

const marksOf = (slack: Slack, mark: string) =>
  slack.messages.filter(({ blocks }) => JSON.stringify(blocks ?? []).includes(`"${mark}"`));

/** What stands in Slack of a send that has ended. */
async function expectToStand({ sends, slack, files }: World, { id, state, counts }: Send): Promise<void> {
  const events = await sends.events(id);
  const hasEnded = state === 'done' || state === 'stopped';
  const begun = events.some(({ action }) => action === 'sending' || action === 'paused') || hasEnded;
  const count = (mark: string) => marksOf(slack, mark).length;
  const seen = [`approval:${id}`, `progress:${id}`, `report:${id}`, `unknown:${id}`].map(count);
  expect([state, ...seen]).toEqual([state, 1, +begun, +hasEnded, +(hasEnded && counts.unknown > 0)]);
  expect(files.filter((name) => name.includes(id)).length > 0).toBe(hasEnded);
  const [card] = marksOf(slack, `approval:${id}`);
  expect(JSON.stringify(card?.blocks)).not.toContain('approval_approve');
  if (begun) expect(marksOf(slack, `progress:${id}`)[0]?.text).toMatch(WORDS[state] ?? /never/);
  for (const [line, { action }] of events.entries()) {
    if (!['approved', 'rejected', 'cancelled'].includes(action)) continue;
    const places = marksOf(slack, `news:${line}:${id}`).map(({ channel }) => channel);
    expect([...new Set(places)]).toEqual(places);
    expect(places.length).toBeGreaterThan(0);
  }
}

const WORDS: Readonly<Partial<Record<SendState, RegExp>>> = { done: /: done/, stopped: /: stopped/ };

test.each([1, 2, 3, 4, 5, 6])(
  'whatever happens, all that tells of a send to many stands once and shows its end (seed %i)',
  async (seed) => {
    const random = seeded(seed);
    const { sends, posts } = openStores();
    const clock = createManualClock();
    let isOver = false;
    const trouble = () =>
      isOver || random() < 0.7 ? undefined : TROUBLES[Math.floor(random() * TROUBLES.length)];
    const world: World = { sends, posts, slack: createSlack(clock, trouble), clock, files: [], leader: 0 };
    const processes = [createProcess(world, 0), createProcess(world, 1)];
    const ids = Array.from({ length: 6 }, (_, at) => `S-${seed}00000000${at}`);
    for (const id of ids) await prepare(sends, { id, at: clock.now() });
    let open = ids;
    while (open.length > 0) {
      await clock.advance(Math.floor(random() * 4_000));
      if (random() < 0.1) {
        processes[world.leader]?.die();
        world.leader = processes.length - 1;
        processes.push(createProcess(world, processes.length));
      }
      const id = open[Math.floor(random() * open.length)] ?? '';
      if (!(await step(world, id, random))) open = open.filter((one) => one !== id);
    }
    isOver = true;
    for (let waits = 0; waits < 120 && (await posts.waiting()).count > 0; waits += 1)
      await clock.advance(15_000);
    expect(await posts.waiting()).toEqual({ count: 0 });
    for (const id of ids) await expectToStand(world, await found(sends, id));
    for (const { die } of processes) die();
  },
  60_000,
);
