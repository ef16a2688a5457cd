import type { Random } from '../../core/random.ts';
import type { Channel } from '../../messages/kinds.ts';
import type { Lease } from '../lease.ts';
import type { Failure } from '../outcome.ts';
import type { DispatchStore, Gateway, SendReader, SendWriter } from '../ports.ts';
import type { QuietHoursAt } from '../quiet-hours.ts';
import type { RecipientRow, Send } from '../send.ts';
import type { SharedChannels } from '../sharing.ts';
import type { Breaker } from './breaker.ts';
import type { Limiter, Pace } from './limiter.ts';
import type { RetryBudget } from './retries.ts';
import type { RetryDependencies } from './retry-until-stored.ts';
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
