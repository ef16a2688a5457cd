import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

/** What nearly everything works with. */
export interface Surroundings {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The same, of what goes on until Herald stops. */
export interface StoppableSurroundings extends Surroundings {
  /** Aborts when Herald is stopping. */
  readonly stopping: AbortSignal;
}
