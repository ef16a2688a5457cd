import { Client } from 'pg';
import { describeWithPostgres } from '../postgres/database.ts';
import { attackCalls, type Home, SOME } from './crash-life.ts';
import { onPostgres } from './databases.ts';
import { isFull } from './how-many.ts';
import { nameSeed, SEED } from './late-answers.ts';

/** In every table: from now on the server can be told that its disk is full. */
const LIMIT_DISK = `CREATE SEQUENCE full_since;
  CREATE FUNCTION find_no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT is_called FROM full_since) THEN
      RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
    END IF; RETURN NULL; END $$;
  DO $$ DECLARE name TEXT; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'schema%' LOOP
      EXECUTE format('CREATE TRIGGER on_full_disk BEFORE INSERT OR UPDATE OR DELETE ON %I
        FOR EACH STATEMENT EXECUTE FUNCTION find_no_room()', name);
    END LOOP; END $$`;

/** A PostgreSQL database whose server refuses what is written while it is to find no room on its disk. */
async function postgres(): Promise<Home> {
  const database = await onPostgres(1, isFull ? SEED : undefined);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(LIMIT_DISK);
  let underway = 0;
  // Calls that fail may be under way at once, and a client is asked one thing after the other.
  let told: Promise<unknown> = Promise.resolve();
  const be = (full: boolean) => {
    told = told.then(() => client.query(`SELECT setval('full_since', 1, ${full})`));
    return told;
  };
  return {
    ...database,
    onFullDisk: async (work) => {
      underway += 1;
      await be(true);
      return work().finally(async () => {
        underway -= 1;
        if (underway === 0) await be(false);
      });
    },
    close: async () => {
      await client.end();
      await database.close();
    },
  };
}

await describeWithPostgres('each call', () => {
  nameSeed();
  attackCalls(postgres, SOME.postgres);
});
