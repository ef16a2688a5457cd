import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import { kindOf, type Message } from '../messages/kinds.ts';
import { INTERRUPTED, SECRET_LOST, TOO_LATE } from './failures.ts';
import type { Failure } from './outcome.ts';
import type { SendStore } from './ports.ts';
import type { Send } from './send.ts';

/** A stored message that was never attempted is still sent after a restart within this time, and not later. */
const RESUME_WITHIN_MS = 10 * 60_000;
const RECOVERY_BATCH = 1_000;

interface Recovered {
  readonly resumable: readonly { readonly send: Send; readonly message: Message }[];
  /** How many sends the channel must be told of. */
  readonly ended: number;
}

/**
 * Puts in order what a process that died has left: recipients that were `attempting` become `unknown`, because their
 * request may have reached the service; those that were still `pending` are returned to be sent, unless too
 * much time has passed or their one-time password is gone.
 */
export async function recover({
  store,
  clock,
  logger,
}: {
  store: SendStore;
  clock: Clock;
  logger: Logger;
}): Promise<Recovered> {
  const interrupted = await store.recoverInterrupted(INTERRUPTED, clock.now());
  if (interrupted.length > 0) {
    logger.warn(
      { sendIds: interrupted },
      'sends were interrupted by the end of another process; their outcome is unknown',
    );
  }
  const resumable: { send: Send; message: Message }[] = [];
  let ended = interrupted.length;
  for (const send of await store.adopt(['approved', 'sending'], RECOVERY_BATCH)) {
    // Bulk sends go on by rules of their own.
    if (send.audience !== undefined) continue;
    if (await mayStillGo(send, { store, clock })) resumable.push({ send, message: send.message });
    else ended += 1;
  }
  return { resumable, ended };
}

/** True when what was stored and never attempted can still be sent; otherwise it has ended, and nothing was sent. */
export async function mayStillGo(
  send: Send,
  { store, clock }: { readonly store: SendStore; readonly clock: Clock },
): Promise<boolean> {
  const obstacle = obstacleTo(send, clock.now());
  if (obstacle !== undefined) await giveUp(store, send, obstacle, clock.now());
  return obstacle === undefined;
}

function obstacleTo(send: Send, now: number): Failure | undefined {
  if (kindOf(send.message).needsSecret(send.message)) return SECRET_LOST;
  return now - send.createdAt > RESUME_WITHIN_MS ? TOO_LATE : undefined;
}

async function giveUp(store: SendStore, send: Send, failure: Failure, at: number): Promise<void> {
  await store.moveSend({ sendId: send.id, from: 'approved', to: 'sending', at, actor: 'herald' });
  const outcome = { state: 'not_sent', failure, retry: { kind: 'never' } } as const;
  await store.settle([{ sendId: send.id, row: 0, outcome, settledAt: at }]);
}
