import type { Channel } from '../../messages/kinds.ts';
import type { Notes } from '../../sends/notes.ts';
import type { ChannelState, SharedChannels, Sharing } from '../../sends/sharing.ts';
import { type Database, write } from '../sql.ts';

/** Whoever tries whether the service works again and says nothing for so long is not waited for. */
const PROBE_MS = 60_000;

const ALIVE = (holder: string) =>
  `EXISTS (SELECT FROM replicas WHERE replicas.id = ${holder} AND lease_until > clock_timestamp())`;
const ABLE = (holder: string) =>
  `EXISTS (SELECT FROM replicas WHERE replicas.id = ${holder} AND reaches_slack)`;

const GIVES_UP = `(NOT ${ALIVE('duties.holder')} OR (NOT ${ABLE('duties.holder')} AND ${ABLE(':holder')}))`;
const TAKE_LEAD = `INSERT INTO duties (name, holder) VALUES (:task, :holder)
   ON CONFLICT (name) DO UPDATE SET holder = excluded.holder WHERE ${GIVES_UP}`;
const CAN_ANNOUNCE =
  'UPDATE replicas SET reaches_slack = :able WHERE id = :holder AND reaches_slack IS DISTINCT FROM :able';
const LEADER = `SELECT holder = :holder AS mine, ${GIVES_UP} AS free FROM duties WHERE name = :task`;

const MS_TO = (at: string) => `greatest(0, ceil(extract(epoch FROM ${at} - clock_timestamp()) * 1000))::int`;
const READ = `SELECT name, holds AS "slowDowns", ${MS_TO('held_until')} AS "pausedMs", broken AS "isBroken",
  ${MS_TO('probe_at')} AS "probeInMs" FROM channels`;
const HOLD = `INSERT INTO channels (name, holds, held_until) VALUES (:channel, 1, clock_timestamp() + :ms * interval '1 millisecond')
   ON CONFLICT (name) DO UPDATE SET holds = channels.holds + 1, held_until = greatest(channels.held_until, excluded.held_until)
   RETURNING holds`;
const BROKE = `INSERT INTO channels (name, broken, probe_at) VALUES (:channel, true, clock_timestamp() + :ms * interval '1 millisecond')
   ON CONFLICT (name) DO UPDATE SET broken = true, probe_at = excluded.probe_at, prober = NULL`;
const MENDED = 'UPDATE channels SET broken = false, prober = NULL WHERE name = :channel AND broken';
const TAKE_PROBE = `UPDATE channels SET prober = :holder, probed_at = clock_timestamp()
   WHERE name = :channel AND broken AND probe_at <= clock_timestamp() AND (prober IS NULL OR prober = :holder
     OR probed_at < clock_timestamp() - :probeMs * interval '1 millisecond' OR NOT ${ALIVE('channels.prober')})`;
const GIVE_PROBE_BACK = 'UPDATE channels SET prober = NULL WHERE name = :channel AND prober = :holder';

/** @param replica the id under which this process holds its lease; undefined while it has none */
export function createSharing(database: Database, replica: () => string | undefined): Sharing {
  return {
    isLeader: async (task) => {
      const holder = replica();
      if (holder === undefined) return false;
      // Asked first, because at rest nothing changes: many replicas would lock the same row every second.
      const [leader] = await database.run<{ mine: boolean; free: boolean }>(LEADER, { task, holder });
      if (leader !== undefined && !leader.free) return leader.mine;
      return (await database.change(TAKE_LEAD, { task, holder })) === 1;
    },
    canAnnounce: (able) => write(database, CAN_ANNOUNCE, { holder: replica(), able }),
    channels: sharedChannels(database, replica),
  };
}

type Shared = Omit<ChannelState, 'broken'> & { name: Channel; isBroken: boolean; probeInMs: number };

function sharedChannels(database: Database, replica: () => string | undefined): SharedChannels {
  return {
    read: async () => {
      const rows = await database.run<Shared>(READ);
      return new Map(
        rows.map(({ name, isBroken, probeInMs, ...state }) => [
          name,
          { ...state, ...(isBroken && { broken: { probeInMs } }) },
        ]),
      );
    },
    slowDown: async (channel, pauseMs) =>
      (await database.run<{ holds: number }>(HOLD, { channel, ms: Math.ceil(pauseMs) }))[0]?.holds ?? 0,
    broke: (channel, probeInMs) => write(database, BROKE, { channel, ms: Math.ceil(probeInMs) }),
    mended: (channel) => write(database, MENDED, { channel }),
    takeProbe: async (channel) =>
      replica() !== undefined &&
      (await database.change(TAKE_PROBE, { channel, holder: replica(), probeMs: PROBE_MS })) === 1,
    giveProbeBack: (channel) => write(database, GIVE_PROBE_BACK, { channel, holder: replica() }),
  };
}

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
  async function put(statement: string, values: object): Promise<number> {
    const changed = await database.change(statement, values);
    writes += 1;
    if (writes % FORGET_EVERY === 0) await database.change(FORGET);
    return changed;
  }

  return {
    find: async (key) => {
      const [note] = await database.run<{ value: string | null }>(FIND, { key });
      return typeof note?.value === 'string' ? (JSON.parse(note.value) as unknown) : undefined;
    },
    put: async (key, value, keepMs) => {
      await put(PUT, { key, value: JSON.stringify(value), keepMs });
    },
    claim: async (key, keepMs) => (await put(CLAIM, { key, keepMs })) === 1,
  };
}
