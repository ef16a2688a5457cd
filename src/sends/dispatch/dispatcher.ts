import type { Logger } from '../../core/logger.ts';
import { type Channel, KINDS, type Message } from '../../messages/kinds.ts';
import { isSameForAll } from '../../messages/personalise.ts';
import type { Send } from '../send.ts';
import { createBreaker } from './breaker.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import { createRetryBudget } from './retries.ts';
import type { DispatchContext, DispatcherDependencies, Lane } from './run.ts';
import { createRun } from './run.ts';
import { runSend } from './run-send.ts';
import { createSettling } from './settling.ts';
import { createSharedLanes } from './shared-lanes.ts';

export interface Dispatcher {
  /**
   * Sends what is pending of a send in state `sending`. Resolves when nothing is left to do here: the send is done, paused
   * or stopped, or Herald is stopping. `attempting` is on disk before each request starts, and every outcome before this
   * resolves.
   *
   * @param how `message`: with its one-time password, by default the stored message; `progressed`: called whenever an
   * outcome was written, or the run has ended the send
   */
  run(send: Send, how: { readonly message?: Message; readonly progressed?: () => void }): Promise<void>;
  /** How each channel stands in this process. */
  channels(): readonly ChannelStanding[];
}

interface ChannelStanding {
  readonly channel: Channel;
  /** Since when its breaker has been open; undefined while it is closed. */
  readonly openSince: number | undefined;
  /** How long it still pauses because the service asked for that. */
  readonly pausedMs: number;
}

export function createDispatcher(dependencies: DispatcherDependencies): Dispatcher {
  const { pacing, lease, channels, clock, random, logger } = dependencies;
  const shared = channels && createSharedLanes({ ...dependencies, channels });
  const lanes = Object.fromEntries(
    Object.entries(pacing).map(([name, pace]) => {
      const channel = name as Channel;
      const limiter = told(createLimiter(pace, clock, lease), channel, logger);
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
  const context: DispatchContext = {
    ...dependencies,
    settling: createSettling(dependencies),
    retryBudget: createRetryBudget(),
  };
  return {
    run: (send, { message = send.message, progressed = () => {} }) => {
      const lane = lanes[KINDS[send.kind].channel];
      // Personalised messages cannot share a request.
      const together = isSameForAll(message) ? lane.recipientsPerRequest : 1;
      const own = { ...lane, recipientsPerRequest: together };
      const run = () => runSend(createRun(context, own, send, message, progressed));
      return shared === undefined ? run() : shared.during(run);
    },
    channels: () =>
      Object.entries(lanes).map(([channel, { breaker, limiter }]) => ({
        channel: channel as Channel,
        openSince: breaker.openSince(),
        pausedMs: limiter.pausedMs(),
      })),
  };
}

/** Of many requests that are answered "not now" at once, the first is logged. */
function told(limiter: Limiter, channel: Channel, logger: Logger): Limiter {
  return {
    ...limiter,
    slowDown: (pauseMs) => {
      if (limiter.pausedMs() === 0)
        logger.warn(
          { channel, pauseMs },
          'the service asked to slow down: the channel pauses, then halves its rate',
        );
      limiter.slowDown(pauseMs);
    },
  };
}
