import type { DatabaseSync } from 'node:sqlite';
import type { Message } from '../../src/messages/kinds.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { Recipient } from '../../src/messages/submission.ts';
import type { AudienceStore } from '../../src/sends/audience.ts';
import { createFinalCheck } from '../../src/sends/bulk/final-check.ts';
import type { Failure, Outcome } from '../../src/sends/outcome.ts';
import { readReport } from '../../src/sends/ports.ts';
import type { SendReport } from '../../src/sends/send.ts';
import {
  createSendService,
  type SendServiceDependencies,
  type SubmitRequest,
  type SubmitResult,
} from '../../src/sends/service.ts';
import { createManualClock, type ManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { only } from '../fakes/only.ts';
import { createCountingRandom } from '../fakes/random.ts';
import { createClearWay, createTestDispatcher } from '../fakes/sends.ts';
import { openMemoryStores } from '../fakes/stores.ts';

export const TO = '+919812345678' as Msisdn;
const SMS: Message = { kind: 'sms', sender: 'ACMEIN', text: 'Hello', type: 'TRANS', unicode: false };
export const OTP: Message = {
  kind: 'chatapp',
  variant: 'otp',
  from: '+919876543210' as Msisdn,
  templateName: 'login_code',
  params: [],
  otp: '481516',
};

const FAILURE: Failure = { what: 'It failed.', next: 'Look.', scope: 'recipient' };
export const ACCEPTED: Outcome = { state: 'accepted', status: 200, messageId: 'm-1' };
export const UNKNOWN: Outcome = { state: 'unknown', failure: FAILURE };
export const REFUSED: Outcome = { state: 'rejected', failure: { ...FAILURE, code: '131009', status: 400 } };
export const NOT_SENT: Outcome = { state: 'not_sent', failure: FAILURE, retry: { kind: 'backoff' } };

interface Delivery {
  readonly message: Message;
  readonly recipients: readonly Recipient[];
  answer(outcome: Outcome): void;
}

/**
 * The service on a real SQLite store, with a gateway that a test plays by hand, and a channel that takes every post.
 *
 * @param earlier the database that an earlier harness has left
 * @param outcomes answers in order; when they run out, a delivery waits for `deliveries[n].answer(…)`
 */
export function createSendsHarness(
  outcomes: Outcome[] = [],
  earlier?: DatabaseSync,
  { shows = true, ...more }: Partial<SendServiceDependencies> & { readonly shows?: boolean } = {},
) {
  const stores = openMemoryStores(earlier);
  const { sends, posts, database } = stores;
  /** A test may break it; what is shown is read behind its back. */
  const store = { ...sends };
  const manual = createManualClock();
  /** What is wanted is shown whenever a test moves it. */
  const clock: ManualClock = {
    ...manual,
    advance: async (ms) => {
      await manual.advance(ms);
      if (shows) await showPosts();
    },
  };
  const logger = createRecordingLogger();
  const deliveries: Delivery[] = [];
  const announced: SendReport[] = [];
  const gateway = {
    deliver: (message: Message, recipients: readonly Recipient[]) =>
      new Promise<Outcome>((answer) => {
        deliveries.push({ message, recipients, answer });
        const ready = outcomes.shift();
        if (ready !== undefined) answer(ready);
      }),
  };
  let shown = 0;
  async function showPosts(): Promise<void> {
    const claim = { limit: 99, restingChannels: [], inFlight: [] };
    for (const how of ['post', 'update'] as const) {
      for (const { mark, subject, wanted } of await posts.claim({ ...claim, how, now: clock.now() })) {
        const report = await readReport(sends, subject);
        if (report !== undefined) announced.push(report);
        shown += 1;
        const place = { channelId: report?.send.origin.channelId ?? '', ts: `${shown}.0` };
        await posts.note({ mark, shown: wanted, place, restMs: 0 }, clock.now());
      }
    }
  }
  const random = createCountingRandom();
  const optedOut = new Set<Msisdn>();
  const optOuts = {
    findOptOut: async (number: Msisdn) =>
      optedOut.has(number) ? ({ number, at: 1, actor: 'U0RAVI', source: 'command' } as const) : undefined,
  };
  const stop = new AbortController();
  const stopping = stop.signal;
  const { quietHours } = { ...createClearWay(), ...more };
  const audiences = only<AudienceStore>({
    optedOut: async (numbers) => new Set(numbers.filter((number) => optedOut.has(number))),
  });
  const clearWay = {
    ...createClearWay(),
    beforeAttempt: createFinalCheck({ store, audiences, clock, quietHours }),
  };
  const dispatcher = createTestDispatcher({ ...clearWay, store, gateway, clock, random, logger, stopping });
  const service = createSendService({
    ...clearWay,
    store,
    optOuts,
    catalogue: { find: async () => undefined },
    policy: {},
    dispatcher,
    ...{ audiences: only({}), bulkSends: only({}) },
    clock,
    random,
    logger,
    stopping,
    ...more,
  });
  /** Submits, and lets all run that needs no time; `id` is that of the send, if there is one. */
  async function begin(over: Partial<SubmitRequest> = {}) {
    const result = await service.submit(request(over));
    await clock.advance(0);
    return { result, id: idOf(result) };
  }
  const parts = {
    service,
    stop,
    optedOut,
    stores,
    database,
    store,
    posts,
    clock,
    logger,
    deliveries,
    announced,
  };
  return { ...parts, begin, latest: () => announced.at(-1) };
}

export const idOf = (result: SubmitResult) => ('send' in result ? result.send.id : '');

export function request(over: Partial<SubmitRequest> = {}): SubmitRequest {
  return {
    message: SMS,
    to: TO,
    origin: { teamId: 'T0', userId: 'U0ASHA', channelId: 'C0TEAM' },
    requestKey: 'view-1',
    ...over,
  };
}
