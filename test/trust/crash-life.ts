import { expect, test } from 'vitest';
import type { Message } from '../../src/messages/kinds.ts';
import type { Outcome } from '../../src/sends/outcome.ts';
import { recover } from '../../src/sends/recovery.ts';
import type { Send } from '../../src/sends/send.ts';
import { CAME_TO_NOTHING } from '../../src/sends/states.ts';
import type { Memory } from '../../src/store/stores.ts';
import { createManualClock } from '../fakes/clock.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import type { TestDatabase } from './databases.ts';
import { isFull } from './how-many.ts';
import { createProcess, type Process, type Surroundings, untilStill } from './process.ts';

/**
 * What becomes of a call that leaves the process: it is done; the process dies before the answer comes; it fails, and was not
 * done; it was done, and seems to have failed; the wall clock is set meanwhile.
 */
type Fate = 'done' | 'dies' | 'fails' | 'seems to fail' | 'the clock goes forth' | 'the clock goes back';

const NUMBERS = Array.from({ length: 8 }, (_none, index) => `+9198123450${String(index).padStart(2, '0')}`);
/** Nothing of these arrives at first: the one is busy once, the other is refused for good. */
const [BUSY = '', REFUSED = ''] = NUMBERS.slice(2);
const failure = { what: 'x', next: 'y', scope: 'recipient' as const };
const FULL = Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
const MOST_ROUNDS = 80;
const HOUR_MS = 3_600_000;
/** Of the sends that live while the clock is set. */
const START_IN_MS = 1_800_000;
/** A store takes back by itself what was claimed by a claim whose answer was lost; see its own tests. */
const OWN_AFFAIR = /^sends\.claim/;
/** Asked all the time, for as long as Herald lives, and what is not in the database. */
const NOT_ATTACKED = /^(?:channels\.read|directory\.)/;

type Plain = Pick<Surroundings, 'memory' | 'clock' | 'request' | 'making'>;

/** Everybody is an approver; promotions wait from ten to eleven. */
export function createPlainProcess({ clock, ...around }: Plain): Process {
  let seed = Math.floor(clock.now());
  return createProcess({
    ...{ ...around, clock, logger: createRecordingLogger() },
    random: {
      fraction: () => 0.5,
      bytes: (length) => Uint8Array.from({ length }, () => (seed += 1)),
    },
    directory: { whyNot: async () => undefined },
    policy: { approvers: ['S0MANAGERS'], over: 1, tiers: [], expireHours: 24, lateAfterMinutes: 600 },
    quietHours: [{ country: 'IN', types: ['PROMO'], from: '10:00', to: '11:00', timezone: 'UTC' }],
  });
}

/** What people do at a process, and see there. */
export function createPeople({ lists, bulk }: Process, { sends }: Memory) {
  const by = { userId: 'U0RAVI', teamId: 'T' };
  return {
    /** The newest send that came to something, or comes to it still. */
    latest: async (): Promise<Send | undefined> =>
      (await sends.list({ limit: 20 })).find(({ state }) => !CAME_TO_NOTHING.includes(state)),
    async ask(numbers: readonly string[], type: 'PROMO' | 'TRANS', requestKey: string, startAt?: number) {
      const list = await lists.fromNumbers(numbers.join('\n'), 'U0ASHA');
      if (list.state !== 'ready') throw new Error('The list was not taken.');
      await bulk.request({
        message: { kind: 'sms', sender: 'ACME', text: 'Hello', type, unicode: false },
        ...{ audienceId: list.audience.id, requestKey },
        origin: { teamId: 'T', userId: 'U0ASHA', channelId: 'C' },
        ...(startAt !== undefined && { startAt }),
      });
    },
    approve: ({ id, digest = '' }: Send) => bulk.approve({ ...by, sendId: id, digest }),
    /** Goes on with a send that waits for somebody. */
    resume: async ({ id, state, resumeAt }: Send) => {
      if (state === 'paused' && resumeAt === undefined) await bulk.resume({ ...by, sendId: id });
    },
  };
}

/** A database that processes live and die on. */
export interface Home extends TestDatabase {
  /** Where the server itself says that its disk is full: as long as `work` takes, and as long as anybody else’s does. */
  onFullDisk?<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** A bulk send from its list to its end; at call number `at` something happens. @returns what is wrong, and its calls */
async function live(database: Home, at: number, fate: Fate, inARow = 1) {
  const isTimed = fate.startsWith('the clock');
  const clock = createManualClock();
  const arrived = new Map<string, number>();
  let wasBusy = false;
  const calls: string[] = [];
  let where = '';
  let aheadMs = 0;
  const open = () => database.open(() => aheadMs);
  let home = await open();
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
    if (NOT_ATTACKED.test(call)) return 'done';
    calls.push(call);
    if (calls.length < at || calls.length >= at + inARow) return 'done';
    where ||= call;
    const byMs = fate === 'the clock goes forth' ? HOUR_MS : fate === 'the clock goes back' ? -HOUR_MS : 0;
    clock.set(byMs);
    aheadMs += byMs;
    const isOwnAffair = call === 'service' || (fate === 'seems to fail' && OWN_AFFAIR.test(call));
    return isOwnAffair && fate !== 'dies' ? 'done' : fate;
  };
  /** A call that fails, as the database does by itself where it can. */
  const failing = database.onFullDisk ?? (() => Promise.reject(FULL));
  function born(): Process {
    const mine: Process = createPlainProcess({
      ...{ memory: home.memory, clock },
      request: async (message, [to]) => ({ outcome: request(message, to?.number ?? ''), afterMs: 20 }),
      making: async (call, work) => {
        const fate = fateOf(call);
        const value = await (fate === 'fails' ? failing(work) : work());
        if (fate === 'dies') void mine.kill();
        if (fate === 'seems to fail') throw FULL;
        return value;
      },
    });
    return mine;
  }
  async function start(): Promise<void> {
    await recover({ store: herald.store, clock, logger: createRecordingLogger() });
    await herald.bulk.start();
  }
  let herald = born();
  // Whoever clicked is told of an error, and looks again.
  const keep = (work: Promise<unknown>) => void work.catch(() => {});
  const people = () => createPeople(herald, home.memory);

  /** What people do next about what they see. */
  async function click(round: number, send: Send | undefined): Promise<void> {
    const { ask, approve, resume } = people();
    const startAt = isTimed ? clock.now() + START_IN_MS : undefined;
    if (send === undefined) await ask(NUMBERS, 'TRANS', `${round}`, startAt);
    else if (send.state === 'awaiting_approval') await approve(send);
    else await resume(send);
  }

  const rest = () => untilStill(herald.isBusy);
  keep(start());
  let end: Send | undefined;
  for (let round = 0; round < MOST_ROUNDS && end?.state !== 'done'; round += 1) {
    await rest();
    if (!herald.isAlive()) {
      await home.died();
      home = await open();
      herald = born();
      keep(start());
      await rest();
    }
    // Nobody asks before they have seen whether somebody did: of two sends of the same, each waits for a word about the other.
    keep(click(round, await people().latest()));
    await rest();
    for (let second = 0; second < 20; second += 1) {
      await clock.advance(1_000);
      await rest();
    }
    end = await people().latest();
    if (end?.state === 'scheduled') await clock.leap(START_IN_MS / 3);
  }
  const wrong = end === undefined ? ['nothing came of it'] : await judged(home.memory, end, arrived);
  return { wrong: wrong.map((one) => `call ${at} (${where}) ${fate}: ${one}`), calls };
}

/** @returns what is wrong */
async function judged(memory: Memory, end: Send, arrived: ReadonlyMap<string, number>) {
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

/** Numbers of calls, from 1, by the names of all of them. */
type Choice = (calls: readonly string[]) => readonly number[];

const every =
  (step: number): Choice =>
  (calls) =>
    calls.flatMap((_call, index) => (index % step === 0 ? [index + 1] : []));

/** A crash between two writes is the same one whatever was read meanwhile. */
const READS = /\.(?:find|un|own|announces|rows|failures|approvals|recipients|optedOut)/;
/** Of each write that is made the one in the middle; of these one in so many, from a place of its own for each attack. */
const writes =
  (step: number, from: number): Choice =>
  (calls) =>
    [...new Set(calls)]
      .filter((call) => !READS.test(call))
      .filter((_call, index) => index % step === from)
      .map((call) => {
        const at = every(1)(calls).filter((number) => calls[number - 1] === call);
        return at[Math.floor(at.length / 2)] ?? 0;
      });

/** Where each attack strikes, where it is tried quickly; `on` says on which database, in the name of each test. */
export const SOME = {
  sqlite: {
    ...{ on: '', crashes: every(1), failures: every(2), longFailures: every(10) },
    ...{ lostAnswers: every(2), clock: every(4) },
  },
  postgres: {
    ...{ on: ' on PostgreSQL', crashes: writes(8, 0), failures: writes(8, 3), longFailures: every(100) },
    ...{ lostAnswers: writes(8, 6), clock: every(200) },
  },
};
const ALL = {
  ...SOME.sqlite,
  failures: every(1),
  longFailures: every(5),
  lostAnswers: every(1),
  clock: every(1),
};

/** Each attack at calls of a bulk send. */
export function attackCalls(place: () => Promise<Home>, quick: typeof SOME.sqlite): void {
  const { on } = quick;
  const { crashes, failures, longFailures, lostAnswers, clock } = isFull ? ALL : quick;
  /** The calls of a life in which nothing happens. */
  const peaceful = new Map<boolean, Promise<readonly string[]>>();
  const once = async (at: number, fate: Fate, inARow = 1) => {
    const database = await place();
    return live(database, at, fate, inARow).finally(() => database.close());
  };

  async function tryAt(fate: Fate, choose: Choice, inARow = 1): Promise<string> {
    const isTimed = fate.startsWith('the clock');
    const first = peaceful.get(isTimed) ?? once(0, fate).then(({ calls }) => calls);
    peaceful.set(isTimed, first);
    const calls = await first;
    const chosen = choose(calls);
    const wrong: string[] = [];
    for (const at of chosen) wrong.push(...(await once(at, fate, inARow)).wrong);
    expect(wrong).toEqual([]);
    const all = calls.length === chosen.length;
    return `${calls.length} calls${all ? '' : `, ${chosen.length} of them (all with HERALD_TRUST=full)`}`;
  }

  test(`crashes${on}: the process dies after each of its calls, and another goes on`, async ({ task }) => {
    task.meta.figure = `${await tryAt('dies', crashes)}, from the list to the end; nobody twice, nobody lost`;
  });

  test(`a full disk${on}: each call of the store fails once, and ten in a row`, async ({ task }) => {
    task.meta.figure = await tryAt('fails', failures);
    await tryAt('fails', longFailures, 10);
  });

  test(`lost answers of the store${on}: each call is done, and seems to have failed`, async ({ task }) => {
    task.meta.figure = await tryAt('seems to fail', lostAnswers);
  });

  test(`the wall clock${on}: it is set an hour forth or back at each call of a scheduled send`, async ({
    task,
  }) => {
    const calls = await tryAt('the clock goes forth', clock);
    await tryAt('the clock goes back', clock);
    task.meta.figure = `${calls}, both ways`;
  });
}
