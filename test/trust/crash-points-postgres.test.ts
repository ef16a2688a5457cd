import { describeWithPostgres } from '../postgres/database.ts';
import { attackCalls, type Home, SOME } from './crash-life.ts';
import { createCopies } from './databases.ts';
import { fullDisk, limitDisk } from './full-disk.ts';
import { isFull } from './how-many.ts';
import { nameSeed, SEED } from './late-answers.ts';

const copy = createCopies(limitDisk);

async function postgres(): Promise<Home> {
  const database = await copy(1, isFull ? SEED : undefined);
  const disk = await fullDisk(database.url);
  return {
    ...database,
    disk,
    close: async () => {
      await disk.close();
      await database.close();
    },
  };
}

await describeWithPostgres('each call', () => {
  nameSeed();
  attackCalls(postgres, SOME.postgres);
});
