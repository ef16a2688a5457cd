import type { Notes } from '../../sends/notes.ts';
import type { Database } from '../sql.ts';

const UNTIL = `clock_timestamp() + :keepMs * interval '1 millisecond'`;

const FIND = 'SELECT value FROM notes WHERE key = :key AND forget_at > clock_timestamp()';
const PUT = `INSERT INTO notes (key, value, forget_at) VALUES (:key, :value, ${UNTIL})
   ON CONFLICT (key) DO UPDATE SET value = excluded.value, forget_at = excluded.forget_at`;
const CLAIM = `INSERT INTO notes (key, forget_at) VALUES (:key, ${UNTIL})
   ON CONFLICT (key) DO UPDATE SET forget_at = excluded.forget_at WHERE notes.forget_at <= clock_timestamp()`;
/** A few at each write: as many go as come, and nobody has to sweep. */
const FORGET = `DELETE FROM notes WHERE key = ANY (ARRAY(
     SELECT key FROM notes WHERE forget_at < clock_timestamp() ORDER BY forget_at LIMIT 10 FOR UPDATE SKIP LOCKED))`;
/** One write in so many forgets. */
const FORGET_EVERY = 5;

/** The `Notes` of several replicas, on the database that they share. */
export function createPostgresNotes(database: Database): Notes {
  let writes = 0;

  async function forgetSome(): Promise<void> {
    writes += 1;
    if (writes % FORGET_EVERY === 0) await database.change(FORGET);
  }

  return {
    find: async (key) => {
      const [note] = await database.run<{ value: string | null }>(FIND, { key });
      return typeof note?.value === 'string' ? (JSON.parse(note.value) as unknown) : undefined;
    },
    put: async (key, value, keepMs) => {
      await database.change(PUT, { key, value: JSON.stringify(value), keepMs });
      await forgetSome();
    },
    claim: async (key, keepMs) => {
      const first = (await database.change(CLAIM, { key, keepMs })) === 1;
      await forgetSome();
      return first;
    },
  };
}
