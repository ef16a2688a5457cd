import { afterEach } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import { openPostgresStores } from '../../src/store/postgres/stores.ts';
import type { Stores } from '../../src/store/stores.ts';
import { UNOBSERVED } from '../../src/store/stores.ts';
import { createRecordingLogger } from '../fakes/logger.ts';

/* Stores on PostgreSQL, as tests of them open them. */

export const surroundings = () => ({
  observer: UNOBSERVED,
  clock: systemClock,
  random: systemRandom,
  logger: createRecordingLogger(),
});

type Surroundings = Parameters<typeof openPostgresStores>[1];

export async function opened(url: string, over: Partial<Surroundings> = {}): Promise<Stores> {
  const stores = await openPostgresStores(url, { ...surroundings(), ...over });
  if (!stores.ok) throw new Error(stores.error);
  return stores.value;
}

/** Opens stores that are closed after each test, as those are that a test puts into `toClose`. */
export function closing() {
  const toClose: Stores[] = [];
  afterEach(async () => {
    for (const { sends } of toClose.splice(0)) await sends.close();
  });
  const stores = async (url: string, over?: Partial<Surroundings>): Promise<Stores> => {
    const joined = await opened(url, over);
    toClose.push(joined);
    return joined;
  };
  return { toClose, stores };
}
