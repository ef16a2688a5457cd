import fc from 'fast-check';
import { describe, test } from 'vitest';
import { describeWithPostgres } from '../postgres/database.ts';
import { onPostgres, onSqlite, type TestDatabase } from './databases.ts';
import { howMany } from './how-many.ts';
import { createWorld, type Decision, MODES, PEOPLE, type World } from './life-world.ts';

const LIVES = { sqlite: howMany(80, 3_000), postgres: howMany(5, 200) };
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

/** A step by what it is given, so many times. */
function step<Given>(
  times: number,
  given: fc.Arbitrary<Given>,
  name: (given: Given) => string,
  act: (world: World, given: Given) => unknown,
): readonly fc.Arbitrary<Step>[] {
  const one = fc
    .tuple(given, fc.boolean())
    .map(([value, calm]) => new Step(name(value), calm, (world) => act(world, value)));
  return Array.from({ length: times }, () => one);
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
const group = fc.constantFrom('failed' as const, 'unknown' as const, 'untried' as const);
const seldom = fc.nat({ max: 9 }).map((one) => one === 0);
const decision = fc.constantFrom<Decision>('reject', 'withdraw', 'pause', 'resume', 'resume', 'stop');

/** What people do comes more often than what breaks. */
const STEPS: readonly fc.Arbitrary<Step>[] = [
  step(
    2,
    fc.tuple(place, asked),
    ([at, what]) => `ask at ${at} ${words(what)}`,
    (world, given) => world.ask(...given),
  ),
  step(
    1,
    fc.tuple(place, fc.integer({ min: 1, max: 3 })),
    ([at, times]) => `submit at ${at} ×${times}`,
    (world, given) => world.submit(...given),
  ),
  step(
    4,
    fc.tuple(place, which, approver, seldom),
    ([at, send, who, isStale]) => `approve at ${at}: send ${send} by ${who}${isStale ? ', stale' : ''}`,
    (world, given) => world.approve(...given),
  ),
  step(
    3,
    fc.tuple(place, which, person, decision),
    ([at, send, who, how]) => `${how} at ${at}: send ${send} by ${who}`,
    (world, given) => world.decide(...given),
  ),
  step(
    2,
    fc.tuple(place, which, person, group),
    ([at, send, who, of]) => `try again at ${at}: ${of} of send ${send} by ${who}`,
    (world, given) => world.retry(...given),
  ),
  step(
    3,
    fc.constantFrom(20, 300, 2_000, 16_000, 60_000, 200_000),
    (ms) => `${ms} ms pass`,
    (world, ms) => world.advance(ms),
  ),
  step(
    2,
    fc.tuple(fc.constantFrom(...MODES), fc.constantFrom(5, 400, 3_000)),
    ([mode, afterMs]) => `the service ${mode} after ${afterMs} ms`,
    ({ service }, [mode, afterMs]) => Object.assign(service, { mode, afterMs }),
  ),
  step(
    2,
    place,
    (at) => `kill process ${at}`,
    (world, at) => world.kill(at),
  ),
  step(
    1,
    fc.tuple(fc.constantFrom('U0RAVI', 'U0MEI'), fc.boolean()),
    ([who, has]) => `${who} ${has ? 'is an approver' : 'is no approver any more'}`,
    (world, given) => world.role(...given),
  ),
  step(
    1,
    fc.boolean(),
    (does) => `Slack ${does ? 'answers' : 'is down'}`,
    (world, does) => world.slackAnswers(does),
  ),
  step(
    1,
    fc.tuple(which, fc.nat({ max: 8 })),
    ([send, row]) => `row ${row} of send ${send} opts out`,
    (world, given) => world.optOut(...given),
  ),
].flat();

const longest = (lives: number) => lives * LONGEST_MS;

/** Runs so many lives, and says what happened in them in all. */
async function live(
  database: (lateBy: number | undefined) => Promise<TestDatabase>,
  { count: numRuns, said }: ReturnType<typeof howMany>,
): Promise<string> {
  let requests = 0;
  let sends = 0;
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.record({ turns: fc.nat({ max: 2 }), isLate: fc.boolean(), isMortal: fc.boolean() }),
      asked,
      fc.commands([...STEPS], { maxCommands: MOST_STEPS, size: 'max' }),
      async (seed, around, first, commands) => {
        const home = await database(around.isLate ? seed : undefined);
        try {
          const world = await createWorld(home, seed, around);
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
      task.meta.figure = await live((lateBy) => onPostgres(2, lateBy), LIVES.postgres);
    },
    2 * longest(LIVES.postgres.count),
  );
});
