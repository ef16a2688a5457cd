import { type Channel, KINDS, type Message } from '../../messages/kinds.ts';
import { isSameForAll } from '../../messages/personalise.ts';
import type { Send } from '../send.ts';
import { createBreaker } from './breaker.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import { createContext, createRun, type DispatcherDependencies, type Lane } from './run.ts';
import { runSend } from './run-send.ts';
import { createSharedLanes } from './shared-lanes.ts';

export type Dispatcher = ReturnType<typeof createDispatcher>;

export function createDispatcher(dependencies: DispatcherDependencies) {
  const { pacing, lease, channels, clock, random, logger } = dependencies;
  const shared = channels && createSharedLanes({ ...dependencies, channels });
  const lanes = Object.fromEntries(
    Object.entries(pacing).map(([name, pace]) => {
      const channel = name as Channel;
      const limiter = logged(createLimiter(pace, clock, lease), channel, dependencies);
      const breaker = createBreaker(clock, random, shared?.peersOf(channel), (isOpen) =>
        isOpen
          ? logger.warn({ channel }, 'the breaker opened: the service fails, and the channel waits for it')
          : logger.info({ channel }, 'the breaker closed: the service works again'),
      );
      const lane: Lane = {
        limiter: shared?.share(channel, { limiter, breaker }) ?? limiter,
        breaker,
        recipientsPerRequest: pace.recipientsPerRequest ?? 1,
      };
      return [channel, lane];
    }),
  ) as Record<Channel, Lane>;
  const context = createContext(dependencies);
  return {
    /**
     * Sends what is pending of a send in state `sending`. Resolves when nothing is left to do here: the send is done, paused
     * or stopped, or Herald is stopping. `attempting` is on disk before each request starts, and every outcome before this
     * resolves.
     *
     * @param message with its one-time password
     */
    run: (send: Send, message: Message = send.message): Promise<void> => {
      const lane = lanes[KINDS[send.kind].channel];
      // Personalised messages cannot share a request.
      const together = isSameForAll(message) ? lane.recipientsPerRequest : 1;
      const own = { ...lane, recipientsPerRequest: together };
      const run = () => runSend(createRun(context, own, send, message));
      return shared === undefined ? run() : shared.during(run);
    },
    /** How each channel stands in this process. */
    channels: () =>
      Object.entries(lanes).map(([channel, { breaker, limiter }]) => ({
        channel: channel as Channel,
        /** Since when its breaker has been open; undefined while it is closed. */
        openSince: breaker.openSince(),
        /** How long it still pauses because the service asked for that. */
        pausedMs: limiter.pausedMs(),
      })),
  };
}

/** A limiter that logs a slow-down, but not one during a pause: many requests may be answered "not now" at once. */
function logged(limiter: Limiter, channel: Channel, { logger }: DispatcherDependencies): Limiter {
  const message = 'the service asked to slow down: the channel pauses, then halves its rate';
  return {
    ...limiter,
    slowDown: (pauseMs) => {
      if (limiter.pausedMs() === 0) logger.warn({ channel, pauseMs }, message);
      limiter.slowDown(pauseMs);
    },
  };
}
