import type { StoppableSurroundings } from '../../../core/surroundings.ts';
import type { AnnounceResult } from '../../../sends/announcer.ts';
import { isGivenUp, type RefusedPosts, waitAfterRefusal } from '../../../sends/refused-posts.ts';
import { describeError } from '../../connection/api-error.ts';

/**
 * Between two calls, over all channels: `chat.update` may be called fifty times a minute in a workspace, and a channel
 * takes about one message a second.
 */
const INTERVAL_MS = 1_200;

/**
 * Brings one message up to date. Reads the state when it is called, so that what it shows is the latest; undefined when
 * there is nothing to show any more.
 */
type Deliver = () => Promise<AnnounceResult | undefined>;

export interface Board {
  /**
   * Brings the message `key` up to date, when its turn comes. A newer request for the same message takes the place of one
   * that still waits. Resolves once Slack has shown it, or refuses it for good, or Herald is stopping. Never rejects.
   */
  show(key: string, deliver: Deliver): Promise<void>;
  /**
   * Once Herald is stopping: brings the message up to date a last time, after whatever is on its way, unless Slack wants
   * to be left alone for longer. Never rejects.
   */
  showLast(key: string, deliver: Deliver): Promise<void>;
}

interface BoardDependencies extends StoppableSurroundings {
  readonly refusedPosts: RefusedPosts;
}

interface Entry {
  deliver: Deliver;
  readonly waiters: (() => void)[];
  /** Slack refuses it, and nothing but time can help. */
  refused?: { readonly tries: number; readonly since: number; readonly notBefore: number };
}

/**
 * One call at a time and no faster than Slack takes them, over all messages of bulk sends. Because calls do not
 * overlap and each reads the state itself, an older state never comes over a newer one. What Slack takes later is kept
 * and tried again; a 429 holds everything for as long as Slack says. What it refuses for a reason of which nothing but
 * time can be hoped holds itself only, and is set aside after a day.
 */
export function createBoard({ refusedPosts, clock, logger, stopping }: BoardDependencies): Board {
  const waiting = new Map<string, Entry>();
  let running = false;
  /** The calls that are on their way, one after the other. */
  let calls: Promise<unknown> = Promise.resolve();
  let notBefore = 0;
  /** Ends a rest in which everything that waits is refused for now. */
  let resting = new AbortController();

  async function deliver(key: string, entry: Entry): Promise<AnnounceResult | undefined> {
    try {
      return await entry.deliver();
    } catch (error) {
      logger.error({ key, error: describeError(error) }, 'a message of a bulk send could not be made');
      return undefined;
    }
  }

  function tryAgain(key: string, entry: Entry): void {
    const newer = waiting.get(key);
    if (newer === undefined) waiting.set(key, entry);
    else {
      newer.waiters.push(...entry.waiters);
      if (entry.refused) newer.refused = entry.refused;
    }
  }

  /** Puts it back for later; false when Slack has refused it for too long. */
  function waitLonger(key: string, entry: Entry, retryAfterMs: number, refusal: string): boolean {
    const now = clock.monotonic();
    const { tries = 0, since = now } = entry.refused ?? {};
    if (isGivenUp(tries + 1, since, now)) {
      refusedPosts.add({ key }, refusal);
      return false;
    }
    const notBefore = now + waitAfterRefusal(tries + 1, retryAfterMs);
    logger.warn(
      { key, refusal, tries: tries + 1 },
      'Slack refuses a message of a bulk send; trying again later',
    );
    tryAgain(key, { ...entry, refused: { tries: tries + 1, since, notBefore } });
    return true;
  }

  /** Or until something else is wished for. */
  function restUntilDue(): Promise<void> {
    const due = Math.min(...[...waiting.values()].map(({ refused }) => refused?.notBefore ?? 0));
    return clock.sleep(due - clock.monotonic(), AbortSignal.any([stopping, resting.signal]));
  }

  function nextDue(): readonly [string, Entry] | undefined {
    const now = clock.monotonic();
    for (const one of waiting) if ((one[1].refused?.notBefore ?? 0) <= now) return one;
    return undefined;
  }

  async function step(): Promise<void> {
    const waitMs = notBefore - clock.monotonic();
    if (waitMs > 0) await clock.sleep(waitMs, stopping);
    if (stopping.aborted) return;
    const next = nextDue();
    if (next === undefined) return restUntilDue();
    const [key, entry] = next;
    waiting.delete(key);
    const result = await deliver(key, entry);
    const refusal = result?.state === 'later' ? result.refusal : undefined;
    const mustPause = result?.state === 'later' && refusal === undefined;
    const pauseMs = mustPause ? Math.max(result.retryAfterMs, INTERVAL_MS) : INTERVAL_MS;
    notBefore = clock.monotonic() + pauseMs;
    if (mustPause) return tryAgain(key, entry);
    if (result?.state === 'later' && refusal !== undefined)
      if (waitLonger(key, entry, result.retryAfterMs, refusal)) return;
    if (result?.state === 'refused')
      logger.error({ key, reason: result.reason }, 'Slack refused a message of a bulk send');
    for (const resolve of entry.waiters) resolve();
  }

  async function deliverLast(key: string, entry: Entry): Promise<void> {
    const waitMs = notBefore - clock.monotonic();
    if (waitMs > INTERVAL_MS) return;
    if (waitMs > 0) await clock.sleep(waitMs);
    await deliver(key, entry);
    notBefore = clock.monotonic() + INTERVAL_MS;
  }

  async function run(): Promise<void> {
    running = true;
    while (waiting.size > 0 && !stopping.aborted) await step();
    running = false;
    if (!stopping.aborted) return;
    for (const { waiters } of waiting.values()) for (const resolve of waiters) resolve();
    waiting.clear();
  }

  return {
    show: (key, deliver) => {
      if (stopping.aborted) return Promise.resolve();
      const shown = new Promise<void>((resolve) => {
        const entry = waiting.get(key);
        if (entry === undefined) waiting.set(key, { deliver, waiters: [resolve] });
        else {
          entry.deliver = deliver;
          entry.waiters.push(resolve);
        }
      });
      resting.abort();
      resting = new AbortController();
      if (!running) calls = run();
      return shown;
    },
    showLast: (key, deliver) => {
      calls = calls.then(() => deliverLast(key, { deliver, waiters: [] }));
      return calls.then(() => undefined);
    },
  };
}
