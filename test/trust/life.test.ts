import fc from 'fast-check';
import { test } from 'vitest';
import { describeWithPostgres } from '../postgres/database.ts';
import { onPostgres, onSqlite, type TestDatabase } from './databases.ts';
import { howMany } from './how-many.ts';
import { createWorld, type Decision, MODES, PEOPLE, type World } from './life-world.ts';

const LIVES = { sqlite: howMany(80, 3_000), postgres: howMany(5, 200) };
/** Of one life, with all that is tried to find its shortest form when it fails. */
const LONGEST_MS = 60_000;
const MOST_STEPS = 40;

/**
 * Something that people, the service, time or the machine do, so many times; printed by its name, with what it is given, when a
 * run fails.
 */
function step<Given>(
  times: number,
  name: string,
  given: fc.Arbitrary<Given>,
  act: (world: World, given: Given) => unknown,
): readonly fc.Arbitrary<fc.AsyncCommand<object, World>>[] {
  // Calm: it waits until all that followed from it is done.
  const one = fc.tuple(given, fc.boolean()).map(([value, calm]) => ({
    check: () => true,
    run: async (_model: object, world: World) => {
      await act(world, value);
      await world.rest(calm);
    },
    toString: () => `${name} ${JSON.stringify(value)}${calm ? '' : ' …'}`,
  }));
  return Array.from({ length: times }, () => one);
}

const place = fc.nat({ max: 1 });
const which = fc.nat({ max: 5 });
const person = fc.constantFrom(...PEOPLE);
/** Mostly who may. */
const approver = fc.constantFrom('U0RAVI', 'U0MEI', 'U0RAVI', 'U0MEI', ...PEOPLE);
const asked = fc.record({
  count: fc.integer({ min: 1, max: 9 }),
  type: fc.constantFrom('TRANS' as const, 'PROMO' as const),
  inMs: fc.constantFrom(undefined, undefined, 30_000, 150_000),
  times: fc.integer({ min: 1, max: 2 }),
  by: fc.constantFrom('U0ASHA', 'U0RAVI'),
});
const group = fc.constantFrom('failed' as const, 'unknown' as const, 'untried' as const);
const isStale = fc.nat({ max: 9 }).map((one) => one === 0);
const decision = fc.constantFrom<Decision>('reject', 'withdraw', 'pause', 'resume', 'resume', 'stop');
const waits = fc.constantFrom(20, 300, 2_000, 16_000, 60_000, 200_000);
const service = fc.record({ mode: fc.constantFrom(...MODES), afterMs: fc.constantFrom(5, 400, 3_000) });
const role = fc.tuple(fc.constantFrom('U0RAVI', 'U0MEI'), fc.boolean());

/** What people do comes more often than what breaks. */
const STEPS = [
  step(2, 'ask at', fc.tuple(place, asked), (world, given) => world.ask(...given)),
  step(1, 'submit at, times', fc.tuple(place, fc.integer({ min: 1, max: 3 })), (world, given) =>
    world.submit(...given),
  ),
  step(4, 'approve at, send, by, stale', fc.tuple(place, which, approver, isStale), (world, given) =>
    world.approve(...given),
  ),
  step(3, 'decide at, send, by', fc.tuple(place, which, person, decision), (world, given) =>
    world.decide(...given),
  ),
  step(2, 'try again at, send, by, those', fc.tuple(place, which, person, group), (world, given) =>
    world.retry(...given),
  ),
  step(3, 'milliseconds pass', waits, (world, ms) => world.advance(ms)),
  step(2, 'the service', service, (world, given) => Object.assign(world.service, given)),
  step(2, 'kill process', place, (world, at) => world.kill(at)),
  step(1, 'is an approver', role, (world, given) => world.role(...given)),
  step(1, 'Slack answers', fc.boolean(), (world, does) => world.slackAnswers(does)),
  step(1, 'opts out of send, row', fc.tuple(which, fc.nat({ max: 8 })), (world, given) =>
    world.optOut(...given),
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
      fc.commands(STEPS, { maxCommands: MOST_STEPS, size: 'max' }),
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

test(
  'clicks, time and crashes in any order, on SQLite',
  async ({ task }) => {
    task.meta.figure = await live(onSqlite, LIVES.sqlite);
  },
  2 * longest(LIVES.sqlite.count),
);

await describeWithPostgres('the life of sends with two replicas', () => {
  test(
    'clicks, time and crashes in any order, on PostgreSQL',
    async ({ task }) => {
      task.meta.figure = await live((lateBy) => onPostgres(2, lateBy), LIVES.postgres);
    },
    2 * longest(LIVES.postgres.count),
  );
});
