import type { Channel } from '../../messages/kinds.ts';
import type { ChannelState, SharedChannels, Sharing } from '../../sends/sharing.ts';
import { type Database, statement } from './database.ts';

/** Whoever tries whether the service works again and says nothing for so long is not waited for. */
const PROBE_MS = 60_000;

const ALIVE = (holder: string) =>
  `EXISTS (SELECT FROM replicas WHERE replicas.id = ${holder} AND lease_until > clock_timestamp())`;
const ABLE = (holder: string) => `EXISTS (SELECT FROM replicas WHERE replicas.id = ${holder} AND can_tell)`;

const takeLead = statement(
  'take_duty',
  `INSERT INTO duties (name, holder) VALUES ($1, $2)
   ON CONFLICT (name) DO UPDATE SET holder = excluded.holder
     WHERE NOT ${ALIVE('duties.holder')} OR (NOT ${ABLE('duties.holder')} AND ${ABLE('excluded.holder')})`,
);
const canAnnounce = statement(
  'can_tell',
  'UPDATE replicas SET can_tell = $2 WHERE id = $1 AND can_tell IS DISTINCT FROM $2',
);
const isLeader = statement('has_duty', `SELECT name FROM duties WHERE name = $1 AND holder = $2`);

const read = statement(
  'read_channels',
  `SELECT name, holds, broken, ${['held_until', 'probe_at']
    .map((at) => `greatest(0, ceil(extract(epoch FROM ${at} - clock_timestamp()) * 1000))::int AS ${at}`)
    .join(', ')} FROM channels`,
);
const hold = statement(
  'hold_channel',
  `INSERT INTO channels (name, holds, held_until) VALUES ($1, 1, clock_timestamp() + $2 * interval '1 millisecond')
   ON CONFLICT (name) DO UPDATE SET holds = channels.holds + 1, held_until = greatest(channels.held_until, excluded.held_until)
   RETURNING holds`,
);
const broke = statement(
  'channel_broke',
  `INSERT INTO channels (name, broken, probe_at) VALUES ($1, true, clock_timestamp() + $2 * interval '1 millisecond')
   ON CONFLICT (name) DO UPDATE SET broken = true, probe_at = excluded.probe_at, prober = NULL`,
);
const mended = statement(
  'channel_mended',
  'UPDATE channels SET broken = false, prober = NULL WHERE name = $1 AND broken',
);
const takeProbe = statement(
  'take_probe',
  `UPDATE channels SET prober = $2, probed_at = clock_timestamp()
   WHERE name = $1 AND broken AND probe_at <= clock_timestamp() AND (prober IS NULL OR prober = $2
     OR probed_at < clock_timestamp() - $3 * interval '1 millisecond' OR NOT ${ALIVE('channels.prober')})
   RETURNING name`,
);
const giveProbeBack = statement(
  'give_probe_back',
  'UPDATE channels SET prober = NULL WHERE name = $1 AND prober = $2',
);

/** @param replica the id under which this process holds its lease; undefined while it has none */
export function createSharing(database: Database, replica: () => string | undefined): Sharing {
  return {
    isLeader: async (task) => {
      const holder = replica();
      if (holder === undefined) return false;
      await database.run(takeLead, [task, holder]);
      return (await database.run(isLeader, [task, holder])).length === 1;
    },
    canAnnounce: async (able) => {
      await database.run(canAnnounce, [replica() ?? null, able]);
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
  const me = () => replica() ?? null;
  return {
    read: async () => {
      const rows = await database.run<ChannelColumns>(read, []);
      return new Map(rows.map((row): [Channel, ChannelState] => [row.name, stateFrom(row)]));
    },
    slowDown: async (channel, pauseMs) =>
      (await database.run<{ holds: number }>(hold, [channel, Math.ceil(pauseMs)]))[0]?.holds ?? 0,
    broke: async (channel, probeInMs) => {
      await database.run(broke, [channel, Math.ceil(probeInMs)]);
    },
    mended: async (channel) => {
      await database.run(mended, [channel]);
    },
    takeProbe: async (channel) =>
      replica() !== undefined && (await database.run(takeProbe, [channel, me(), PROBE_MS])).length === 1,
    giveProbeBack: async (channel) => {
      await database.run(giveProbeBack, [channel, me()]);
    },
  };
}

function stateFrom({ holds, held_until, broken, probe_at }: ChannelColumns): ChannelState {
  return { slowDowns: holds, pausedMs: held_until, ...(broken && { broken: { probeInMs: probe_at } }) };
}
