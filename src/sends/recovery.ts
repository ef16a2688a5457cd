import type { Clock } from '../core/clock.ts';
import type { Surroundings } from '../core/surroundings.ts';
import { kindOf } from '../messages/kinds.ts';
import { INTERRUPTED, RESTORED, SECRET_LOST, TOO_LATE } from './failures.ts';
import type { Failure } from './outcome.ts';
import type { DispatchStore, OwnershipStore, SendWriter } from './ports.ts';
import type { Send } from './send.ts';

/** A stored message that was never attempted is sent after a restart only within this time. */
const RESUME_WITHIN_MS = 10 * 60_000;
const RECOVERY_BATCH = 1_000;

/** Where a send that cannot go on is ended. */
type LostSends = Pick<SendWriter, 'moveSend'> & Pick<DispatchStore, 'settle'>;

interface Restoring extends Surroundings {
  readonly store: Pick<OwnershipStore, 'stopRestored'>;
  readonly alerts: { stopRestored(): Promise<void> };
}

/**
 * Recovers what a dead process left: recipients that were `attempting` become `unknown`, because their request may have
 * reached the service. Returns the sends to one person of which nothing was attempted, with no other owner any more.
 */
export async function recover({
  store,
  clock,
  logger,
}: Surroundings & { readonly store: OwnershipStore }): Promise<readonly Send[]> {
  const interrupted = await store.recoverInterrupted(INTERRUPTED, clock.now());
  if (interrupted.length > 0) {
    logger.warn(
      { sendIds: interrupted },
      'sends were interrupted by the end of another process; their outcome is unknown',
    );
  }
  const adopted = await store.adopt(['approved', 'sending'], RECOVERY_BATCH);
  // Bulk sends are recovered by bulk/loop.ts.
  return adopted.filter(({ audience }) => audience === undefined);
}

/** True when a send that was never attempted can still be sent; otherwise it is ended as `not_sent`. */
export async function mayStillGo(
  send: Send,
  { store, clock }: { readonly store: LostSends; readonly clock: Clock },
): Promise<boolean> {
  const obstacle = obstacleTo(send, clock.now());
  if (obstacle !== undefined) await giveUp(store, send, obstacle, clock.now());
  return obstacle === undefined;
}

function obstacleTo(send: Send, now: number): Failure | undefined {
  if (kindOf(send.message).needsSecret(send.message)) return SECRET_LOST;
  return now - send.createdAt > RESUME_WITHIN_MS ? TOO_LATE : undefined;
}

async function giveUp(store: LostSends, send: Send, failure: Failure, at: number): Promise<void> {
  await store.moveSend({ sendId: send.id, from: 'approved', to: 'sending', at, actor: 'herald' });
  const outcome = { state: 'not_sent', failure, retry: { kind: 'never' } } as const;
  await store.settle([{ sendId: send.id, row: 0, outcome, settledAt: at }]);
}

/**
 * The first step of a start. In a restored copy of the database every send that has not ended is stopped and its unsent
 * recipients become `unknown`, because they may have been sent to after the copy was made; alerts are not sent, either.
 * Returns the ids of these sends.
 */
export async function stopWhatWasRestored({
  store,
  alerts,
  clock,
  logger,
}: Restoring): Promise<readonly string[]> {
  const stopped = await store.stopRestored(RESTORED, clock.now());
  if (stopped === undefined) return [];
  await alerts.stopRestored();
  logger.error(
    { sendIds: stopped },
    'the database is an older copy than the one used last: sends that had not ended were stopped, and nothing is sent by itself; opt-outs and templates may be older, too',
  );
  return stopped;
}
