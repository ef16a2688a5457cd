import type { Random } from '../../core/random.ts';
import type { Channel, Message } from '../../messages/kinds.ts';
import { createPersonaliser } from '../../messages/personalise.ts';
import type { Failure } from '../outcome.ts';
import type { DispatchStore, Gateway, SendReader, SendWriter } from '../ports.ts';
import { createQuietHoursGate, type QuietHoursAt } from '../quiet-hours.ts';
import type { RecipientRow, Send } from '../send.ts';
import type { Lease, SharedChannels } from '../sharing.ts';
import type { RetryDependencies } from '../store-trouble.ts';
import type { Breaker } from './breaker.ts';
import { canariesOf, createCanary, type Ending } from './canary.ts';
import { createClaims } from './claims.ts';
import type { Limiter, Pace } from './limiter.ts';
import { createRetries, type RetryBudget } from './retries.ts';
import type { Settling } from './settling.ts';

/** Pace by channel; `recipientsPerRequest` where one request takes several. */
type Pacing = Readonly<Record<Channel, Pace & { readonly recipientsPerRequest?: number }>>;

export interface DispatcherDependencies extends RetryDependencies {
  readonly store: DispatchStore & SendReader & Pick<SendWriter, 'moveSend'>;
  readonly gateway: Gateway;
  readonly lease: Lease;
  /** The channels' state shared by all processes; absent without replicas. */
  readonly channels?: SharedChannels | undefined;
  readonly pacing: Pacing;
  readonly random: Random;
  /** Checks each claimed batch: which rows must not be sent to, and why. */
  readonly beforeAttempt: (
    send: Send,
    rows: readonly RecipientRow[],
  ) => Promise<ReadonlyMap<number, Failure>>;
  /** Which recipients of a bulk send must wait; asked before each request. */
  readonly quietHours: QuietHoursAt;
}

/** What all runs of one channel share. */
export interface Lane {
  readonly limiter: Limiter;
  readonly breaker: Breaker;
  readonly recipientsPerRequest: number;
}

/** What all runs share. */
export interface DispatchContext extends DispatcherDependencies {
  readonly settling: Settling;
  readonly retryBudget: RetryBudget;
}

export type Run = ReturnType<typeof createRun>;

/**
 * The state of one run: one send in this process.
 *
 * @param progressed called when an outcome was written, and when the run has ended the send
 */
export function createRun(
  context: DispatchContext,
  lane: Lane,
  send: Send,
  message: Message,
  progressed: () => void,
) {
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
    progressed,
    /** Called when an outcome was written: it is in flight no more. */
    settled: () => {
      progressed();
      inFlight.end();
    },
    messageFor: messageFor(message, send),
    claims: createClaims(store, send, (row) => retries.has(row)),
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

/** The message for a recipient with these values. */
function messageFor(message: Message, { audience }: Send): (values: readonly string[]) => Message {
  return audience === undefined ? () => message : createPersonaliser(message, audience.columns);
}

/** Counts what was started and has not ended; waiting for the next end needs no promise for each. */
function createInFlight() {
  let count = 0;
  let awaited: PromiseWithResolvers<void> | undefined;

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
    /** Resolves when the next one ends. */
    next,
    /** Resolves when nothing is in flight. */
    none: async () => {
      while (count > 0) await next();
    },
  };
}
