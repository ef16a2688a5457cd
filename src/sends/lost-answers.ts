import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { NewSend, SendStore } from './ports.ts';
import type { Send } from './send.ts';

/*
 * A database that is another process can take a statement and be cut off before it says so. Nobody may be told that
 * nothing was sent before the database has answered that it has nothing.
 */

/** After each try; whoever asked is waiting meanwhile. */
const PAUSES_MS = [100, 500, 2_000, undefined] as const;
/** What takes longer to be refused may be taken later. */
const PATIENCE_MS = 10_000;

interface Asking {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

/** Asks the store a few times what it has; fails when it never answers. */
export async function askAgain<T>(
  ask: () => Promise<T>,
  { clock, logger, stopping }: Asking,
): Promise<Result<T, 'unanswered'>> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return ok(await ask());
    } catch (error) {
      logger.error({ error }, 'the store did not say what it has');
    }
    if (pauseMs !== undefined) await clock.sleep(pauseMs, stopping);
  }
  return fail('unanswered');
}

/**
 * `created` is false when the request was seen before; `refused`: the store does not have it and will not; `unsure`: it
 * may have it.
 */
type Created = Result<{ readonly send: Send; readonly created: boolean }, 'refused' | 'unsure'>;

/** Stores a send and makes sure of the answer. */
export async function createForSure(
  send: NewSend,
  { store, ...asking }: Asking & { readonly store: Pick<SendStore, 'create' | 'find'> },
): Promise<Created> {
  const { clock, logger, stopping } = asking;
  const since = clock.monotonic();
  let absences = 0;
  for (const pauseMs of PAUSES_MS) {
    try {
      const stored = await store.create(send);
      return ok({ ...stored, created: stored.send.id === send.id });
    } catch (error) {
      logger.error({ sendId: send.id, error }, 'the store refused a new send');
    }
    const found = await store.find(send.id).then(ok, () => fail('unanswered'));
    if (found.ok && found.value !== undefined) return ok({ send: found.value, created: true });
    if (clock.monotonic() - since > PATIENCE_MS) break;
    if (found.ok) absences += 1;
    // The first one may still be being written: the second one, with the same request key, has waited for it.
    if (absences === 2) return fail('refused');
    if (pauseMs !== undefined) await clock.sleep(pauseMs, stopping);
  }
  return fail('unsure');
}
