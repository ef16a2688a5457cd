import type { Configuration } from '../config/load.ts';
import type { Random } from '../core/random.ts';
import type { StoppableSurroundings } from '../core/surroundings.ts';
import type { StoreTrouble } from '../sends/store-trouble.ts';
import type { Stores } from '../store/stores.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** These exist before any part of Herald is made. */
export interface Foundation extends StoppableSurroundings {
  readonly configuration: Configuration;
  readonly stores: Stores;
  readonly storeTrouble: StoreTrouble;
  readonly metrics: Metrics;
  readonly random: Random;
}
