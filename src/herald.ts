import { readFileSync } from 'node:fs';
import { secretsOf } from './config/environment.ts';
import { type Configuration, loadConfiguration } from './config/load.ts';
import { renderProblem } from './config/problems.ts';
import { type Clock, systemClock } from './core/clock.ts';
import type { Logger } from './core/logger.ts';
import { systemRandom } from './core/random.ts';
import { textOf } from './crash.ts';
import { createStoreTrouble, type StoreTrouble } from './sends/store-trouble.ts';
import { openStores } from './store/open.ts';
import type { DatabaseObserver, Stores } from './store/stores.ts';
import { createLogger } from './telemetry/logger.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { VERSION, versionInWords } from './version.ts';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes a sentence to the operator’s terminal. */
  say(text: string): void;
  /** Writes what a program or a file is to get, to standard output. */
  give(text: string): void;
  /** Resolves when Herald is asked to stop. */
  readonly untilStopped: Promise<unknown>;
}

/** What a command of the command line does. Returns the exit code. */
export type Task = (options: readonly string[], surroundings: Surroundings) => Promise<number>;

/** Runs Herald until it is asked to stop. Returns the exit code: 1 when it could not start. */
export async function runHerald({ env, say, untilStopped }: Surroundings): Promise<number> {
  const configuration = loadConfiguration({ env, readFile: (path) => readFileSync(path, 'utf8') });
  if (!configuration.ok) {
    const problems = configuration.error.map((problem) => `\n  - ${renderProblem(problem)}`);
    say(`Herald cannot start:${problems.join('')}`);
    return 1;
  }
  const started = await start(configuration.value);
  if (!started.ok) {
    say(`Herald cannot start: ${started.error}`);
    return 1;
  }
  await untilStopped;
  await started.value();
  return 0;
}

async function start(configuration: Configuration) {
  const { environment } = configuration;
  const metrics = createMetrics(VERSION);
  const storeTrouble = createStoreTrouble();
  let replica: Stores['replica'];
  const logger = createLogger({
    level: environment.LOG_LEVEL,
    secrets: secretsOf(environment),
    replica: () => replica?.(),
    isDown: () => storeTrouble.since() !== undefined,
  });
  logger.info({ ...VERSION, node: process.versions.node }, `Herald ${versionInWords()}`);
  const surroundings = { clock: systemClock, random: systemRandom, logger };
  logStoreTrouble(storeTrouble, logger, systemClock);
  // The modules that follow the store are read while its thread starts.
  const [stores, { run }] = await Promise.all([
    openStores(environment.DATABASE_URL, {
      ...surroundings,
      observer: { ...metrics.database, ...outagesTo(storeTrouble, systemClock) },
      pseudonymKey: environment.PSEUDONYM_KEY,
    }),
    import('./running.ts'),
  ]);
  if (!stores.ok) return stores;
  replica = stores.value.replica;
  return run({ ...surroundings, configuration, stores: stores.value, storeTrouble, metrics });
}

/** Says once that the database is gone, and once that it is back; what follows from it is not logged meanwhile. */
function logStoreTrouble(trouble: StoreTrouble, logger: Logger, clock: Clock): void {
  let began = 0;
  trouble.onChange((error) => {
    const since = trouble.since();
    if (since === undefined) {
      const seconds = Math.round((clock.monotonic() - began) / 1_000);
      logger.info({ seconds }, 'the database answers and takes writes again');
      return;
    }
    began = clock.monotonic();
    const at = new Date(since).toISOString();
    logger.error(
      { because: textOf(error) },
      `the database is gone, or takes no writes, since ${at}; nothing is sent until it is back`,
    );
  });
}

/** Takes a server that does not answer for trouble of the store, until it answers again. */
function outagesTo(trouble: StoreTrouble, clock: Clock): Pick<DatabaseObserver, 'lost' | 'found'> {
  let isLost = false;
  return {
    lost: (error) => {
      if (isLost) return;
      isLost = true;
      trouble.began(clock.now(), error);
    },
    found: () => {
      if (!isLost) return;
      isLost = false;
      trouble.ended();
    },
  };
}
