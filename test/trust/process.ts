import type { Clock } from '../../src/core/clock.ts';
import type { Logger } from '../../src/core/logger.ts';
import type { Random } from '../../src/core/random.ts';
import type { Message } from '../../src/messages/kinds.ts';
import type { Recipient } from '../../src/messages/submission.ts';
import { createAudiences } from '../../src/sends/audiences/service.ts';
import { createFinalCheck } from '../../src/sends/bulk/final-check.ts';
import { createBulkSends } from '../../src/sends/bulk/service.ts';
import type { ApproverDirectory } from '../../src/sends/bulk.ts';
import { createDispatcher } from '../../src/sends/dispatch/dispatcher.ts';
import type { Outcome } from '../../src/sends/outcome.ts';
import { createQuietHours } from '../../src/sends/quiet-hours.ts';
import { INTERRUPTED } from '../../src/sends/recovery.ts';
import { createSendService } from '../../src/sends/service.ts';
import type { ApprovalPolicy } from '../../src/sends/settings.ts';
import { createStoreTrouble } from '../../src/sends/store-trouble.ts';
import { createTimers } from '../../src/sends/tasks.ts';
import { createStoredCatalogue } from '../../src/sends/templates/catalogue.ts';
import type { Memory } from '../../src/store/stores.ts';
import { only } from '../fakes/only.ts';
import { pacingOf } from '../fakes/sends.ts';

const NEVER = new Promise<never>(() => {});
const NOT_STARTED: Outcome = { state: 'not_sent', failure: INTERRUPTED, retry: { kind: 'never' } };

/** What a process is given of the world. */
export interface Surroundings {
  readonly memory: Memory;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly directory: ApproverDirectory;
  readonly policy: ApprovalPolicy;
  readonly quietHours: Parameters<typeof createQuietHours>[0];
  /** How long a connection takes; by default no time. */
  connectingMs?(): number;
  /** One request: resolves when the service has it, or never had it, and says what the answer will be, and when. */
  request(
    message: Message,
    recipients: readonly Recipient[],
  ): Promise<{ readonly outcome: Outcome; readonly afterMs: number }>;
  /** How a call that leaves the process is made: `service`, or a room and a method of its port. By default at once. */
  making?<Value>(call: string, work: () => Promise<Value>): Promise<Value>;
}

export type Process = ReturnType<typeof createProcess>;

export async function turn(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Until nobody has been busy for so many turns. */
export async function untilStill(isBusy: () => boolean, turns = 3): Promise<void> {
  for (let still = 0; still < turns; still = isBusy() ? 0 : still + 1) await turn(1);
}

/** One Herald on a database. Every call that leaves it is in the hands of a test, and `kill` ends it between any two. */
export function createProcess(around: Surroundings) {
  const { memory, logger, random, directory, policy, making = (_call, work) => work() } = around;
  let alive = true;
  let busy = 0;
  const underway = new Set<Promise<unknown>>();
  const died = Promise.withResolvers<'died'>();

  /** What was asked of the database by a process that has died meanwhile is done all the same. */
  async function begin<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    if (!alive) return NEVER;
    const begun = (async () => work())();
    const settled = begun.catch(() => {}).finally(() => underway.delete(settled));
    underway.add(settled);
    return begun;
  }

  async function call<Value>(name: string, work: () => Value | Promise<Value>): Promise<Value> {
    if (!alive) return NEVER;
    busy += 1;
    const [done] = await Promise.allSettled([making(name, () => begin(work))]);
    if (!alive) return NEVER;
    busy -= 1;
    if (done.status === 'rejected') throw done.reason;
    return done.value;
  }

  /** A port whose every call is in the hands of the test. */
  function watched<Port extends object>(room: string, port: Port): Port {
    return new Proxy(port, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => call(`${room}.${String(key)}`, () => value(...given));
      },
    });
  }

  const clock: Clock = {
    ...around.clock,
    sleep: async (ms, signal) => {
      await around.clock.sleep(ms, signal);
      if (!alive) return NEVER;
    },
  };
  const gateway = {
    deliver: async (message: Message, recipients: readonly Recipient[], mayStart = () => true) => {
      const connectingMs = around.connectingMs?.() ?? 0;
      if (connectingMs > 0) await clock.sleep(connectingMs);
      if (!mayStart()) return NOT_STARTED;
      const { outcome, afterMs } = await call('service', () => around.request(message, recipients));
      await clock.sleep(afterMs);
      return outcome;
    },
  };

  const store = watched('sends', memory.sends);
  const audiences = watched('audiences', memory.audiences);
  const shared = {
    ...{ store, audiences, clock, random, logger, lease: memory.lease },
    stopping: new AbortController().signal,
    storeTrouble: createStoreTrouble(),
    quietHours: createQuietHours(around.quietHours),
    catalogue: createStoredCatalogue(watched('templates', memory.templates)),
  };
  const dispatcher = createDispatcher({
    ...shared,
    channels: memory.sharing.channels && watched('channels', memory.sharing.channels),
    gateway,
    pacing: pacingOf({ perSecond: 50, concurrency: 4 }),
    beforeAttempt: createFinalCheck(shared),
    refused: async () => {},
  });
  return {
    bulk: createBulkSends({
      ...{ ...shared, dispatcher, policy, directory: watched('directory', directory) },
      tasks: createTimers({ clock, logger }),
    }),
    sends: createSendService({
      ...{ ...shared, dispatcher, optOuts: audiences },
      policy: {},
      ...{ audiences: only({}), bulkSends: only({}) },
    }),
    /** By which a start recovers what others have left. */
    store,
    lists: createAudiences({ ...shared, store: audiences, defaultCountry: 'IN' }),
    /** Resolves once what the database was doing for it has ended. */
    kill: async () => {
      alive = false;
      died.resolve('died');
      await Promise.all(underway);
    },
    isAlive: () => alive,
    isBusy: () => alive && busy > 0,
    /** For a click: what was asked of a process that died is never answered. */
    asked: <Answer>(work: () => Promise<Answer>) => Promise.race([work(), died.promise]),
  };
}
