import { once } from 'node:events';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import { UNOBSERVED } from '../../src/store/observer.ts';
import { LEASE_TIMES } from '../../src/store/postgres/membership.ts';
import { openPostgresStores } from '../../src/store/postgres/stores.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { createSqliteStores } from '../../src/store/sqlite/stores.ts';
import type { Stores } from '../../src/store/stores.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { describeWithPostgres, directly, freshDatabase } from '../postgres/database.ts';
import { howMany } from './how-many.ts';
import { createWorld, type Decision, type LifeDatabase, MODES, PEOPLE, type World } from './life-world.ts';

const LIVES = { sqlite: howMany(150, 3_000), postgres: howMany(5, 200) };
/** Of one life, with all that is tried to find its shortest form when it fails. */
const LONGEST_MS = 60_000;
const MOST_STEPS = 40;

/** Something that people, the service, time or the machine do; printed by its name when a run fails. */
class Step implements fc.AsyncCommand<object, World> {
  readonly name: string;
  readonly act: (world: World) => unknown;
  /** True to wait until all that followed from it is done. */
  readonly calm: boolean;
  constructor(name: string, calm: boolean, act: (world: World) => unknown) {
    this.name = name;
    this.calm = calm;
    this.act = act;
  }
  check(): boolean {
    return true;
  }
  async run(_model: object, world: World): Promise<void> {
    await this.act(world);
    await world.rest(this.calm);
  }
  toString(): string {
    return `${this.name}${this.calm ? '' : ' …'}`;
  }
}

/** A step by what it is given. */
function step<Given>(
  given: fc.Arbitrary<Given>,
  name: (given: Given) => string,
  act: (world: World, given: Given) => unknown,
): fc.Arbitrary<Step> {
  return fc
    .tuple(given, fc.boolean())
    .map(([value, calm]) => new Step(name(value), calm, (world) => act(world, value)));
}

const place = fc.nat({ max: 1 });
const which = fc.nat({ max: 5 });
const person = fc.constantFrom(...PEOPLE);
/** Mostly who may. */
const approver = fc.constantFrom('U0RAVI', 'U0MEI', 'U0RAVI', 'U0MEI', ...PEOPLE);
const words = (given: object) => JSON.stringify(Object.values(given));
const asked = fc.record({
  count: fc.integer({ min: 1, max: 9 }),
  type: fc.constantFrom('TRANS' as const, 'PROMO' as const),
  inMs: fc.constantFrom(undefined, undefined, 30_000, 150_000),
  times: fc.integer({ min: 1, max: 2 }),
  by: fc.constantFrom('U0ASHA', 'U0RAVI'),
});
const decision = fc.constantFrom<Decision>('reject', 'withdraw', 'pause', 'resume', 'resume', 'stop');

/** What people do comes more often than what breaks. */
const STEPS: readonly fc.Arbitrary<Step>[] = [
  ...Array.from({ length: 2 }, () =>
    step(
      fc.tuple(place, asked),
      ([at, what]) => `ask at ${at} ${words(what)}`,
      (world, given) => world.ask(...given),
    ),
  ),
  step(
    fc.tuple(place, fc.integer({ min: 1, max: 3 })),
    ([at, times]) => `submit at ${at} ×${times}`,
    (world, given) => world.submit(...given),
  ),
  ...Array.from({ length: 4 }, () =>
    step(
      fc.tuple(
        place,
        which,
        approver,
        fc.nat({ max: 9 }).map((one) => one === 0),
      ),
      ([at, send, who, isStale]) => `approve at ${at}: send ${send} by ${who}${isStale ? ', stale' : ''}`,
      (world, given) => world.approve(...given),
    ),
  ),
  ...Array.from({ length: 3 }, () =>
    step(
      fc.tuple(place, which, person, decision),
      ([at, send, who, how]) => `${how} at ${at}: send ${send} by ${who}`,
      (world, given) => world.decide(...given),
    ),
  ),
  ...Array.from({ length: 2 }, () =>
    step(
      fc.tuple(
        place,
        which,
        person,
        fc.constantFrom('failed' as const, 'unknown' as const, 'untried' as const),
      ),
      ([at, send, who, group]) => `try again at ${at}: ${group} of send ${send} by ${who}`,
      (world, given) => world.retry(...given),
    ),
  ),
  ...Array.from({ length: 3 }, () =>
    step(
      fc.constantFrom(20, 300, 2_000, 16_000, 60_000, 200_000),
      (ms) => `${ms} ms pass`,
      (world, ms) => world.advance(ms),
    ),
  ),
  ...Array.from({ length: 2 }, () =>
    step(
      fc.tuple(fc.constantFrom(...MODES), fc.constantFrom(5, 400, 3_000)),
      ([mode, afterMs]) => `the service ${mode} after ${afterMs} ms`,
      ({ service }, [mode, afterMs]) => Object.assign(service, { mode, afterMs }),
    ),
  ),
  ...Array.from({ length: 2 }, () =>
    step(
      place,
      (at) => `kill process ${at}`,
      (world, at) => world.kill(at),
    ),
  ),
  step(
    fc.tuple(fc.constantFrom('U0RAVI', 'U0MEI'), fc.boolean()),
    ([who, has]) => `${who} ${has ? 'is an approver' : 'is no approver any more'}`,
    (world, given) => world.role(...given),
  ),
  step(
    fc.boolean(),
    (does) => `Slack ${does ? 'answers' : 'is down'}`,
    (world, does) => world.slackAnswers(does),
  ),
  step(
    fc.tuple(which, fc.nat({ max: 8 })),
    ([send, row]) => `row ${row} of send ${send} opts out`,
    (world, given) => world.optOut(...given),
  ),
];

const longest = (lives: number) => lives * LONGEST_MS;

/** Runs so many lives, and says what happened in them in all. */
async function live(
  database: () => Promise<LifeDatabase>,
  { count: numRuns, said }: ReturnType<typeof howMany>,
): Promise<string> {
  let requests = 0;
  let sends = 0;
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.nat({ max: 2 }),
      asked,
      fc.commands([...STEPS], { maxCommands: MOST_STEPS, size: 'max' }),
      async (seed, turns, first, commands) => {
        const home = await database();
        try {
          const world = await createWorld(home, seed, turns);
          await world.begin();
          await world.ask(0, first);
          await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
          await world.finish();
          requests += world.requests();
          sends += (await world.rules.sends()).length;
          steps += [...commands].length;
        } finally {
          await home.close();
        }
      },
    ),
    { numRuns, interruptAfterTimeLimit: longest(numRuns), markInterruptAsFailure: true },
  );
  return `${numRuns} lives${said}, ${steps} steps, ${sends} sends, ${requests} requests: nobody twice, nobody lost`;
}

async function onSqlite(): Promise<LifeDatabase> {
  const database = openDatabase(':memory:');
  if (!database.ok) throw new Error(database.error);
  return {
    replicas: 1,
    open: async () => ({ memory: createSqliteStores(database.value), died: async () => {} }),
    close: async () => database.value.close(),
  };
}

/** Long enough for a heartbeat that was begun. */
const LAST_WORDS_MS = 60;

/** Two replicas: what one that died had begun is taken over by the other, or by the one in its place. */
async function onPostgres(): Promise<LifeDatabase> {
  const url = await freshDatabase();
  const open: Stores[] = [];
  const replicas = () => directly(url, 'SELECT id FROM replicas');
  return {
    replicas: 2,
    open: async () => {
      const dead = new AbortController();
      const before = new Set((open.length === 0 ? [] : await replicas()).map(({ id }) => id));
      const stores = await openPostgresStores(url, {
        observer: UNOBSERVED,
        clock: mortal(dead.signal),
        random: systemRandom,
        logger: createRecordingLogger(),
        times: { ...LEASE_TIMES, heartbeatMs: 20 },
      });
      if (!stores.ok) throw new Error(stores.error);
      open.push(stores.value);
      const mine = (await replicas()).map(({ id }) => id).find((id) => !before.has(id));
      return {
        memory: stores.value,
        died: async () => {
          dead.abort();
          await systemClock.sleep(LAST_WORDS_MS);
          await directly(url, `UPDATE replicas SET lease_until = '-infinity' WHERE id = '${mine}'`);
        },
      };
    },
    close: async () => {
      for (const { sends } of open) await sends.close();
    },
  };
}

/** The machine’s clock; whoever sleeps by it when it dies wakes only to be closed. */
function mortal(dead: AbortSignal): Clock {
  return {
    ...systemClock,
    sleep: async (ms, signal) => {
      await systemClock.sleep(ms, signal);
      if (dead.aborted && signal?.aborted === false) await once(signal, 'abort');
    },
  };
}

describe('the life of sends', () => {
  test(
    'clicks, time and crashes in any order, on SQLite',
    async ({ task }) => {
      task.meta.figure = await live(onSqlite, LIVES.sqlite);
    },
    2 * longest(LIVES.sqlite.count),
  );
});

await describeWithPostgres('the life of sends with two replicas', () => {
  test(
    'clicks, time and crashes in any order, on PostgreSQL',
    async ({ task }) => {
      task.meta.figure = await live(onPostgres, LIVES.postgres);
    },
    2 * longest(LIVES.postgres.count),
  );
});
