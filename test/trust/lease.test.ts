import { expect, test } from 'vitest';
import { describeWithPostgres, preparedDatabase } from '../postgres/database.ts';
import { saidOf, sample } from './how-many.ts';
import { nameSeed, SEED } from './late-answers.ts';
import { PHASES } from './lease-replica.ts';
import { TROUBLES } from './lease-troubles.ts';
import { createLeaseWorld } from './lease-world.ts';

const ALL = TROUBLES.flatMap((trouble) => PHASES.map((phase) => ({ trouble, phase })));
/** What goes wrong at every step need not be seen at every step: it takes long. */
const MOST_WRONG = 10;

await describeWithPostgres('a replica', () => {
  nameSeed();
  test.for([
    // Each trouble at some steps, and each step in some troubles.
    { name: '', one: 7, lateBy: undefined },
    { name: ', and the database’s answers late', one: 61, lateBy: SEED },
  ])(
    'leases: clocks are set, machines stand still, heartbeats come late or never, at each step of a send$name',
    async ({ one, lateBy }, { task }) => {
      const world = await createLeaseWorld(await preparedDatabase(), lateBy);
      const ways = sample(ALL, one);
      const wrong: string[] = [];
      for (const { trouble, phase } of ways) {
        if (wrong.length >= MOST_WRONG) break;
        wrong.push(...(await world.live(phase, trouble)));
      }
      await world.close();
      expect(wrong).toEqual([]);
      const taken = ways.filter(({ trouble }) => trouble.isTaken).length;
      task.meta.figure = `${ways.length} ways${saidOf(ALL)}, ${taken} times taken over; nobody twice, nobody lost, nothing settled again`;
    },
  );
});
