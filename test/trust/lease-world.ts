import type { Recipient } from '../../src/messages/submission.ts';
import type { Outcome } from '../../src/sends/outcome.ts';
import type { RecipientRow, Send } from '../../src/sends/send.ts';
import { createDatabase } from '../../src/store/postgres/database.ts';
import { UNOBSERVED } from '../../src/store/stores.ts';
import { prepareSend } from '../chaos/plan.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { directly } from '../postgres/database.ts';
import { startLateWay } from './late-answers.ts';
import { createReplica, PER_REQUEST, type Phase, type Replica, TIMES } from './lease-replica.ts';
import type { Hands, Spent, Trouble } from './lease-troubles.ts';
import { untilStill } from './process.ts';

const RECIPIENTS = 4 * PER_REQUEST;
/** The first request with this row is answered "not now". */
const BUSY_ROW = PER_REQUEST;
/** Every request with this row is refused. */
const REFUSED_ROW = 2 * PER_REQUEST;

const STEP_MS = 20;
/** A heartbeat comes after so many steps, where nothing else passes the time. */
const STEPS_A_HEARTBEAT = 40;
const MOST_STEPS = 400;
const MOST_HEARTBEATS = 8;
/** Parts of the time between two heartbeats, after each of which all come to rest. */
const PARTS = 5;

/** The database’s own clock, in the place of PostgreSQL’s: so it can be set, and time can pass by it. */
const CLOCK = `CREATE SCHEMA test;
  CREATE TABLE test.ahead AS SELECT interval '1 minute' AS span;
  CREATE FUNCTION test.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql
    AS 'SELECT pg_catalog.clock_timestamp() + span FROM test.ahead'`;
const GO_BY_IT = (database: string) =>
  `ALTER DATABASE ${database} SET search_path = test, public, pg_catalog`;
const PASS = `UPDATE test.ahead SET span = span + :ms * interval '1 millisecond'`;
const ENTITLED = `SELECT count(*)::int AS count FROM recipients r JOIN replicas p ON p.id = r.claimed_by
   WHERE r.send_id = :sendId AND r.row IN (:rows...) AND r.state = 'attempting' AND p.lease_until > clock_timestamp()`;
const ALIVE = 'SELECT id FROM replicas WHERE id = :id';

const failure = { what: 'x', next: 'y', scope: 'recipient' as const };
const isSettled = ({ state }: RecipientRow) => state !== 'pending' && state !== 'attempting';

/** What the service and the database have seen of one send. */
interface Life {
  readonly sendId: string;
  readonly wrong: string[];
  /** What was asked for each row, but for what was answered "not now". */
  readonly asked: Map<number, string[]>;
  wasBusy: boolean;
  isHidden: boolean;
  /** As they stood when the replica that is attacked was found to be taken over. */
  takenOver: readonly RecipientRow[] | undefined;
}

/**
 * Two replicas on one database. The one that is attacked is held at a step of its work while something happens; the other
 * goes on, and looks for who is silent.
 *
 * @param lateBy the database’s answers are late, differently for each seed; undefined: they are not
 */
export async function createLeaseWorld(url: string, lateBy: number | undefined) {
  await directly(url, `${CLOCK}; ${GO_BY_IT(new URL(url).pathname.slice(1))}`);
  const observed = { observer: UNOBSERVED, clock: createManualClock() };
  const outside = createDatabase(url, createRecordingLogger(), observed, 1);
  let life: Life | undefined;
  let lives = 0;
  const way = await startLateWay(url, lateBy);
  const attacked = await createReplica('the attacked', way.url, service);
  const other = await createReplica('the other', way.url, service);
  const both = [attacked, other];

  /** Has the request from the moment it is asked. */
  async function service(replica: string, recipients: readonly Recipient[]): Promise<Outcome> {
    if (life === undefined) throw new Error('No send is under way.');
    const rows = recipients.map(({ number }) => Number(number.slice(-8)));
    const [entitled] = await outside.run<{ count: number }>(ENTITLED, { sendId: life.sendId, rows });
    if (entitled?.count !== rows.length && !life.isHidden)
      life.wrong.push(`${replica} asked for ${rows} without a lease`);
    if (rows.includes(BUSY_ROW) && !life.wasBusy) {
      life.wasBusy = true;
      return { state: 'not_sent', failure, retry: { kind: 'backoff' } };
    }
    for (const row of rows) life.asked.set(row, [...(life.asked.get(row) ?? []), replica]);
    return rows.includes(REFUSED_ROW) ? { state: 'rejected', failure } : { state: 'accepted', status: 200 };
  }

  const rest = () => untilStill(() => both.some((one) => one.isBusy()));

  async function advance(replicas: readonly Replica[], ms: number): Promise<void> {
    for (const { clock } of replicas) await clock.advance(ms);
    await rest();
  }

  const pass = (ms: number) => outside.change(PASS, { ms });

  let before: string | undefined;
  async function othersLook(): Promise<void> {
    await other.recover();
    if (life === undefined || life.takenOver !== undefined || before === undefined) return;
    if ((await outside.run(ALIVE, { id: before })).length > 0) return;
    life.takenOver = (await other.sends.recipients(life.sendId)).filter(isSettled);
  }

  /** Time until the next heartbeat, by the database's clock and by those of `going`. */
  async function heartbeat(going: readonly Replica[], ms: number = TIMES.heartbeatMs): Promise<void> {
    await pass(ms);
    for (let part = 0; part < PARTS; part += 1) for (const one of going) await advance([one], ms / PARTS);
  }

  const hands: Hands = {
    set: attacked.clock.set,
    setDatabase: async (byMs) => void (await pass(byMs)),
    passes: async (ms: number, spent: Spent, others = 'look') => {
      const going = spent === 'runs' ? [other, attacked] : [other];
      for (let left = ms; left > 0; left -= TIMES.heartbeatMs) {
        await heartbeat(going);
        if (others === 'look') await othersLook();
      }
      if (spent === 'is suspended') attacked.clock.set(ms);
      if (spent === 'is stopped') await attacked.clock.leap(ms);
      await rest();
    },

    look: othersLook,
    line: attacked.setLine,
    letGo: async () => {
      attacked.letGo();
      await rest();
    },
  };

  async function untilBothMayStart(): Promise<void> {
    for (let heartbeats = 0; heartbeats < MOST_HEARTBEATS; heartbeats += 1) {
      await heartbeat([other, attacked]);
      await othersLook();
      if (both.every((one) => one.epoch().isValid())) return;
    }
    throw new Error('A replica does not come back.');
  }

  async function toTheEnd(sendId: string): Promise<Send | undefined> {
    let send: Send | undefined;
    for (let step = 1; step < MOST_STEPS; step += 1) {
      await advance(both, STEP_MS);
      if (step % STEPS_A_HEARTBEAT === 0) {
        await heartbeat([other, attacked]);
        await attacked.recover();
        await othersLook();
      }
      send = await other.sends.find(sendId);
      if (send?.state === 'done' && !both.some((one) => one.isRunning())) return send;
      if (send?.state === 'sending') for (const one of both) if (!one.isRunning()) one.run(send);
    }
    return send;
  }

  return {
    /** @returns what is wrong */
    async live(phase: Phase, trouble: Trouble): Promise<readonly string[]> {
      before = undefined;
      await untilBothMayStart();
      lives += 1;
      const sendId = `S-${lives}`;
      const mine: Life = {
        ...{ sendId, wrong: [], asked: new Map(), wasBusy: false, takenOver: undefined },
        isHidden: trouble.isHidden === true,
      };
      life = mine;
      await prepareSend(other.sends, RECIPIENTS, sendId);
      await other.sends.markCanaryJudged(sendId);
      const send = (await other.sends.find(sendId)) as Send;
      attacked.holdAt(phase);
      attacked.run(send);
      for (let step = 0; step < MOST_STEPS && !attacked.isHeld(); step += 1)
        await advance([attacked], STEP_MS);
      if (!attacked.isHeld()) mine.wrong.push('it was never there');
      const epoch = attacked.epoch();
      before = attacked.id();
      other.run(send);
      for (const act of trouble.does) await act(hands);
      await hands.letGo();
      const end = await toTheEnd(sendId);
      await untilBothMayStart();
      if (end?.state !== 'done') mine.wrong.push(`it ends ${end?.state}`);
      if ((attacked.id() !== before) !== trouble.isTaken)
        mine.wrong.push(`it was ${trouble.isTaken ? 'not ' : ''}taken over`);
      if (trouble.isTaken && epoch.isValid()) mine.wrong.push('what was taken over may start again');
      mine.wrong.push(...(await judged(mine, trouble)), ...both.flatMap(({ errors }) => errors.map(String)));
      life = undefined;
      return mine.wrong.map((one) => `${phase}, ${trouble.name}: ${one}`);
    },
    async close() {
      for (const one of both) await one.close();
      await outside.close();
      way.close();
    },
  };

  async function judged({ sendId, asked, takenOver = [] }: Life, { isTaken }: Trouble) {
    const rows = await other.sends.recipients(sendId);
    const wrong: string[] = [];
    for (const { row, state } of rows) {
      const by = asked.get(row) ?? [];
      if (by.length > 1) wrong.push(`row ${row} was asked for by ${by.join(' and ')}`);
      const answered = Math.floor(row / PER_REQUEST) * PER_REQUEST === REFUSED_ROW ? 'rejected' : 'accepted';
      const truth = [...(by.length > 0 ? [answered] : []), ...(isTaken ? ['unknown'] : [])];
      if (!truth.includes(state))
        wrong.push(`row ${row} is ${state}, asked for by ${by.join(' and ') || 'nobody'}`);
    }
    for (const then of takenOver) {
      const now = rows.find(({ row }) => row === then.row);
      if (JSON.stringify(now) !== JSON.stringify(then)) wrong.push(`row ${then.row} was settled again`);
    }
    const { counts = {} } = (await other.sends.find(sendId)) ?? {};
    for (const [state, count] of Object.entries<number>(counts)) {
      const there = rows.filter((row) => row.state === state).length;
      if (there !== count) wrong.push(`${count} are counted ${state}, and ${there} are`);
    }
    return wrong;
  }
}
