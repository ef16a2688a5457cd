import type { Configuration } from '../config/load.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Random } from '../core/random.ts';
import type { StoreTrouble } from '../sends/store-trouble.ts';
import type { Stores } from '../store/stores.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** What there is before any part of Herald is made. */
export interface Foundation {
  readonly configuration: Configuration;
  readonly stores: Stores;
  readonly storeTrouble: StoreTrouble;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborts when Herald is stopping. */
  readonly stopping: AbortSignal;
}
