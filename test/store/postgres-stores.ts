import { afterEach } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import { UNOBSERVED } from '../../src/store/observer.ts';
import { openPostgresStores } from '../../src/store/postgres/stores.ts';
import type { Stores } from '../../src/store/stores.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

/* Stores on PostgreSQL, as tests of them open them. */

export const surroundings = () => ({
  observer: UNOBSERVED,
  clock: systemClock,
  random: systemRandom,
  logger: createRecordingLogger(),
});

export async function opened(url: string): Promise<Stores> {
  const stores = await openPostgresStores(url, surroundings());
  if (!stores.ok) throw new Error(stores.error);
  return stores.value;
}

/** Opens stores that are closed after each test, as those are that a test puts into `toClose`. */
export function closing() {
  const toClose: Stores[] = [];
  afterEach(async () => {
    for (const { sends } of toClose.splice(0)) await sends.close();
  });
  const stores = async (url: string): Promise<Stores> => {
    const joined = await opened(url);
    toClose.push(joined);
    return joined;
  };
  return { toClose, stores };
}
