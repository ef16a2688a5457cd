import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import { isOutage } from '../core/outage.ts';

/**
 * Kept input whose content others have written: `webhook` a body of the messaging service, `answer` what people are to
 * be told of one, `alert_event` a message of an alert channel, `alert` what is to be sent for it, `alert_card` what its
 * channel is to be told, `result` what the channel of a send to one person is to be told.
 */
export type InputSource = 'webhook' | 'answer' | 'alert_event' | 'alert' | 'alert_card' | 'result';

/** Durable memory of attempts at kept input; the same rules as `SendStore`. Ids are unique within their source. */
export interface InputAttempts {
  /** Of these, those that were begun and did not end, and how often. */
  counts(
    source: InputSource,
    ids: readonly string[],
  ): Promise<readonly { readonly id: string; readonly attempts: number }[]>;
  /** Counts an attempt at each before it is made. Returns those that no other process is attempting at this moment. */
  begin(source: InputSource, ids: readonly string[]): Promise<readonly string[]>;
  /** They are through, and forgotten. */
  end(source: InputSource, ids: readonly string[]): Promise<void>;
  /** An attempt failed while the process lived on; `counted` is false when it was no fault of theirs. */
  failed(source: InputSource, ids: readonly string[], counted: boolean): Promise<void>;
  /** Nobody attempts it again; it stays on the list. False when it stood there already. */
  setAside(source: InputSource, id: string, at: number): Promise<boolean>;
  /** How many stand on that list. */
  setAsideCounts(): Promise<readonly { readonly source: InputSource; readonly count: number }[]>;
}

export interface SetAsideDependencies {
  readonly inputs: InputAttempts;
  readonly metrics: { inputSetAside(source: InputSource): void };
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Inputs<Item> {
  readonly source: InputSource;
  /** At least one. */
  readonly items: readonly Item[];
  idOf(item: Item): string;
  /** Does what is to be done with these, all or nothing; may be called again for the same. */
  work(items: readonly Item[]): Promise<void>;
  /** Marks one as done without any of that, so that it does not come up again. What was kept stays. */
  giveUp(item: Item): Promise<void>;
}

const MOST_ATTEMPTS = 3;
/** After a round in which nothing got through. */
const FAILED_MS = 5_000;
/** While others are at it. */
const HELD_MS = 1_000;

/**
 * Works on kept input so that none of it can stop Herald: an attempt is counted on disk before it is made, so that one
 * that ends the process counts as well. What is new is worked on together, what failed before alone; what has failed
 * three times is set aside. An outage of the store is nobody's failure: it rejects, and counts nothing.
 *
 * @returns how long to rest, in milliseconds; 0 when anything got through
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
  let restMs = HELD_MS;

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
    // Its third attempt may still be under way elsewhere.
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
