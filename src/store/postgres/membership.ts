import { newId, type Random } from '../../core/random.ts';
import type { Surroundings } from '../../core/surroundings.ts';
import type { LeaseEpoch } from '../../sends/sharing.ts';
import type { Database } from '../sql.ts';

/**
 * A replica may be silent for its lease before others take over what it had claimed, speaks at each heartbeat, and stops
 * starting requests so long before its lease could end as the margin says.
 */
export const LEASE_TIMES = { leaseMs: 6_000, heartbeatMs: 1_500, marginMs: 2_000 };
export type LeaseTimes = Readonly<typeof LEASE_TIMES>;

/** Heartbeats without a word after which a replica has missed one. */
const MISSED = 1.5;

/** Milliseconds since the epoch, by the database's clock, to the microsecond. */
export const MOMENT = 'extract(epoch FROM clock_timestamp())::float8 * 1000';

// A lease ends a fixed time after the heartbeat that renewed it, so it shows when its holder last heard how many share
// the pace. Who missed a heartbeat is likely dead, is counted all the same, and is not waited for.
const ABOUT_OTHERS = `${MOMENT} AS moment,
  (SELECT jsonb_build_object('count', count(*), 'before', count(*) FILTER (WHERE id < :id),
     'heard', min(extract(epoch FROM lease_until)::float8 * 1000 - :leaseMs)
       FILTER (WHERE lease_until > clock_timestamp() + (:leaseMs - :missedMs) * interval '1 millisecond'))
   FROM replicas WHERE lease_until > clock_timestamp() AND id <> :id) AS others`;

const JOIN = `INSERT INTO replicas (id, lease_until) VALUES (:id, clock_timestamp() + :leaseMs * interval '1 millisecond')
   RETURNING ${ABOUT_OTHERS}`;
const HEARTBEAT = `UPDATE replicas SET lease_until = clock_timestamp() + :leaseMs * interval '1 millisecond' WHERE id = :id
   RETURNING ${ABOUT_OTHERS}`;
const LEAVE = `UPDATE replicas SET lease_until = '-infinity' WHERE id = :id`;

interface Heard {
  readonly moment: number;
  readonly others: { readonly count: number; readonly before: number; readonly heard: number | null };
}

/** The same moment by two clocks: one stands still while a virtual machine is suspended, the other may be set. */
interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

export interface ReplicaSurroundings extends Surroundings {
  readonly random: Random;
  readonly times?: LeaseTimes;
}

/**
 * Joins the replicas and keeps the lease until `end`. The lease's end is the database's business; here only a
 * deadline counts that is certainly earlier, because it is reckoned from before the question was asked. A place that
 * was taken over never comes back: this process joins again under another id, and what it had claimed before stays lost.
 */
export async function joinReplicas(given: ReplicaSurroundings & { readonly database: Database }) {
  const { database, clock, random, logger, times = LEASE_TIMES } = given;
  const ended = new AbortController();
  const { leaseMs } = times;
  const missedMs = times.heartbeatMs * MISSED;
  const now = (): Moment => ({ monotonic: clock.monotonic(), wall: clock.now() });
  let renewedAt = clock.monotonic();
  let others: Heard['others'] = { count: 0, before: 0, heard: null };
  let place: Place | undefined = await enter();

  async function enter(): Promise<Place> {
    const entered = createPlace(newId('R', random), now, times);
    const asked = now();
    const [joined] = await database.run<Heard>(JOIN, { id: entered.id, leaseMs, missedMs });
    if (joined === undefined) throw new Error('A replica joined, and the database does not say among whom.');
    heard(entered, asked, joined);
    return entered;
  }

  function heard(by: Place, asked: Moment, said: Heard): void {
    others = said.others;
    renewedAt = asked.monotonic;
    by.renewed(asked, said);
  }

  async function beat(): Promise<void> {
    if (place !== undefined) {
      const asked = now();
      const [kept] = await database.run<Heard>(HEARTBEAT, { id: place.id, leaseMs, missedMs });
      if (kept !== undefined) return heard(place, asked, kept);
      logger.warn(
        { replica: place.id },
        'other replicas took over what this one had claimed, because it was silent',
      );
      place.lose();
      place = undefined;
    }
    place = await enter();
  }

  async function keepBeating(): Promise<void> {
    for (;;) {
      await clock.sleep(times.heartbeatMs, ended.signal);
      if (ended.signal.aborted) return;
      await beat().catch((error: unknown) => logger.error({ error }, 'the lease could not be renewed'));
    }
  }

  const beating = keepBeating();
  return {
    exclusive: false,
    /** The id under which this process claims now; undefined once it was taken over and has not come back yet. */
    id: () => place?.id,
    epoch: (): LeaseEpoch => place ?? LOST,
    replicas: () => others.count + 1,
    rank: () => others.before,
    leaseAgeMs: () => clock.monotonic() - renewedAt,
    /** Gives the place up: whatever is still claimed may be taken over at once. */
    end: async () => {
      ended.abort();
      await beating;
      const last = place;
      place?.lose();
      place = undefined;
      if (last !== undefined) await database.change(LEAVE, { id: last.id });
    },
  };
}

const LOST: LeaseEpoch = { isValid: () => false };

type Place = ReturnType<typeof createPlace>;

function createPlace(id: string, now: () => Moment, { leaseMs, marginMs }: LeaseTimes) {
  let renewedAt: Moment = { monotonic: Number.NEGATIVE_INFINITY, wall: 0 };
  let lost = false;
  let joinedAt: number | undefined;
  /** Everybody else has counted this one in: until then they take its share of the pace. */
  let welcome = false;
  return {
    id,
    isValid: (): boolean => {
      const { monotonic, wall } = now();
      const sinceMs = monotonic - renewedAt.monotonic;
      // If they disagree, one was set or the other stood still: then neither says how long ago it was.
      const apartMs = Math.abs(wall - renewedAt.wall - sinceMs);
      return !lost && welcome && sinceMs < leaseMs - marginMs && apartMs < marginMs / 2;
    },
    /** The lease was renewed by a question that was asked at this moment, and answered with this of the others. */
    renewed: (asked: Moment, { moment, others }: Heard): void => {
      joinedAt ??= moment;
      welcome ||= others.heard === null || others.heard >= joinedAt;
      renewedAt = asked;
    },
    lose: (): void => {
      lost = true;
    },
  };
}
