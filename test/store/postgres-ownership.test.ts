import { expect, it } from 'vitest';
import { INTERRUPTED } from '../../src/sends/recovery.ts';
import { ownershipMethods } from '../../src/store/postgres/ownership-methods.ts';
import type { Database, Runner } from '../../src/store/sql.ts';
import { UNOBSERVED } from '../../src/store/stores.ts';
import { createManualClock } from '../fakes/clock.ts';

const STOOD_STILL_MS = 8_000;

it('dates what it takes over to when it was found, not to when it asked before it stood still', async () => {
  const clock = createManualClock();
  const asked = clock.now();
  const written: unknown[] = [];
  const runner = {
    run: (statement: string, values: object) => {
      if ('at' in values) written.push(values.at);
      return Promise.resolve(statement.startsWith('DELETE FROM replicas') ? [{ id: 'dead' }] : []);
    },
    change: () => Promise.resolve(0),
  } as unknown as Runner;
  const database = {
    ...runner,
    transaction: async (work: (runner: Runner) => Promise<unknown>) => {
      await clock.leap(STOOD_STILL_MS);
      return work(runner);
    },
  } as unknown as Database;
  const { recoverInterrupted } = ownershipMethods(database, () => 'me', { observer: UNOBSERVED, clock });

  await recoverInterrupted(INTERRUPTED, asked);

  expect(written).toEqual([asked + STOOD_STILL_MS]);
});
