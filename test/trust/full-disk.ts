import { Client } from 'pg';
import { directly } from '../postgres/database.ts';

const TABLES = `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'schema%'`;

/** From now on the server can be told that its disk is full. @param url of a database that has all its tables */
export async function limitDisk(url: string): Promise<void> {
  const tables = await directly(url, TABLES);
  const triggers = tables.map(
    ({ tablename }) => `CREATE TRIGGER on_full_disk BEFORE INSERT OR UPDATE OR DELETE ON ${String(tablename)}
      FOR EACH STATEMENT EXECUTE FUNCTION find_no_room();`,
  );
  await directly(
    url,
    `CREATE SEQUENCE full_since;
    CREATE FUNCTION find_no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT is_called FROM full_since) THEN
        RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
      END IF; RETURN NULL; END $$;
    ${triggers.join('\n')}`,
  );
}

/** A PostgreSQL database whose server refuses what is written, as it does when it finds no room on its disk. */
export interface FullDisk {
  /** Full as long as `work` takes, and as long as anybody else’s does. */
  during<Value>(work: () => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

export async function fullDisk(url: string): Promise<FullDisk> {
  const client = new Client({ connectionString: url });
  await client.connect();
  let underway = 0;
  const be = (full: boolean) => client.query(`SELECT setval('full_since', 1, ${full})`);
  return {
    during: async (work) => {
      underway += 1;
      await be(true);
      try {
        return await work();
      } finally {
        underway -= 1;
        if (underway === 0) await be(false);
      }
    },
    close: () => client.end(),
  };
}
