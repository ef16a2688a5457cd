import type { Random } from '../../core/random.ts';
import type { Channel, Message } from '../../messages/kinds.ts';
import type { Msisdn } from '../../messages/numbers/phone-number.ts';
import { createPersonaliser } from '../../messages/personalise.ts';
import type { Failure, Settlement } from '../outcome.ts';
import type { DispatchStore, Gateway, SendReader, SendWriter } from '../ports.ts';
import { createQuietHoursGate, type QuietHoursAt } from '../quiet-hours.ts';
import type { RecipientRow, Send } from '../send.ts';
import type { Lease, SharedChannels } from '../sharing.ts';
import { type RetryDependencies, retryUntilStored } from '../store-trouble.ts';
import type { TemplateLife } from '../templates/life.ts';
import type { Breaker } from './breaker.ts';
import { canariesOf, createCanary, type Ending } from './canary.ts';
import type { Limiter, Pace } from './limiter.ts';
import { createRetries, createRetryBudget } from './retries.ts';

export interface DispatcherDependencies extends RetryDependencies {
  readonly store: DispatchStore & SendReader & Pick<SendWriter, 'moveSend'>;
  readonly gateway: Gateway;
  readonly lease: Lease;
  /** The channels' state shared by all processes; absent without replicas. */
  readonly channels?: SharedChannels | undefined;
  /** `recipientsPerRequest` is present where one request takes several. */
  readonly pacing: Readonly<Record<Channel, Pace & { readonly recipientsPerRequest?: number }>>;
  readonly random: Random;
  /** Checks each claimed batch: which rows must not be sent to, and why; undefined for those whom the store has left out. */
  readonly beforeAttempt: (
    send: Send,
    rows: readonly RecipientRow[],
  ) => Promise<ReadonlyMap<number, Failure | undefined>>;
  /** Hears of each refusal, which may be the template's fault. Never rejects. */
  readonly refused: TemplateLife['refused'];
  /** Which recipients of a bulk send must wait; asked before each request. */
  readonly quietHours: QuietHoursAt;
}

/** All runs of one channel share it. */
export interface Lane {
  readonly limiter: Limiter;
  readonly breaker: Breaker;
  readonly recipientsPerRequest: number;
}

export type DispatchContext = ReturnType<typeof createContext>;

/** Makes what all runs of this process share. */
export function createContext(dependencies: DispatcherDependencies) {
  return { ...dependencies, settle: createSettling(dependencies), retryBudget: createRetryBudget() };
}

/** Outcomes are committed in groups, at most this often: a commit for each would cost most of the throughput. */
const COMMIT_EVERY_MS = 20;

function createSettling(dependencies: DispatcherDependencies) {
  const { store, clock } = dependencies;
  let waiting: Settlement[] = [];
  let callbacks: (() => void)[] = [];
  let committedAt = Number.NEGATIVE_INFINITY;

  async function commit(): Promise<void> {
    const sinceMs = clock.monotonic() - committedAt;
    // Even the first waits for a microtask, so that all recipients of one request are committed together.
    await (sinceMs < COMMIT_EVERY_MS ? clock.sleep(COMMIT_EVERY_MS - sinceMs) : Promise.resolve());
    const [settlements, called] = [waiting, callbacks];
    waiting = [];
    callbacks = [];
    committedAt = clock.monotonic();
    await retryUntilStored(() => store.settle(settlements), dependencies);
    for (const settled of called) settled();
  }

  /** `settled` is called once the outcome is on disk, or Herald stopped before the store accepted it. */
  return (settlement: Settlement, settled: () => void): void => {
    callbacks.push(settled);
    if (waiting.push(settlement) === 1) void commit();
  };
}

export type Run = ReturnType<typeof createRun>;

/** The state of one run: one send in this process. */
export function createRun(context: DispatchContext, lane: Lane, send: Send, message: Message) {
  const { store, clock, stopping, quietHours } = context;
  const isUrgent = send.origin.alert?.urgent === true;
  const bulk = send.audience !== undefined;
  const retries = createRetries(clock, stopping);
  const inFlight = createInFlight();
  const ended = new AbortController();
  let ending: Ending | undefined;
  let bug: { readonly error: unknown } | undefined;
  return {
    context,
    lane,
    send,
    bulk,
    messageFor: send.audience ? createPersonaliser(message, send.audience.columns) : () => message,
    claims: createClaims(store, send, retries.has),
    retries,
    inFlight,
    canary: createCanary(canariesOf(send)),
    gate: createQuietHoursGate(message, bulk && !isUrgent ? quietHours : undefined, clock),
    /** Aborts when nothing new may start: Herald stops, or the run has an end. */
    halted: AbortSignal.any([stopping, ended.signal]),
    /** Ends the run: nothing new starts. The first ending counts. */
    end: (reason: Ending) => {
      ending ??= reason;
      ended.abort();
    },
    ending: () => ending,
    /** Runs `work` as a part of what is in flight. An error in it is a bug, which ends the run. */
    keep: (work: () => Promise<void>) => {
      inFlight.begin();
      work().then(inFlight.end, (error: unknown) => {
        bug ??= { error };
        ended.abort();
        inFlight.end();
      });
    },
    /** Throws the first error of `keep`. */
    throwBug: () => {
      if (bug !== undefined) throw bug.error;
    },
  };
}

/** Counts what was started and has not ended; waiting for the next end needs no promise for each. */
function createInFlight() {
  let count = 0;
  let awaited: PromiseWithResolvers<void> | undefined;

  /** Resolves when the next one ends. */
  function next(): Promise<void> {
    awaited ??= Promise.withResolvers();
    return awaited.promise;
  }

  return {
    get count() {
      return count;
    },
    begin: () => {
      count += 1;
    },
    end: () => {
      count -= 1;
      awaited?.resolve();
      awaited = undefined;
    },
    next,
    none: async () => {
      while (count > 0) await next();
    },
  };
}

/** Recipients read at a time while looking for those that pass. */
const PAGE = 5_000;

/**
 * Claims recipients of one send, in row order.
 *
 * @param isTaken true for pending rows that are not to be claimed here, e.g. because they wait for a retry
 */
function createClaims(store: DispatcherDependencies['store'], send: Send, isTaken: (row: number) => boolean) {
  let left = send.counts.pending;
  let othersHaveIt = false;
  let passes: ((number: Msisdn) => boolean) | undefined;
  let found: number[] = [];
  let readTo = -1;

  /** Reads on until some pass, or there are no more. */
  async function find(): Promise<void> {
    while (found.length === 0) {
      const rows = await store.recipients(send.id, readTo, PAGE);
      const last = rows.at(-1);
      if (last === undefined) {
        left = 0;
        return;
      }
      readTo = last.row;
      found = rows
        .filter(({ row, state, number }) => state === 'pending' && passes?.(number) && !isTaken(row))
        .map(({ row }) => row);
    }
  }

  return {
    /** At most so many are left to claim. */
    get left(): number {
      return othersHaveIt ? 0 : left;
    },
    /** Whether all that are left were claimed, or looked at and do not pass. */
    get isThrough(): boolean {
      return left === 0;
    },
    /** Claims up to `limit`; fewer or none when the send was paused or stopped, or other processes have the rest. */
    take: async (limit: number, at: number): Promise<readonly RecipientRow[]> => {
      if (passes !== undefined) {
        await find();
        const rows = found.splice(0, limit);
        return rows.length === 0 ? [] : store.claimAgain(send.id, rows, at);
      }
      const claimed = await store.claim(send.id, limit, at);
      left -= claimed.length;
      return claimed;
    },
    /** Other processes have what is left. */
    none: () => {
      othersHaveIt = true;
    },
    /** From now on claims only recipients whose number passes. */
    only: (condition: (number: Msisdn) => boolean) => {
      passes = condition;
      found = [];
      readTo = -1;
    },
  };
}
