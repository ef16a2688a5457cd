import type { Surroundings } from '../core/surroundings.ts';
import { kindOf } from '../messages/kinds.ts';
import type { Failure } from './outcome.ts';
import type { SendStore } from './ports.ts';
import type { Send } from './send.ts';

/** A stored message that was never attempted is sent after a restart only within this time. */
const RESUME_WITHIN_MS = 10 * 60_000;
const RECOVERY_BATCH = 1_000;

interface Recovering extends Surroundings {
  readonly store: Pick<SendStore, 'recoverInterrupted' | 'adopt' | 'moveSend' | 'settle'>;
}

/**
 * Recovers what a dead process left: recipients that were `attempting` become `unknown`, because their request may have
 * reached the service. Returns the sends to one person of which nothing was attempted, with no other owner any more.
 */
export async function recover({ store, clock, logger }: Recovering): Promise<readonly Send[]> {
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
export async function mayStillGo(send: Send, { store, clock }: Recovering): Promise<boolean> {
  const at = clock.now();
  const isTooLate = at - send.createdAt > RESUME_WITHIN_MS;
  const isSecretLost = kindOf(send.message).needsSecret(send.message);
  const failure = isSecretLost ? SECRET_LOST : isTooLate ? TOO_LATE : undefined;
  if (failure === undefined) return true;
  await store.moveSend({ sendId: send.id, from: 'approved', to: 'sending', at, actor: 'herald' });
  const outcome = { state: 'not_sent', failure, retry: { kind: 'never' } } as const;
  await store.settle([{ sendId: send.id, row: 0, outcome, settledAt: at }]);
  return false;
}

/**
 * The first step of a start. In a restored copy of the database every send that has not ended is stopped and its unsent
 * recipients become `unknown`, because they may have been sent to after the copy was made; alerts are not sent, either.
 * Returns the ids of these sends.
 */
export async function stopWhatWasRestored(
  starting: Surroundings & {
    readonly store: Pick<SendStore, 'stopRestored'>;
    readonly alerts: { stopRestored(): Promise<void> };
  },
): Promise<readonly string[]> {
  const { store, alerts, clock, logger } = starting;
  const stopped = await store.stopRestored(RESTORED, clock.now());
  if (stopped === undefined) return [];
  await alerts.stopRestored();
  logger.error(
    { sendIds: stopped },
    'the database is an older copy than the one used last: sends that had not ended were stopped, and nothing is sent by itself; opt-outs and templates may be older, too',
  );
  return stopped;
}

/* Failures that Herald finds itself, without an answer from the service. */

export const INTERRUPTED: Failure = {
  what: 'Herald was stopped while this message was on its way to the service, so its answer was lost.',
  next: 'Ask the recipient or look in the service’s own log; send it again only if it did not arrive.',
  scope: 'recipient',
};

const TOO_LATE: Failure = {
  what: 'Herald was not running when this message should have gone out, and it is too late to send it by itself.',
  next: 'Send it again if it is still wanted.',
  scope: 'recipient',
};

const SECRET_LOST: Failure = {
  what: 'Herald was restarted before it could send this message, and one-time passwords are never stored.',
  next: 'Send it again with a fresh one-time password.',
  scope: 'recipient',
};

const RESTORED: Failure = {
  what: 'Herald’s database was restored from an older copy, so what was sent after that copy was made is not known.',
  next: 'Look in this channel and in the service’s own log for what went out; send again only to those who got nothing.',
  scope: 'send',
};
