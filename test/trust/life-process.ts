import type { Clock } from '../../src/core/clock.ts';
import type { Random } from '../../src/core/random.ts';
import type { Message } from '../../src/messages/kinds.ts';
import type { Recipient } from '../../src/messages/submission.ts';
import { createFinalCheck } from '../../src/sends/bulk/final-check.ts';
import { createBulkSends, type RunningBulkSends } from '../../src/sends/bulk/service.ts';
import type { ApproverDirectory } from '../../src/sends/bulk.ts';
import { createDispatcher } from '../../src/sends/dispatch/dispatcher.ts';
import { INTERRUPTED } from '../../src/sends/failures.ts';
import type { Outcome } from '../../src/sends/outcome.ts';
import { createQuietHours } from '../../src/sends/quiet-hours.ts';
import { createSendService, type RunningSendService } from '../../src/sends/service.ts';
import { createStoreTrouble } from '../../src/sends/store-trouble.ts';
import { createTimers } from '../../src/sends/tasks/timers.ts';
import { createStoredCatalogue } from '../../src/sends/templates/catalogue.ts';
import type { Memory } from '../../src/store/stores.ts';
import type { RecordingLogger } from '../fakes/logger.ts';

export const TIER = { over: 6, approvals: 2 };
/** One approval over two recipients, two over six; requests expire after six minutes. */
export const POLICY = {
  approvers: ['S0MANAGERS'],
  over: 2,
  tiers: [TIER],
  expireHours: 0.1,
  lateAfterMinutes: 3,
};
/** Promotions wait from three to six minutes after a world began; see `BEGAN`. */
const QUIET = [{ country: 'IN', types: ['PROMO'], from: '08:03', to: '08:06', timezone: 'UTC' }];
export const BEGAN = Date.UTC(2026, 0, 5, 8, 0);
export const isQuietAt = (at: number) => at >= BEGAN + 180_000 && at < BEGAN + 360_000;

const NEVER = new Promise<never>(() => {});

/** What a process is given of the world. */
export interface Surroundings {
  readonly memory: Memory;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: RecordingLogger;
  readonly directory: ApproverDirectory;
  /** How long a connection takes. */
  connectingMs(): number;
  /** One request: resolves when the service has it, or never had it, and says what the answer will be, and when. */
  request(
    message: Message,
    recipients: readonly Recipient[],
  ): Promise<{ readonly outcome: Outcome; readonly afterMs: number }>;
  /** How many turns a step lasts before and after it is done. */
  turns(): number;
}

/** One Herald on a database. Whatever it asks of its surroundings is a step, and `kill` ends it between any two. */
export interface LifeProcess {
  readonly bulk: RunningBulkSends;
  readonly sends: RunningSendService;
  readonly start: () => Promise<void>;
  /** Resolves once what the database was doing for it has ended. */
  readonly kill: () => Promise<void>;
  readonly isAlive: () => boolean;
  /** Steps that are being done now. */
  readonly busy: () => number;
  /** The same for a click: what was asked of a process that died is never answered. */
  readonly asked: <Answer>(work: () => Promise<Answer>) => Promise<Answer | 'died'>;
}

export async function turn(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
}

export function createProcess(around: Surroundings): LifeProcess {
  const { memory, logger, random } = around;
  let alive = true;
  let busy = 0;
  const underway = new Set<Promise<unknown>>();
  const died = Promise.withResolvers<'died'>();
  const stop = new AbortController();

  async function step<Value>(work: () => Promise<Value>): Promise<Value> {
    busy += 1;
    await turn(around.turns());
    if (!alive) return NEVER;
    const [done] = await begun(work());
    await turn(around.turns());
    if (!alive) return NEVER;
    busy -= 1;
    if (done.status === 'rejected') throw done.reason;
    return done.value;
  }

  function begun<Value>(work: Promise<Value>): Promise<[PromiseSettledResult<Value>]> {
    const settled = Promise.allSettled([work]);
    underway.add(settled);
    return settled.finally(() => underway.delete(settled));
  }

  /** A port whose every call is a step. */
  function stepwise<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? (...given: unknown[]) => step(() => value(...given)) : value;
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
    deliver: async (
      message: Message,
      recipients: readonly Recipient[],
      mayStart: () => boolean = () => true,
    ) => {
      await clock.sleep(around.connectingMs());
      if (!mayStart()) return NOT_STARTED;
      const { outcome, afterMs } = await around.request(message, recipients);
      await clock.sleep(afterMs);
      return outcome;
    },
  };

  const store = stepwise(memory.sends);
  const audiences = stepwise(memory.audiences);
  const shared = { store, clock, random, logger, stopping: stop.signal, storeTrouble: createStoreTrouble() };
  const quietHours = createQuietHours(QUIET);
  const pace = { perSecond: 50, concurrency: 4 };
  const dispatcher = createDispatcher({
    ...shared,
    lease: memory.lease,
    channels: memory.sharing.channels && stepwise(memory.sharing.channels),
    gateway,
    pacing: { chatapp: pace, rcs: pace, sms: pace, flash: pace },
    beforeAttempt: createFinalCheck({ store, audiences, clock, quietHours }),
    quietHours,
  });
  const catalogue = createStoredCatalogue(stepwise(memory.templates));
  const bulk = createBulkSends({
    ...shared,
    audiences,
    catalogue,
    dispatcher,
    quietHours,
    lease: memory.lease,
    tasks: createTimers({ clock, logger }),
    directory: stepwise(around.directory),
    policy: POLICY,
  });
  const sends = createSendService({
    ...shared,
    optOuts: audiences,
    catalogue,
    quietHours,
    dispatcher,
    askForOne: () => Promise.reject(new Error('There is no limit.')),
  });
  return {
    bulk,
    sends,
    start: async () => {
      await sends.start();
      await bulk.start();
    },
    kill: async () => {
      alive = false;
      busy = 0;
      died.resolve('died');
      await Promise.all(underway);
    },
    isAlive: () => alive,
    busy: () => (alive ? busy : 0),
    asked: (work) => Promise.race([work(), died.promise]),
  };
}

const NOT_STARTED: Outcome = { state: 'not_sent', failure: INTERRUPTED, retry: { kind: 'never' } };
