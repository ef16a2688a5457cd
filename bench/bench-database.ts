import { systemClock } from '../src/core/clock.ts';
import { systemRandom } from '../src/core/random.ts';
import { openPostgresStores } from '../src/store/postgres/stores.ts';
import type { Stores } from '../src/store/stores.ts';
import { UNOBSERVED } from '../src/store/stores.ts';
import { createBenchLogger } from './bench-send.ts';

/** Joins the replicas that share the database at `url`, as Herald does. */
export async function openBenchDatabase(url: string): Promise<Stores> {
  const stores = await openPostgresStores(url, {
    observer: UNOBSERVED,
    clock: systemClock,
    random: systemRandom,
    logger: createBenchLogger(),
  });
  if (!stores.ok) throw new Error(stores.error);
  return stores.value;
}
