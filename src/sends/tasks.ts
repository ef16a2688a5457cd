import { fullJitterDelayMs } from '../core/clock.ts';
import type { Surroundings } from '../core/surroundings.ts';
import { within } from '../core/within.ts';

/**
 * A look that is due at a time, at a send or, without a `sendId`, for lost tasks; done by any process that is alive then. It only
 * says when to look at the store, so it may come late or twice without harm.
 */
export interface Task {
  readonly sendId?: string;
}

/** Does a task. When it rejects, the task is retried with growing delays. */
export type Work = (task: Task) => Promise<void>;

export interface Tasks {
  /**
   * Has `task` done at `at`, or as soon after as a process is alive. Arming it again replaces the time. Resolves once
   * stored; rejects when it could not be.
   *
   * @param at milliseconds since the epoch
   */
  arm(task: Task, at: number): Promise<void>;
  /** From now on this process does due tasks. */
  start(work: Work): Promise<void>;
  /** Begins no more tasks, and waits at most `deadlineMs` for those in progress. */
  stop(deadlineMs: number): Promise<void>;
}

/** Equal for equal tasks: at most one task per key waits. */
export function taskKey({ sendId }: Task): string {
  return sendId === undefined ? 'look' : `look:${sendId}`;
}

/** No timer of Node's may be longer than 24 days; the machine's clock may be set meanwhile besides. */
const LONGEST_NAP_MS = 3_600_000;
/** A task that failed is tried again after a second, and then later and later, without end. */
const RETRY_BASE_MS = 2_000;
const RETRY_CAP_MS = 60_000;

/**
 * Tasks of a process that has its store to itself: timers in memory. What was armed is lost with the process, and
 * found again in the store by a look.
 */
export function createTimers({ clock, logger }: Surroundings): Tasks {
  const waiting = new Map<string, AbortController>();
  const running = new Set<Promise<void>>();
  const stopped = new AbortController();
  const started = Promise.withResolvers<Work>();

  async function wait(task: Task, at: number, replaced: AbortSignal): Promise<void> {
    const work = await started.promise;
    const disturbed = AbortSignal.any([replaced, stopped.signal]);
    // Whichever clock gets there first counts: one that is set back must not delay a look that was meant for in 30 s.
    const passedBy = clock.monotonic() + (at - clock.now());
    const left = () => Math.min(at - clock.now(), passedBy - clock.monotonic());
    // Whole milliseconds: a part of one would round to no time at all.
    while (left() > 0 && !disturbed.aborted)
      await clock.sleep(Math.min(Math.ceil(left()), LONGEST_NAP_MS), disturbed);
    if (disturbed.aborted) return;
    waiting.delete(taskKey(task));
    await work(task);
  }

  function arm(task: Task, at: number, failures = 0): void {
    const key = taskKey(task);
    waiting.get(key)?.abort();
    const mine = new AbortController();
    waiting.set(key, mine);
    const done = wait(task, at, mine.signal)
      .catch((error: unknown) => {
        logger.error({ task: key, error }, 'a task failed; it is done again later');
        // Armed anew while it ran: that one comes instead.
        if (waiting.has(key) || stopped.signal.aborted) return;
        arm(task, clock.now() + fullJitterDelayMs(failures, RETRY_BASE_MS, RETRY_CAP_MS, 1), failures + 1);
      })
      .finally(() => running.delete(done));
    running.add(done);
  }

  return {
    arm: async (task, at) => arm(task, at),
    start: async (work) => started.resolve(work),
    stop: async (deadlineMs) => {
      stopped.abort();
      started.resolve(async () => {});
      await within(Promise.all(running), deadlineMs, clock);
    },
  };
}
