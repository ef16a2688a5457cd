import { expect, test } from 'vitest';
import type { Message } from '../../src/messages/kinds.ts';
import type { Outcome } from '../../src/sends/outcome.ts';
import type { Send } from '../../src/sends/send.ts';
import { CAME_TO_NOTHING } from '../../src/sends/states.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { createSqliteStores } from '../../src/store/sqlite/stores.ts';
import type { Memory } from '../../src/store/stores.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createHerald, type Fate } from './crash-process.ts';
import { howMany } from './how-many.ts';

const NUMBERS = Array.from({ length: 8 }, (_none, index) => `+9198123450${String(index).padStart(2, '0')}`);
/** Nothing of these arrives at first: the one is busy once, the other is refused for good. */
const [BUSY = '', REFUSED = ''] = NUMBERS.slice(2);
const SMS: Message = { kind: 'sms', sender: 'ACME', text: 'Hello', type: 'TRANS', unicode: false };
const failure = { what: 'x', next: 'y', scope: 'recipient' as const };
const MOST_ROUNDS = 80;
const HOUR_MS = 3_600_000;
/** Of the sends that live while the clock is set. */
const START_IN_MS = 1_800_000;
/** A store takes back by itself what was claimed by a claim whose answer was lost; see its own tests. */
const OWN_AFFAIR = /^sends\.claim/;

interface Database {
  /** For each process that is started, after the one before it has died. */
  open(): Promise<Memory>;
  close(): Promise<void>;
}

async function sqlite(): Promise<Database> {
  const database = openDatabase(':memory:');
  if (!database.ok) throw new Error(database.error);
  return {
    open: async () => createSqliteStores(database.value),
    close: async () => database.value.close(),
  };
}

/** A bulk send from its list to its end; at call number `at` something happens. @returns what is wrong, and how many calls */
async function live(database: Database, at: number, fate: Fate, inARow = 1) {
  const isTimed = fate.startsWith('the clock');
  const clock = createManualClock();
  const arrived = new Map<string, number>();
  let wasBusy = false;
  let calls = 0;
  let where = '';
  let memory = await database.open();
  const request = (_message: Message, number: string): Outcome => {
    if (number === BUSY && !wasBusy) {
      wasBusy = true;
      return { state: 'not_sent', failure, retry: { kind: 'after', delayMs: 500 } };
    }
    if (number === REFUSED) return { state: 'rejected', failure };
    arrived.set(number, (arrived.get(number) ?? 0) + 1);
    return { state: 'accepted', status: 200 };
  };
  const fateOf = (call: string): Fate => {
    calls += 1;
    if (calls < at || calls >= at + inARow) return 'done';
    where ||= call;
    if (fate === 'the clock goes forth') clock.set(HOUR_MS);
    if (fate === 'the clock goes back') clock.set(-HOUR_MS);
    const isOwnAffair = call === 'service' || (fate === 'seems to fail' && OWN_AFFAIR.test(call));
    return isOwnAffair && fate !== 'dies' ? 'done' : fate;
  };
  const born = () => createHerald({ memory, clock, request, fateOf });
  let herald = born();
  // Whoever clicked is told of an error, and looks again.
  const keep = (work: Promise<unknown>) => void work.catch(() => {});
  const latest = async (): Promise<Send | undefined> => {
    const sends = await memory.sends.list({ limit: 20 });
    return sends.find(({ state }) => !CAME_TO_NOTHING.includes(state));
  };

  /** What people do next, when they look. */
  async function click(round: number): Promise<void> {
    const send = await latest();
    const by = { userId: 'U0RAVI', teamId: 'T' };
    if (send === undefined) {
      const list = await herald.lists.fromNumbers(NUMBERS.join('\n'), 'U0ASHA');
      if (list.state !== 'ready') return;
      const origin = { teamId: 'T', userId: 'U0ASHA', channelId: 'C' };
      await herald.bulk.request({
        ...{ message: SMS, audienceId: list.audience.id, origin, requestKey: `${round}` },
        ...(isTimed && { startAt: clock.now() + START_IN_MS }),
      });
    } else if (send.state === 'awaiting_approval')
      await herald.bulk.approve({ ...by, sendId: send.id, digest: send.digest ?? '' });
    else if (send.state === 'paused' && send.resumeAt === undefined)
      await herald.bulk.resume({ ...by, sendId: send.id });
  }

  keep(herald.start());
  let end: Send | undefined;
  for (let round = 0; round < MOST_ROUNDS && end?.state !== 'done'; round += 1) {
    await settle(() => herald.isBusy());
    if (!herald.isAlive()) {
      memory = await database.open();
      herald = born();
      keep(herald.start());
      await settle(() => herald.isBusy());
    }
    keep(click(round));
    await settle(() => herald.isBusy());
    for (let second = 0; second < 20; second += 1) {
      await clock.advance(1_000);
      await settle(() => herald.isBusy());
    }
    end = await latest();
    if (end?.state === 'scheduled') await clock.leap(START_IN_MS / 3);
  }
  const wrong = end === undefined ? ['nothing came of it'] : await judged(memory, end, arrived);
  const told = wrong.map((one) => `call ${at} (${where}) ${fate}: ${one}`);
  return { wrong: told, calls };
}

async function settle(isBusy: () => boolean): Promise<void> {
  for (let still = 0; still < 3; still = isBusy() ? 0 : still + 1)
    await new Promise((resolve) => setImmediate(resolve));
}

async function judged(
  memory: Memory,
  end: Send,
  arrived: ReadonlyMap<string, number>,
): Promise<readonly string[]> {
  const wrong = end.state === 'done' ? [] : [`it ends ${end.state}`];
  const rows = await memory.sends.recipients(end.id);
  if (rows.length !== NUMBERS.length) wrong.push(`${rows.length} recipients`);
  for (const { number, state } of rows) {
    const times = arrived.get(number) ?? 0;
    if (times > 1) wrong.push(`${number} got it ${times} times`);
    const truth =
      times === 1 ? ['accepted', 'unknown'] : number === REFUSED ? ['rejected', 'unknown'] : ['unknown'];
    if (!truth.includes(state)) wrong.push(`${number} is ${state}, and got it ${times} times`);
  }
  const unknown = rows.filter(({ state }) => state === 'unknown').length;
  if (unknown > 4) wrong.push(`${unknown} are unknown`);
  const approvals = await memory.sends.approvals(end.id);
  if (approvals.length !== 1) wrong.push(`${approvals.length} approvals`);
  const sent = (await memory.sends.list({ limit: 20 })).filter(({ counts }) => counts.accepted > 0);
  if (sent.length > 1) wrong.push(`${sent.length} sends of the same`);
  return wrong;
}

async function everyCall(fate: Fate, { inARow = 1, step = 1 } = {}) {
  const wrong: string[] = [];
  const whole = await live(await sqlite(), 0, fate);
  expect(whole.wrong).toEqual([]);
  for (let at = 1; at <= whole.calls; at += step) {
    const database = await sqlite();
    wrong.push(...(await live(database, at, fate, inARow)).wrong);
    await database.close();
  }
  return { wrong, calls: whole.calls };
}

/** Of the calls, every so many in CI. */
const { count: step, said } = howMany(2, 1);
const OFTEN = said === '' ? '' : ', each other one of them (all with HERALD_TRUST=full)';

test('crashes: the process dies after each of its calls, and another goes on', async ({ task }) => {
  const { wrong, calls } = await everyCall('dies');
  expect(wrong).toEqual([]);
  task.meta.figure = `${calls} calls from the list to the end; nobody twice, nobody lost`;
});

test('a full disk: each call of the store fails once, and ten in a row', async ({ task }) => {
  const once = await everyCall('fails', { step });
  const ten = await everyCall('fails', { inARow: 10, step: step * 5 });
  expect([...once.wrong, ...ten.wrong]).toEqual([]);
  task.meta.figure = `${once.calls} calls${OFTEN}`;
});

test('lost answers of the store: each call is done, and seems to have failed', async ({ task }) => {
  const { wrong, calls } = await everyCall('seems to fail', { step });
  expect(wrong).toEqual([]);
  task.meta.figure = `${calls} calls${OFTEN}`;
});

test('the wall clock: it is set an hour forth or back at each call of a scheduled send', async ({ task }) => {
  const forth = await everyCall('the clock goes forth', { step });
  const back = await everyCall('the clock goes back', { step });
  expect([...forth.wrong, ...back.wrong]).toEqual([]);
  task.meta.figure = `${forth.calls} calls, both ways${OFTEN}`;
});
