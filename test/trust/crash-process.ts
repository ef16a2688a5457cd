import type { Clock } from '../../src/core/clock.ts';
import type { Message } from '../../src/messages/kinds.ts';
import type { Recipient } from '../../src/messages/submission.ts';
import { createAudiences } from '../../src/sends/audiences/service.ts';
import { createFinalCheck } from '../../src/sends/bulk/final-check.ts';
import { createBulkSends } from '../../src/sends/bulk/service.ts';
import { createDispatcher } from '../../src/sends/dispatch/dispatcher.ts';
import type { Outcome } from '../../src/sends/outcome.ts';
import { createQuietHours } from '../../src/sends/quiet-hours.ts';
import { recover } from '../../src/sends/recovery.ts';
import { createStoreTrouble } from '../../src/sends/store-trouble.ts';
import { createTimers } from '../../src/sends/tasks/timers.ts';
import { createStoredCatalogue } from '../../src/sends/templates/catalogue.ts';
import type { Memory } from '../../src/store/stores.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

/**
 * What becomes of a call that leaves the process: it is done; the process dies before the answer comes; it fails, and was not
 * done; it was done, and seems to have failed; the wall clock is set meanwhile.
 */
export type Fate =
  | 'done'
  | 'dies'
  | 'fails'
  | 'seems to fail'
  | 'the clock goes forth'
  | 'the clock goes back';

const QUIET_HOURS = [{ country: 'IN', types: ['PROMO'], from: '10:00', to: '11:00', timezone: 'UTC' }];

const NEVER = new Promise<never>(() => {});
const FULL = Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });

interface Surroundings {
  readonly memory: Memory;
  readonly clock: Clock;
  /** One request to the service, and when its answer comes. */
  request(message: Message, number: string): Outcome;
  /** Asked at each call of the database and of the service. */
  fateOf(call: string): Fate;
  /** A call that fails, where the database can fail by itself. */
  readonly failing?: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

async function failsUndone(): Promise<never> {
  throw FULL;
}

/** One Herald, with every call that leaves it in the hands of a test. */
export function createHerald(surroundings: Surroundings) {
  const { memory, clock: outer, request, fateOf, failing = failsUndone } = surroundings;
  let isAlive = true;
  let busy = 0;

  async function call<Value>(name: string, work: () => Value | Promise<Value>): Promise<Value> {
    if (!isAlive) return NEVER;
    const fate = fateOf(name);
    busy += 1;
    try {
      const value = await (fate === 'fails' ? failing(async () => work()) : work());
      if (fate === 'dies') isAlive = false;
      if (!isAlive) return NEVER;
      if (fate === 'seems to fail') throw FULL;
      return value;
    } finally {
      busy -= 1;
    }
  }

  /** A port of which every call is in the hands of the test. */
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
    ...outer,
    sleep: async (ms, signal) => {
      await outer.sleep(ms, signal);
      if (!isAlive) return NEVER;
    },
  };
  const gateway = {
    // What became of a request is for the service to say; this end can only die before it hears of it.
    deliver: async (message: Message, to: readonly Recipient[]) => {
      const outcome = await call('service', () => request(message, to[0]?.number ?? ''));
      await clock.sleep(20);
      return outcome;
    },
  };
  let seed = Math.floor(outer.now());
  const random = {
    fraction: () => 0.5,
    bytes: (length: number) => Uint8Array.from({ length }, () => (seed += 1)),
  };
  const store = watched('sends', memory.sends);
  const audiences = watched('audiences', memory.audiences);
  const logger = createRecordingLogger();
  const shared = {
    ...{ store, clock, random, logger, lease: memory.lease, audiences },
    stopping: new AbortController().signal,
    storeTrouble: createStoreTrouble(),
    quietHours: createQuietHours(QUIET_HOURS),
  };
  const pace = { perSecond: 50, concurrency: 4 };
  const dispatcher = createDispatcher({
    ...shared,
    channels: memory.sharing.channels && watched('channels', memory.sharing.channels),
    gateway,
    pacing: { chatapp: pace, rcs: pace, sms: pace, flash: pace },
    beforeAttempt: createFinalCheck(shared),
  });
  const bulk = createBulkSends({
    ...shared,
    dispatcher,
    catalogue: createStoredCatalogue(watched('templates', memory.templates)),
    tasks: createTimers(shared),
    directory: { whyNot: async () => undefined },
    policy: { approvers: ['S0MANAGERS'], over: 1, tiers: [], expireHours: 24, lateAfterMinutes: 600 },
  });
  return {
    bulk,
    lists: createAudiences({ ...shared, store: audiences, defaultCountry: 'IN' }),
    start: async () => {
      await recover(shared);
      await bulk.start();
    },
    isAlive: () => isAlive,
    isBusy: () => isAlive && busy > 0,
    logger,
  };
}
