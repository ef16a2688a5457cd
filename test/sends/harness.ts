import type { DatabaseSync } from 'node:sqlite';
import type { Message } from '../../src/messages/kinds.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { Recipient } from '../../src/messages/submission.ts';
import type { AnnounceResult } from '../../src/sends/announcer.ts';
import { createFinalCheck } from '../../src/sends/bulk/final-check.ts';
import type { Failure, Outcome } from '../../src/sends/outcome.ts';
import { createRefusedPosts } from '../../src/sends/refused-posts.ts';
import type { SendReport } from '../../src/sends/send.ts';
import {
  createSendService,
  type SendServiceDependencies,
  type SubmitRequest,
} from '../../src/sends/service.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
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
 * The service on a real SQLite store, with a gateway and an announcer that a test plays by hand.
 *
 * @param earlier the database that an earlier harness has left
 * @param outcomes answers in order; when they run out, a delivery waits for `deliveries[n].answer(…)`
 */
export function createSendsHarness(
  outcomes: Outcome[] = [],
  earlier?: DatabaseSync,
  more: Partial<SendServiceDependencies> = {},
) {
  const stores = openMemoryStores(earlier);
  const { sends: store, inputs, database } = stores;
  const setAside: string[] = [];
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const deliveries: Delivery[] = [];
  const announced: SendReport[] = [];
  const slack: { answers: AnnounceResult[]; breaks?: boolean } = { answers: [] };
  let posts = 0;
  const gateway = {
    deliver: (message: Message, recipients: readonly Recipient[]) =>
      new Promise<Outcome>((answer) => {
        deliveries.push({ message, recipients, answer });
        const ready = outcomes.shift();
        if (ready !== undefined) answer(ready);
      }),
  };
  const announcer = {
    announce: async (report: SendReport): Promise<AnnounceResult> => {
      announced.push(report);
      posts += 1;
      if (slack.breaks === true) throw new Error('this cannot be put into words');
      return (
        slack.answers.shift() ?? {
          state: 'posted',
          channelId: report.send.origin.channelId,
          ts: `${posts}.0`,
        }
      );
    },
  };
  const random = createCountingRandom();
  const optedOut = new Set<Msisdn>();
  const optOuts = {
    findOptOut: async (number: Msisdn) =>
      optedOut.has(number) ? ({ number, at: 1, actor: 'U0RAVI', source: 'command' } as const) : undefined,
  };
  const stop = new AbortController();
  const stopping = stop.signal;
  const { quietHours } = { ...createClearWay(), ...more };
  const audiences = {
    optedOut: async (numbers: readonly Msisdn[]) => new Set(numbers.filter((number) => optedOut.has(number))),
  };
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
    announcer,
    askForOne: () => Promise.reject(new Error('There is no limit.')),
    refusedPosts: createRefusedPosts(logger, () => {}),
    inputs,
    metrics: { inputSetAside: (source) => setAside.push(source) },
    clock,
    random,
    logger,
    stopping,
    ...more,
  });
  return {
    service,
    stop,
    optedOut,
    stores,
    database,
    store,
    clock,
    logger,
    deliveries,
    announced,
    slack,
    setAside,
  };
}

export function request(over: Partial<SubmitRequest> = {}): SubmitRequest {
  return {
    message: SMS,
    to: TO,
    origin: { teamId: 'T0', userId: 'U0ASHA', channelId: 'C0TEAM' },
    requestKey: 'view-1',
    ...over,
  };
}
