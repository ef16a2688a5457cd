import type { Notes } from '../../sends/notes.ts';
import { type Database, statement } from './database.ts';

const UNTIL = (ms: string) => `clock_timestamp() + ${ms} * interval '1 millisecond'`;

const find = statement(
  'find_note',
  'SELECT value FROM notes WHERE key = $1 AND forget_at > clock_timestamp()',
);
const put = statement(
  'put_note',
  `INSERT INTO notes (key, value, forget_at) VALUES ($1, $2, ${UNTIL('$3')})
   ON CONFLICT (key) DO UPDATE SET value = excluded.value, forget_at = excluded.forget_at`,
);
const claim = statement(
  'claim_note',
  `INSERT INTO notes (key, forget_at) VALUES ($1, ${UNTIL('$2')})
   ON CONFLICT (key) DO UPDATE SET forget_at = excluded.forget_at WHERE notes.forget_at <= clock_timestamp()
   RETURNING key`,
);
/** A few at each write: as many go as come, and nobody has to sweep. */
const forget = statement(
  'forget_notes',
  `DELETE FROM notes WHERE key = ANY (ARRAY(
     SELECT key FROM notes WHERE forget_at < clock_timestamp() ORDER BY forget_at LIMIT 10 FOR UPDATE SKIP LOCKED))`,
);
/** One write in so many forgets. */
const FORGET_EVERY = 5;

/** The `Notes` of several replicas, on the database that they share. */
export function createPostgresNotes(database: Database): Notes {
  let writes = 0;

  async function forgetSome(): Promise<void> {
    writes += 1;
    if (writes % FORGET_EVERY === 0) await database.run(forget, []);
  }

  return {
    find: async (key) => {
      const [note] = await database.run<{ value: string | null }>(find, [key]);
      return typeof note?.value === 'string' ? (JSON.parse(note.value) as unknown) : undefined;
    },
    put: async (key, value, keepMs) => {
      await database.run(put, [key, JSON.stringify(value), keepMs]);
      await forgetSome();
    },
    claim: async (key, keepMs) => {
      const first = (await database.run(claim, [key, keepMs])).length === 1;
      await forgetSome();
      return first;
    },
  };
}
