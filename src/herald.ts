import { readFileSync } from 'node:fs';
import { type Configuration, loadConfiguration } from './config/load.ts';
import { renderProblem } from './config/problems.ts';
import { secretsOf } from './config/summary.ts';
import { systemClock } from './core/clock.ts';
import { systemRandom } from './core/random.ts';
import { createStoreTrouble } from './sends/store-trouble.ts';
import { openStores } from './store/open.ts';
import type { Stores } from './store/stores.ts';
import { createLogger } from './telemetry/logger.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { VERSION, versionInWords } from './version.ts';
import { logStoreTrouble, outagesTo } from './wiring/database-trouble.ts';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes a sentence to the operator’s terminal. */
  say(text: string): void;
  /** Resolves when Herald is asked to stop. */
  readonly untilStopped: Promise<unknown>;
}

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
