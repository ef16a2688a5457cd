import { isOutage } from '../core/outage.ts';
import type { Surroundings } from '../core/surroundings.ts';

/**
 * Stored input whose content others wrote: `webhook` a body of the messaging service, `alert_event` a message of an alert
 * channel, `alert` the sending for it.
 */
export const INPUT_SOURCES = ['webhook', 'alert_event', 'alert'] as const;
export type InputSource = (typeof INPUT_SOURCES)[number];

/** Durable counts of attempts at stored input; the same rules as `SendStore`. Ids are unique within their source. */
export interface InputAttempts {
  /** Finds those of `ids` that were begun and not ended, with their number of attempts. */
  counts(
    source: InputSource,
    ids: readonly string[],
  ): Promise<readonly { readonly id: string; readonly attempts: number }[]>;
  /** Counts an attempt before it is made. Returns the ids that no other process is attempting now. */
  begin(source: InputSource, ids: readonly string[]): Promise<readonly string[]>;
  /** The attempts succeeded; their counts are deleted. */
  end(source: InputSource, ids: readonly string[]): Promise<void>;
  /** The attempts failed, without a crash. `counted` is false when the input was not the cause. */
  failed(source: InputSource, ids: readonly string[], counted: boolean): Promise<void>;
  /** Puts it on the list of what is never attempted again. False when it was there already. */
  setAside(source: InputSource, id: string, at: number): Promise<boolean>;
  /** The length of that list, by source. */
  setAsideCounts(): Promise<readonly { readonly source: InputSource; readonly count: number }[]>;
}

export interface SetAsideDependencies extends Surroundings {
  readonly inputs: InputAttempts;
  readonly metrics: { inputSetAside(source: InputSource): void };
}

interface Inputs<Item> {
  readonly source: InputSource;
  /** At least one. */
  readonly items: readonly Item[];
  idOf(item: Item): string;
  /** Works on all of these or none; may be called again for the same items. */
  work(items: readonly Item[]): Promise<void>;
  /** Marks one as done without working on it. Its content stays stored. */
  giveUp(item: Item): Promise<void>;
}

const MOST_ATTEMPTS = 3;
/** Rest after a round in which nothing succeeded. */
const FAILED_MS = 5_000;
/** Rest while other processes work on all of it. */
const BUSY_MS = 1_000;

/**
 * Works on stored input so that no input can stop Herald. Each attempt is counted on disk first, so that one that
 * crashes the process counts too. New input is worked on together, input that failed before alone; what failed three
 * times is set aside. During an outage of the store it rejects and counts nothing.
 *
 * @returns how long to rest, in milliseconds; 0 when anything succeeded
 */
export async function workOnInputs<Item>(
  { source, items, idOf, work, giveUp }: Inputs<Item>,
  { inputs, metrics, clock, logger }: SetAsideDependencies,
): Promise<number> {
  const counts = await inputs.counts(source, items.map(idOf));
  const attempts = new Map(counts.map(({ id, attempts }) => [id, attempts]));
  const failedBefore = items.filter((item) => attempts.has(idOf(item)));
  const fresh = items.filter((item) => !attempts.has(idOf(item)));
  const groups = [...failedBefore.map((item) => [item]), ...(fresh.length > 0 ? [fresh] : [])];
  let restMs = BUSY_MS;

  async function attempt(group: readonly Item[]): Promise<void> {
    const begun = new Set(await inputs.begin(source, group.map(idOf)));
    const mine = group.filter((item) => begun.has(idOf(item)));
    if (mine.length === 0) return;
    const ids = mine.map(idOf);
    try {
      await work(mine);
    } catch (error) {
      const counted = !isOutage(error);
      await inputs.failed(source, ids, counted);
      if (!counted) throw error;
      restMs = Math.max(restMs, FAILED_MS);
      logger.error({ error, source, ids }, 'kept input could not be worked on; each is tried again alone');
      if (mine.length > 1) groups.push(...mine.map((item) => [item]));
      return;
    }
    await inputs.end(source, ids);
    anyThrough = true;
  }

  async function setAside(item: Item): Promise<void> {
    const id = idOf(item);
    // Its third attempt may still be running in another process.
    if ((await inputs.begin(source, [id])).length === 0) return;
    const isNew = await inputs.setAside(source, id, clock.now());
    await giveUp(item);
    anyThrough = true;
    if (!isNew) return;
    metrics.inputSetAside(source);
    logger.error(
      { source, id },
      'kept input has failed three times and was set aside; nothing more is done with it. It is still in the database: report it with the errors above',
    );
  }

  let anyThrough = false;
  for (const group of groups) {
    const [first] = group;
    const isSpent = first !== undefined && (attempts.get(idOf(first)) ?? 0) >= MOST_ATTEMPTS;
    await (isSpent ? setAside(first) : attempt(group));
  }
  return anyThrough ? 0 : restMs;
}
