import type { Message } from '../../../src/messages/kinds.ts';
import type { Recipient } from '../../../src/messages/submission.ts';
import { createAudiences } from '../../../src/sends/audiences/service.ts';
import type { BulkDependencies } from '../../../src/sends/bulk/dependencies.ts';
import { createFinalCheck } from '../../../src/sends/bulk/final-check.ts';
import { repeatsOf } from '../../../src/sends/bulk/repeats.ts';
import { createBulkSends } from '../../../src/sends/bulk/service.ts';
import type { ApproverProblem, BulkRequest, BulkResult } from '../../../src/sends/bulk.ts';
import type { Outcome } from '../../../src/sends/outcome.ts';
import { createQuietHours } from '../../../src/sends/quiet-hours.ts';
import type { Send } from '../../../src/sends/send.ts';
import type { ApprovalPolicy } from '../../../src/sends/settings.ts';
import { createStoreTrouble } from '../../../src/sends/store-trouble.ts';
import { createTimers } from '../../../src/sends/tasks.ts';
import { createStoredCatalogue } from '../../../src/sends/templates/catalogue.ts';
import { ALONE } from '../../../src/store/stores.ts';
import { createManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { createCountingRandom } from '../../fakes/random.ts';
import { createTestDispatcher, pacingOf } from '../../fakes/sends.ts';
import { openMemoryStores } from '../../fakes/stores.ts';

/* Bulk sends over real stores and a real dispatcher; a test plays the service, Slack's directory and the clock. */

export const SMS = { kind: 'sms', sender: 'ACME', text: 'Hello', type: 'TRANS', unicode: false } as const;
export const ORIGIN = { teamId: 'T', userId: 'U0ASHA', channelId: 'C' };
export const HOUR = 3_600_000;
export const EIGHT = Date.UTC(2026, 0, 5, 8, 0);
export const ACCEPTED: Outcome = { state: 'accepted', status: 200 };
const INDIA_AT_NIGHT = [
  { country: 'IN', types: ['PROMO'], from: '21:00', to: '10:00', timezone: 'Asia/Kolkata' },
];
const POLICY = {
  approvers: ['S0MANAGERS'],
  over: 1,
  tiers: [{ over: 20, approvals: 2 }],
  expireHours: 24,
  lateAfterMinutes: 60,
};

interface Around extends Pick<BulkDependencies, 'frequencyCap'> {
  readonly stores?: ReturnType<typeof openMemoryStores>;
  readonly startedAt?: number | undefined;
}

export type BulkSetting = ReturnType<typeof createBulkSetting>;

export function createBulkSetting(
  over: Partial<ApprovalPolicy> = {},
  { stores = openMemoryStores(), startedAt = EIGHT, frequencyCap }: Around = {},
) {
  const { sends: store, audiences: audienceStore } = stores;
  const clock = createManualClock(startedAt);
  const logger = createRecordingLogger();
  const random = createCountingRandom();
  const delivered: string[] = [];
  const answers: { next: (to: string) => Outcome; afterMs: (to: string) => number } = {
    next: () => ACCEPTED,
    afterMs: () => 10,
  };
  const gateway = {
    deliver: async (_: Message, to: readonly Recipient[]) => {
      delivered.push(...to.map(({ number }) => number));
      await clock.sleep(answers.afterMs(to[0]?.number ?? ''));
      return answers.next(to[0]?.number ?? '');
    },
  };
  const problems = new Map<string, ApproverProblem>();
  const stop = new AbortController();
  const quietHours = createQuietHours(INDIA_AT_NIGHT);
  const shared = {
    ...{ store, clock, random, logger, quietHours, lease: ALONE },
    ...{ stopping: stop.signal, storeTrouble: createStoreTrouble() },
  };
  /** Another process on the same store. */
  function restarted({ stopping, ...policy }: Partial<ApprovalPolicy> & { stopping?: AbortSignal } = {}) {
    const own = { ...shared, ...(stopping && { stopping }), tasks: createTimers(shared) };
    const dispatcher = createTestDispatcher({
      ...{ ...own, gateway, pacing: pacingOf({ perSecond: 100, concurrency: 10 }) },
      beforeAttempt: createFinalCheck({ ...own, audiences: audienceStore, frequencyCap }),
    });
    const bulk = createBulkSends({
      ...{ ...own, dispatcher, frequencyCap, audiences: audienceStore },
      catalogue: createStoredCatalogue(stores.templates),
      directory: { whyNot: async (userId) => problems.get(userId) },
      policy: { ...POLICY, ...over, ...policy },
    });
    return { ...bulk, tasks: own.tasks };
  }
  const { tasks, ...bulk } = restarted();
  const audiences = createAudiences({ store: audienceStore, clock, random, logger, defaultCountry: 'IN' });
  let asks = 0;

  function asked(audienceId: string, more: Partial<BulkRequest> = {}): Promise<BulkResult> {
    asks += 1;
    return bulk.request({ message: SMS, audienceId, origin: ORIGIN, requestKey: `k${asks}`, ...more });
  }

  async function listOfFile(...lines: string[]): Promise<string> {
    const bytes = new Blob([`${lines.join('\n')}\n`]).stream();
    const list = await audiences.fromFile({ name: 'list.csv', bytes, by: 'U0ASHA' });
    if (list.state !== 'ready') throw new Error('the list was not taken');
    return list.audience.id;
  }

  const listOf = (numbers: readonly string[]) => listOfFile('phone', ...numbers);

  async function ask(count: number, more: Partial<BulkRequest> = {}): Promise<BulkResult> {
    const numbers = Array.from({ length: count }, (_, n) => `+9198${String(n + 10_000_000)}`);
    return asked(await listOf(numbers), more);
  }

  const waiting = async (count: number, more: Partial<BulkRequest> = {}) => waits(await ask(count, more));

  /** On a card that says who gets the same as it is now. */
  const approve = async (send: Send, userId = 'U0RAVI') => {
    const { which: repeats = '' } = (await repeatsOf(send, { store, now: clock.now() })) ?? {};
    return bulk.approve({ sendId: send.id, userId, teamId: 'T', digest: send.digest ?? '', repeats });
  };

  async function approved(count: number, more: Partial<BulkRequest> = {}): Promise<Send> {
    const send = await waiting(count, more);
    await approve(send);
    return send;
  }

  const now = async ({ id }: Send) => (await store.find(id)) as Send;
  const state = async (send: Send) => (await now(send)).state;
  return {
    ...{ ...shared, ...stores, bulk, restarted, tasks, audiences, audienceStore, stop },
    ...{ delivered, answers, problems },
    ...{ asked, listOf, listOfFile, ask, waiting, approve, approved, now, state },
    /** How a send stands, how many requests were made, and to how many people. */
    reached: async (send: Send) => [await state(send), delivered.length, new Set(delivered).size],
    events: async (send: Send) => store.events(send.id),
  };
}

export function waits(result: BulkResult): Send {
  if (result.state !== 'awaiting_approval') throw new Error(`not waiting: ${JSON.stringify(result)}`);
  return result.send;
}

/** The send of a request that was not refused. */
export function made(result: BulkResult): Send {
  if (result.state === 'refused') throw new Error(result.what);
  return result.send;
}

export const by = ({ id: sendId }: Send, userId = 'U0ASHA') => ({ sendId, userId, teamId: 'T' });

export async function startedBulk(over: Partial<ApprovalPolicy> = {}): Promise<BulkSetting> {
  const at = createBulkSetting(over);
  await at.bulk.start();
  return at;
}

/** A send to so many, for two seconds now. */
export async function sendingBulk(count = 500) {
  const at = createBulkSetting({ tiers: [] });
  const send = await at.approved(count);
  await at.clock.advance(2_000);
  return { ...at, send };
}
