import type { Logger } from '../core/logger.ts';

/** A refusal whose reason lies neither in the channel nor in the message may end by itself; for so long it is awaited. */
const SET_ASIDE_AFTER_MS = 24 * 60 * 60_000;
/** After a restart as well, an old message is offered this often before it is set aside. */
const FEWEST_TRIES = 3;
const LONGEST_WAIT_MS = 10 * 60_000;

/** What people were to be told and Slack did not take; it stands in the record. */
export interface RefusedPosts {
  /** @param fields which message it is, for the log */
  add(fields: Readonly<Record<string, string>>, reason: string): void;
  /** Since Herald started: how many, and why the latest; undefined while there are none. */
  latest(): { readonly count: number; readonly reason: string } | undefined;
}

/** @param counted told of each */
export function createRefusedPosts(logger: Logger, counted: () => void = () => {}): RefusedPosts {
  let latest: { readonly count: number; readonly reason: string } | undefined;
  return {
    add: (fields, reason) => {
      latest = { count: (latest?.count ?? 0) + 1, reason };
      counted();
      logger.error({ ...fields, reason }, 'Slack did not take a message about a send; it is set aside');
    },
    latest: () => latest,
  };
}

/** True when a message that Slack keeps refusing is not offered again. */
export function isGivenUp(tries: number, since: number, now: number): boolean {
  return tries >= FEWEST_TRIES && isTooOld(since, now);
}

export function isTooOld(since: number, now: number): boolean {
  return now - since >= SET_ASIDE_AFTER_MS;
}

/** How long to wait after the refusal number `tries`, from 1: twice as long each time, up to ten minutes. */
export function waitAfterRefusal(tries: number, firstMs: number): number {
  return Math.min(firstMs * 2 ** (tries - 1), LONGEST_WAIT_MS);
}
