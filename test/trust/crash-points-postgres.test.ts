import { describeWithPostgres, directly, freshDatabase } from '../postgres/database.ts';
import { attackCalls, type Home, SOME } from './crash-life.ts';
import { onPostgres } from './databases.ts';
import { fullDisk, limitDisk } from './full-disk.ts';
import { isFull } from './how-many.ts';
import { nameSeed, SEED } from './late-answers.ts';

/** Made once: a schema takes longer than a life. */
let prepared: Promise<string> | undefined;
let copies = 0;

async function prepare(): Promise<string> {
  const url = await freshDatabase();
  const database = await onPostgres(1, { url });
  const { died } = await database.open();
  await died();
  await database.close();
  await limitDisk(url);
  return url;
}

async function postgres(): Promise<Home> {
  prepared ??= prepare();
  const template = new URL(await prepared);
  const url = new URL(template);
  copies += 1;
  url.pathname = `${template.pathname}_${copies}`;
  const name = url.pathname.slice(1);
  const server = new URL(template);
  server.pathname = '/postgres';
  await directly(server.href, `CREATE DATABASE ${name} TEMPLATE ${template.pathname.slice(1)}`);
  const database = await onPostgres(1, { url: url.href, lateBy: isFull ? SEED : undefined });
  const disk = await fullDisk(url.href);
  return {
    ...database,
    disk,
    close: async () => {
      await disk.close();
      await database.close();
      await directly(server.href, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

await describeWithPostgres('each call', () => {
  nameSeed();
  attackCalls(postgres, SOME.postgres);
});
