import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { AnnounceResult } from '../../sends/ports.ts';
import { describeError } from '../connection/describe-error.ts';

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
   * Brings the message `key` up to date, when its turn comes. A newer wish for the same message takes the place of one
   * that still waits. Resolves once Slack has shown it, or refuses it for good, or Herald is stopping. Never rejects.
   */
  show(key: string, deliver: Deliver): Promise<void>;
  /**
   * Once Herald is stopping: brings the message up to date a last time, after whatever is on its way, unless Slack wants
   * to be left alone for longer. Never rejects.
   */
  showLast(key: string, deliver: Deliver): Promise<void>;
}

interface BoardDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

interface Entry {
  deliver: Deliver;
  readonly waiters: (() => void)[];
}

/**
 * One call at a time and no faster than Slack takes them, over all messages of bulk sends. Because calls do not
 * overlap and each reads the state itself, an older state never comes over a newer one. What Slack takes later is kept
 * and tried again; a 429 holds everything for as long as Slack says.
 */
export function createBoard({ clock, logger, stopping }: BoardDependencies): Board {
  const waiting = new Map<string, Entry>();
  let running = false;
  /** The calls that are on their way, one after the other. */
  let calls: Promise<unknown> = Promise.resolve();
  let notBefore = 0;

  async function deliver(key: string, entry: Entry): Promise<AnnounceResult | undefined> {
    try {
      return await entry.deliver();
    } catch (error) {
      logger.error({ key, error: describeError(error) }, 'a message of a bulk send could not be made');
      return { state: 'refused', reason: 'it could not be made' };
    }
  }

  function tryAgain(key: string, entry: Entry): void {
    const newer = waiting.get(key);
    if (newer === undefined) waiting.set(key, entry);
    else newer.waiters.push(...entry.waiters);
  }

  async function step(): Promise<void> {
    const waitMs = notBefore - clock.now();
    if (waitMs > 0) await clock.sleep(waitMs, stopping);
    const [next] = waiting;
    if (next === undefined || stopping.aborted) return;
    const [key, entry] = next;
    waiting.delete(key);
    const result = await deliver(key, entry);
    const pauseMs = result?.state === 'later' ? Math.max(result.retryAfterMs, INTERVAL_MS) : INTERVAL_MS;
    notBefore = clock.now() + pauseMs;
    if (result?.state === 'later') return tryAgain(key, entry);
    if (result?.state === 'refused') {
      logger.error({ key, reason: result.reason }, 'Slack refused a message of a bulk send');
    }
    for (const resolve of entry.waiters) resolve();
  }

  async function deliverLast(key: string, entry: Entry): Promise<void> {
    const waitMs = notBefore - clock.now();
    if (waitMs > INTERVAL_MS) return;
    if (waitMs > 0) await clock.sleep(waitMs);
    await deliver(key, entry);
    notBefore = clock.now() + INTERVAL_MS;
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
      if (!running) calls = run();
      return shown;
    },
    showLast: (key, deliver) => {
      calls = calls.then(() => deliverLast(key, { deliver, waiters: [] }));
      return calls.then(() => undefined);
    },
  };
}
