import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Random } from '../core/random.ts';
import type { Message } from '../messages/message.ts';
import type { Outcome } from './outcome.ts';
import type { Gateway, SendStore } from './ports.ts';
import { retryDelayMs } from './retry.ts';
import type { RetryBudget } from './retry-budget.ts';
import type { RecipientRow, Send } from './send.ts';

/** How long to wait before trying again to write to a store that refuses, e.g. because the disk is full. */
const STORE_RETRY_MS = 2_000;

export interface DispatchDependencies {
  readonly store: SendStore;
  readonly gateway: Gateway;
  readonly retryBudget: RetryBudget;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Aborts when Herald is stopping: nothing new is started, what is on its way is waited for. */
  readonly stopping: AbortSignal;
}

/**
 * Sends one stored send to its one recipient: `attempting` is on disk before the request starts, and the
 * outcome after it ended. Safe to call twice, and from two processes: whoever loses the claim does nothing.
 *
 * @param message the message with its one-time password, where it has one
 */
export async function dispatchSingle(
  dependencies: DispatchDependencies,
  send: Send,
  message: Message,
): Promise<void> {
  const { store, clock, retryBudget, stopping } = dependencies;
  await patiently(dependencies, send.id, () =>
    store.moveSend({
      sendId: send.id,
      from: 'approved',
      to: 'sending',
      at: clock.now(),
      actor: send.origin.userId,
    }),
  );
  retryBudget.earn();
  for (let retriesDone = 0; !stopping.aborted; retriesDone += 1) {
    const claimed = await patiently(dependencies, send.id, () => store.claim(send.id, 1, clock.now()));
    const row = claimed?.[0];
    if (row === undefined) return;
    const retryAfterMs = await attempt(dependencies, row, message, retriesDone);
    if (retryAfterMs === undefined) return;
    await clock.sleep(retryAfterMs, stopping);
  }
}

/** One request and its settling. Returns how long to wait before the next attempt, or undefined when there is none. */
async function attempt(
  dependencies: DispatchDependencies,
  row: RecipientRow,
  message: Message,
  retriesDone: number,
): Promise<number | undefined> {
  const { store, gateway, clock, random, retryBudget } = dependencies;
  const outcome = await gateway.deliver(message, [{ number: row.number }]);
  const delayMs = retryDelayMs(outcome, retriesDone, random.fraction());
  if (delayMs !== undefined && retryBudget.spend()) {
    await patiently(dependencies, row.sendId, () => store.release(row.sendId, row.row));
    return delayMs;
  }
  await settle(dependencies, row, outcome, clock.now());
  return undefined;
}

async function settle(
  dependencies: DispatchDependencies,
  row: RecipientRow,
  outcome: Outcome,
  settledAt: number,
): Promise<void> {
  const { store } = dependencies;
  await patiently(dependencies, row.sendId, () =>
    store.settle([{ sendId: row.sendId, row: row.row, outcome, settledAt }]),
  );
}

/**
 * Repeats a write until the store takes it, because an outcome that only this process knows must not be lost to
 * a full disk. Gives up when Herald stops: then the stored state, `pending` or `attempting`, tells the truth.
 */
async function patiently<T>(
  { clock, logger, stopping }: DispatchDependencies,
  sendId: string,
  write: () => Promise<T>,
): Promise<T | undefined> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      logger.error({ sendId, error }, 'the store refused a write; trying again');
      if (stopping.aborted) return undefined;
      await clock.sleep(STORE_RETRY_MS, stopping);
    }
  }
}
