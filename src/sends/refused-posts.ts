import type { Logger } from '../core/logger.ts';

/** A refusal that is due to neither channel nor message may pass; after this time Herald gives up. */
const SET_ASIDE_AFTER_MS = 24 * 60 * 60_000;
/** An old message is tried at least this often before Herald gives up, also after a restart. */
const FEWEST_TRIES = 3;
const LONGEST_WAIT_MS = 10 * 60_000;

/** Messages that Slack did not accept and that are no longer tried. */
export type RefusedPosts = ReturnType<typeof createRefusedPosts>;

/** @param counted called for each */
export function createRefusedPosts(logger: Logger, counted: () => void) {
  let latest: { readonly count: number; readonly reason: string } | undefined;
  return {
    /** @param fields which message it is, for the log */
    add: (fields: Readonly<Record<string, string>>, reason: string): void => {
      latest = { count: (latest?.count ?? 0) + 1, reason };
      counted();
      logger.error({ ...fields, reason }, 'Slack did not take a message about a send; it is set aside');
    },
    /** Count since the start, and the latest reason; undefined while there are none. */
    latest: () => latest,
  };
}

/** True when a message that Slack keeps refusing is no longer tried. */
export function isGivenUp(tries: number, since: number, now: number): boolean {
  return tries >= FEWEST_TRIES && isTooOld(since, now);
}

export function isTooOld(since: number, now: number): boolean {
  return now - since >= SET_ASIDE_AFTER_MS;
}

/** Milliseconds to wait after refusal number `tries` (from 1): doubled each time, up to ten minutes. */
export function waitAfterRefusal(tries: number, firstMs: number): number {
  return Math.min(firstMs * 2 ** (tries - 1), LONGEST_WAIT_MS);
}
