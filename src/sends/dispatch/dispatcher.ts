import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Random } from '../../core/random.ts';
import type { Message, MessageKind } from '../../messages/kinds.ts';
import { type Channel, KINDS } from '../../messages/kinds.ts';
import { isSameForAll } from '../../messages/personalise.ts';
import type { Failure } from '../outcome.ts';
import type { Gateway, Lease, SendStore } from '../ports.ts';
import type { HoldsAt } from '../quiet-hours.ts';
import type { RecipientRow, Send } from '../send.ts';
import type { SharedChannels } from '../sharing.ts';
import type { StoreTrouble } from '../store-trouble.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import { createLimiter, type Limiter, type Pace } from './limiter.ts';
import { createRetryBudget, type RetryBudget } from './retry-budget.ts';
import { runSend } from './run-send.ts';
import { createSettling, type Settling } from './settling.ts';
import { createSharedLanes } from './shared-lanes.ts';

/** Pace by channel; `recipientsPerRequest` where one request may carry several. */
type Pacing = Readonly<Record<Channel, Pace & { readonly recipientsPerRequest?: number }>>;

export interface DispatcherDependencies {
  readonly store: SendStore;
  readonly gateway: Gateway;
  readonly lease: Lease;
  /** How the channels stand for all processes; absent where nobody else sends. */
  readonly channels?: SharedChannels | undefined;
  readonly pacing: Pacing;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Aborts when Herald is stopping: nothing new is started, what is on its way is waited for. */
  readonly stopping: AbortSignal;
  /** Where trouble with the store is noted for whoever tells of it. */
  readonly storeTrouble?: StoreTrouble;
  /** Asked for every claimed batch of a bulk send: which rows must not be sent after all, and why. */
  readonly beforeAttempt?: (
    send: Send,
    rows: readonly RecipientRow[],
  ) => Promise<ReadonlyMap<number, Failure>>;
  /** Which recipients of a bulk send must wait at a moment; asked before each request. */
  readonly holds?: HoldsAt;
  /** Told whenever outcomes of a send were written. */
  readonly onProgress?: (sendId: string) => void;
}

/** What all sends of one channel share. */
export interface Lane {
  readonly limiter: Limiter;
  readonly breaker: Breaker;
  readonly recipientsPerRequest: number;
}

/** What a running send works with. */
export interface DispatchContext extends DispatcherDependencies {
  readonly settling: Settling;
  readonly retryBudget: RetryBudget;
}

export interface Dispatcher {
  /**
   * Sends what is pending of a send in state `sending`, and resolves when nothing is left to do here: it is done,
   * somebody paused or stopped it, it had to be paused or stopped, or Herald is stopping. `attempting` is on disk
   * before each request starts, and its outcome before this resolves.
   *
   * @param message the message with its one-time password, where it has one; the stored one otherwise
   */
  run(send: Send, message?: Message): Promise<void>;
  /** Since when the service has been failing, for a kind; undefined while it works. */
  openSince(kind: MessageKind): number | undefined;
}

export function createDispatcher(dependencies: DispatcherDependencies): Dispatcher {
  const { pacing, lease, channels, clock, random } = dependencies;
  const shared = channels && createSharedLanes({ ...dependencies, channels });
  const lanes = Object.fromEntries(
    Object.entries(pacing).map(([name, pace]) => {
      const channel = name as Channel;
      const limiter = createLimiter(pace, clock, lease);
      const breaker = createBreaker(clock, random, shared?.peersOf(channel));
      const lane: Lane = {
        limiter: shared?.share(channel, { limiter, breaker }) ?? limiter,
        breaker,
        recipientsPerRequest: pace.recipientsPerRequest ?? 1,
      };
      return [channel, lane];
    }),
  ) as Record<Channel, Lane>;
  const context: DispatchContext = {
    ...dependencies,
    settling: createSettling(dependencies),
    retryBudget: createRetryBudget(),
  };
  return {
    run: (send, message = send.message) => {
      const lane = lanes[KINDS[send.kind].channel];
      // Different words for different people cannot share a request.
      const together = isSameForAll(message) ? lane.recipientsPerRequest : 1;
      const run = () => runSend(context, { ...lane, recipientsPerRequest: together }, send, message);
      return shared === undefined ? run() : shared.during(run);
    },
    openSince: (kind) => lanes[KINDS[kind].channel].breaker.openSince(),
  };
}
