import { fail, ok, type Result } from '../core/result.ts';
import type { StoppableSurroundings } from '../core/surroundings.ts';
import type { NewSend, SendStore, Stored } from './ports.ts';

/** Whether the store refuses writes, e.g. because the disk is full or PostgreSQL is gone. Then nothing is sent, and Slack says why. */
export type StoreTrouble = ReturnType<typeof createStoreTrouble>;

export function createStoreTrouble() {
  const listeners: ((error?: unknown) => void)[] = [];
  let waiting = 0;
  let since: number | undefined;
  return {
    /** Since when, in milliseconds since the epoch; undefined while every write is taken. */
    since: () => since,
    /** A write was refused and is tried again, or the database does not answer. */
    began: (at: number, error: unknown) => {
      waiting += 1;
      if (since !== undefined) return;
      since = at;
      for (const listener of listeners) listener(error);
    },
    /** The write was taken, or is given up. */
    ended: () => {
      waiting -= 1;
      if (waiting > 0) return;
      since = undefined;
      for (const listener of listeners) listener();
    },
    /** `listener` is called when trouble begins, with the error, and when it is over. */
    onChange: (listener: (error?: unknown) => void) => {
      listeners.push(listener);
    },
  };
}

const STORE_RETRY_MS = 2_000;

export interface RetryDependencies extends StoppableSurroundings {
  /** Notes that the store refuses writes. */
  readonly storeTrouble: Pick<StoreTrouble, 'began' | 'ended'>;
}

/**
 * Repeats a call of the store until it succeeds: an outcome that only this process knows must not be lost because the disk
 * is full. Gives up when Herald stops; the stored state, `pending` or `attempting`, is then still true.
 */
export async function retryUntilStored<T>(
  write: () => Promise<T>,
  { clock, logger, stopping, storeTrouble }: RetryDependencies,
): Promise<T | undefined> {
  let refused = false;
  try {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!refused) storeTrouble.began(clock.now(), error);
        refused = true;
        logger.error({ error }, 'the store refused a write; trying again');
        if (stopping.aborted) return undefined;
        await clock.sleep(STORE_RETRY_MS, stopping);
      }
    }
  } finally {
    if (refused) storeTrouble.ended();
  }
}

/*
 * PostgreSQL may commit a statement although the connection breaks before its answer arrives. Herald says “nothing was
 * sent” only after the database has confirmed that it does not have the send.
 */

/** The wait after each try. A person is waiting. */
const PAUSES_MS = [100, 500, 2_000, undefined] as const;
/** A write that failed after this time may still be committed later. */
const SURE_WITHIN_MS = 10_000;

/** Reads from the store, a few times if need be; fails when it never answers. */
export async function readWithRetries<T>(
  ask: () => Promise<T>,
  { clock, logger, stopping }: StoppableSurroundings,
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
 * Stores a send, and looks it up when the answer was lost. `created` is false when the request was seen before, undefined what goes
 * beyond its limit. `refused`: the store certainly does not have it; `unsure`: it may.
 */
export async function createConfirmed(
  send: NewSend,
  dependencies: StoppableSurroundings & { readonly store: Pick<SendStore, 'find' | 'create'> },
): Promise<Result<Stored | undefined, 'refused' | 'unsure'>> {
  const { store, clock, logger, stopping } = dependencies;
  const since = clock.monotonic();
  let absences = 0;
  for (const pauseMs of PAUSES_MS) {
    try {
      const stored = await store.create(send);
      return ok(stored && { ...stored, created: stored.send.id === send.id });
    } catch (error) {
      logger.error({ sendId: send.id, error }, 'the store refused a new send');
    }
    const found = await store.find(send.id).then(ok, () => fail('unanswered'));
    if (found.ok && found.value !== undefined) return ok({ send: found.value, created: true });
    if (clock.monotonic() - since > SURE_WITHIN_MS) break;
    if (found.ok) absences += 1;
    // The first attempt may still be committing. The second one had to wait for it, because the request key is unique.
    if (absences === 2) return fail('refused');
    if (pauseMs !== undefined) await clock.sleep(pauseMs, stopping);
  }
  return fail('unsure');
}
