import { systemRandom } from '../../src/core/random.ts';
import type { Recipient } from '../../src/messages/submission.ts';
import type { Outcome } from '../../src/sends/outcome.ts';
import { INTERRUPTED } from '../../src/sends/recovery.ts';
import type { Send } from '../../src/sends/send.ts';
import { createDatabase } from '../../src/store/postgres/database.ts';
import { joinReplicas, LEASE_TIMES, type LeaseTimes } from '../../src/store/postgres/membership.ts';
import { createPostgresSends } from '../../src/store/postgres/stores.ts';
import type { Database } from '../../src/store/sql.ts';
import { UNOBSERVED } from '../../src/store/stores.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { createTestDispatcher, pacingOf } from '../fakes/sends.ts';

const SLOWER = 10;
/** Slower than Herald’s, so that what a test takes by the database’s own clock is nothing to a lease. */
export const TIMES: LeaseTimes = {
  leaseMs: SLOWER * LEASE_TIMES.leaseMs,
  heartbeatMs: SLOWER * LEASE_TIMES.heartbeatMs,
  marginMs: SLOWER * LEASE_TIMES.marginMs,
};

export const PER_REQUEST = 3;

/** Where a replica can be held: around what it asks of the store, and around its request. */
export const PHASES = [
  ...(['claim', 'claimAgain', 'release', 'settle'] as const).flatMap(
    (call) => [`${call} asked`, `${call} answered`] as const,
  ),
  'connecting',
  'requested',
] as const;
export type Phase = (typeof PHASES)[number];

/** What becomes of the words between a replica and the database about its lease. */
export type Line = 'good' | 'questions wait' | 'answers wait' | 'questions are lost' | 'answers are lost';

const NOT_STARTED: Outcome = { state: 'not_sent', failure: INTERRUPTED, retry: { kind: 'backoff' } };

/** The service: has the request from the moment it is asked. */
export type Service = (replica: string, recipients: readonly Recipient[]) => Promise<Outcome>;

export type Replica = Awaited<ReturnType<typeof createReplica>>;

/** What sends in one Herald: its lease, its store and its dispatcher, on a machine with clocks of its own. */
export async function createReplica(name: string, url: string, service: Service) {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const observed = { observer: UNOBSERVED, clock };
  const database = createDatabase(url, logger, observed);
  const pulse = createDatabase(url, logger, observed, 1);
  const errors: unknown[] = [];
  let busy = 0;
  let line: Line = 'good';
  let improved = Promise.withResolvers<void>();
  let phase: Phase | undefined;
  let opened = Promise.withResolvers<void>();
  let held = 0;

  async function step<Value>(work: () => Promise<Value>): Promise<Value> {
    busy += 1;
    return work().finally(() => {
      busy -= 1;
    });
  }

  const overLine: Database = {
    ...pulse,
    run: async (sql, values) => {
      if (line === 'questions wait') await improved.promise;
      if (line === 'questions are lost') throw new Error('The connection broke.');
      const answer = await step(() => pulse.run(sql, values));
      if (line === 'answers wait') await improved.promise;
      if (line === 'answers are lost') throw new Error('The connection broke.');
      return answer as never;
    },
  };

  async function pass(point: Phase): Promise<void> {
    if (point !== phase) return;
    held += 1;
    await opened.promise;
    held -= 1;
  }

  const membership = await joinReplicas({
    ...{ database: overLine, clock, logger, times: TIMES },
    random: systemRandom,
  });
  const sends = createPostgresSends(database, {
    ...observed,
    replica: membership.id,
    close: async () => {
      await membership.end();
      await database.close();
    },
  });
  const watched = new Proxy(sends, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return async (...given: unknown[]) => {
        await pass(`${String(key)} asked` as Phase);
        const answer = await step(async () => value(...given));
        await pass(`${String(key)} answered` as Phase);
        return answer;
      };
    },
  });
  const pace = { perSecond: 200, concurrency: 4 };
  const stop = new AbortController();
  const createSending = () =>
    createTestDispatcher({
      ...{ store: watched, lease: membership, clock, logger, random: systemRandom, stopping: stop.signal },
      pacing: { ...pacingOf(pace), sms: { ...pace, recipientsPerRequest: PER_REQUEST } },
      gateway: {
        deliver: async (_message, recipients, mayStart = () => true) => {
          await pass('connecting');
          if (!mayStart()) return NOT_STARTED;
          const outcome = await step(() => service(name, recipients));
          await pass('requested');
          return outcome;
        },
      },
    });
  /** A new one for each send: retries of one are not to use up what those of another may. */
  let dispatcher = createSending();
  let sending = '';
  let running: Promise<void> | undefined;

  return {
    clock,
    sends,
    errors,
    id: membership.id,
    epoch: membership.epoch,
    isBusy: () => busy > 0,
    isHeld: () => held > 0,
    isRunning: () => running !== undefined,
    /** Works on a send until there is nothing left to do here. */
    run: (send: Send) => {
      if (sending !== send.id) dispatcher = createSending();
      sending = send.id;
      running ??= dispatcher
        .run(send)
        .catch((error: unknown) => void errors.push(error))
        .finally(() => {
          running = undefined;
        });
    },
    recover: () => sends.recoverInterrupted(INTERRUPTED, clock.now()),
    /** From now on whatever comes to `point` waits there, until it is let go. */
    holdAt: (point: Phase) => {
      phase = point;
    },
    letGo: () => {
      phase = undefined;
      opened.resolve();
      opened = Promise.withResolvers();
    },
    setLine: (now: Line) => {
      line = now;
      improved.resolve();
      improved = Promise.withResolvers();
    },
    close: async () => {
      stop.abort();
      await sends.close();
      await pulse.close();
    },
  };
}
