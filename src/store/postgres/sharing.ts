import type { Channel } from '../../messages/kinds.ts';
import type { ChannelState, SharedChannels, Sharing } from '../../sends/sharing.ts';
import type { Database } from '../sql.ts';

/** Whoever tries whether the service works again and says nothing for so long is not waited for. */
const PROBE_MS = 60_000;

const ALIVE = (holder: string) =>
  `EXISTS (SELECT FROM replicas WHERE replicas.id = ${holder} AND lease_until > clock_timestamp())`;
const ABLE = (holder: string) => `EXISTS (SELECT FROM replicas WHERE replicas.id = ${holder} AND can_tell)`;

const GIVES_UP = `(NOT ${ALIVE('duties.holder')} OR (NOT ${ABLE('duties.holder')} AND ${ABLE(':holder')}))`;
const TAKE_LEAD = `INSERT INTO duties (name, holder) VALUES (:task, :holder)
   ON CONFLICT (name) DO UPDATE SET holder = excluded.holder WHERE ${GIVES_UP}`;
const CAN_ANNOUNCE =
  'UPDATE replicas SET can_tell = :able WHERE id = :holder AND can_tell IS DISTINCT FROM :able';
const LEADER = `SELECT holder = :holder AS mine, ${GIVES_UP} AS free FROM duties WHERE name = :task`;

const READ = `SELECT name, holds, broken, ${['held_until', 'probe_at']
  .map((at) => `greatest(0, ceil(extract(epoch FROM ${at} - clock_timestamp()) * 1000))::int AS ${at}`)
  .join(', ')} FROM channels`;
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
    canAnnounce: async (able) => {
      await database.change(CAN_ANNOUNCE, { holder: replica(), able });
    },
    channels: sharedChannels(database, replica),
  };
}

interface ChannelColumns {
  readonly name: Channel;
  readonly holds: number;
  readonly held_until: number;
  readonly broken: boolean;
  readonly probe_at: number;
}

function sharedChannels(database: Database, replica: () => string | undefined): SharedChannels {
  return {
    read: async () => {
      const rows = await database.run<ChannelColumns>(READ);
      return new Map(rows.map((row): [Channel, ChannelState] => [row.name, stateFrom(row)]));
    },
    slowDown: async (channel, pauseMs) =>
      (await database.run<{ holds: number }>(HOLD, { channel, ms: Math.ceil(pauseMs) }))[0]?.holds ?? 0,
    broke: async (channel, probeInMs) => {
      await database.change(BROKE, { channel, ms: Math.ceil(probeInMs) });
    },
    mended: async (channel) => {
      await database.change(MENDED, { channel });
    },
    takeProbe: async (channel) =>
      replica() !== undefined &&
      (await database.change(TAKE_PROBE, { channel, holder: replica(), probeMs: PROBE_MS })) === 1,
    giveProbeBack: async (channel) => {
      await database.change(GIVE_PROBE_BACK, { channel, holder: replica() });
    },
  };
}

function stateFrom({ holds, held_until, broken, probe_at }: ChannelColumns): ChannelState {
  return { slowDowns: holds, pausedMs: held_until, ...(broken && { broken: { probeInMs: probe_at } }) };
}
