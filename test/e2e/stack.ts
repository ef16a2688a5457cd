import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import type { Mode } from '../../sandbox/herald-environment.ts';
import type { Exit, HeraldProcess } from '../../sandbox/herald-process.ts';
import { messageText } from '../../sandbox/message-text.ts';
import { systemClock } from '../../sandbox/slack/clock.ts';
import {
  type EnvironmentChanges,
  type StackOptions,
  startStack as startServers,
} from '../../sandbox/stack.ts';
import type { Registered } from '../../sandbox/team-configuration.ts';
import { contentsOf, directly, preparedDatabase } from '../postgres/database.ts';
import { Scene } from './scene.ts';
import { TEAM_CONFIGURATION } from './team.ts';
import { WEATHER } from './weather.ts';

/** How Slack reaches Herald, unless a test says otherwise: each group of end-to-end tests has one transport and one store. */
export const TRANSPORT: Mode = process.env.HERALD_E2E_TRANSPORT === 'http' ? 'http' : 'socket';

export interface E2eOptions {
  /** Default: that of the group. */
  readonly mode?: Mode;
  /** The team's `herald.yml`. */
  readonly config?: string;
  /** What the carrier knows; by default what the team's file says. */
  readonly registered?: Registered;
  readonly env?: EnvironmentChanges;
  readonly others?: StackOptions['others'];
  /**
   * For stories that wait for Slack's pace: Herald and the sandbox have clocks that go {@link SPEED} times as fast. Not for those
   * that must do something while something else is under way, because people and machines do not become faster.
   */
  readonly isQuick?: boolean;
  /** Default: that of the run. */
  readonly weather?: StackOptions['weather'];
  /** What the carrier tells of messages; default nothing. */
  readonly reports?: StackOptions['reports'];
}

/** Everything an end-to-end test needs: the servers here, Herald as a process, and people. */
export class E2eStack extends Scene {
  readonly #servers: Awaited<ReturnType<typeof startServers>>;
  readonly #directory: string;
  readonly #env: EnvironmentChanges;
  readonly #lines: string[];
  readonly #databaseUrl: string | undefined;
  /** What time it is to Herald and to the sandbox. */
  readonly now: () => number;
  #herald: HeraldProcess;

  private constructor(
    options: E2eOptions,
    servers: Awaited<ReturnType<typeof startServers>>,
    directory: string,
    lines: string[],
    databaseUrl: string | undefined,
    quick: QuickClock | undefined,
  ) {
    super(servers);
    this.#servers = servers;
    this.#directory = directory;
    this.now = quick?.clock.now ?? Date.now;
    this.#env = { ...(databaseUrl && { DATABASE_URL: databaseUrl }), ...quick?.env, ...options.env };
    this.#databaseUrl = databaseUrl;
    this.#lines = lines;
    this.#herald = servers.startHerald(this.#env);
    servers.watch.evidence = () => this.#evidence();
  }

  static async start(options: E2eOptions): Promise<E2eStack> {
    const directory = await mkdtemp(join(tmpdir(), 'herald-e2e-'));
    const configurationFile = join(directory, 'herald.yml');
    await writeFile(configurationFile, options.config ?? TEAM_CONFIGURATION);
    const lines: string[] = [];
    // The clock of PostgreSQL's server is the machine's, and replicas go by it.
    const quick = options.isQuick && !ON_POSTGRES ? quickClock() : undefined;
    const servers = await startServers({
      mode: options.mode ?? TRANSPORT,
      ports: { workspace: 0, carrier: 0, herald: await freePort('127.0.0.1') },
      dataDir: directory,
      configurationFile,
      weather: options.weather ?? WEATHER,
      ...(options.reports ? { reports: options.reports } : {}),
      ...(options.registered ? { registered: options.registered } : {}),
      ...(quick && { clock: quick.clock }),
      others: { ...quick?.others, ...options.others },
      onLine: (line) => lines.push(line),
    });
    const stack = new E2eStack(options, servers, directory, lines, await databaseUrl(), quick);
    await stack.#ready();
    return stack;
  }

  /** Everything Herald has said on standard output and error, since the stack began. */
  logs(): string {
    return this.#lines.join('\n');
  }

  /** Ends Herald in the middle of whatever it does. */
  killHerald(): Promise<Exit> {
    return this.#herald.kill();
  }

  stopHerald(): Promise<Exit> {
    return this.#herald.stop();
  }

  /** Runs one of Herald's other commands over the same data to its end, e.g. `['backup', path]`. */
  async command(
    words: readonly string[],
    env: EnvironmentChanges = {},
  ): Promise<{ readonly code: number | null; readonly said: string }> {
    const lines: string[] = [];
    const onLine = (line: string) => lines.push(line);
    const { code } = await this.#servers.startHerald({ ...this.#env, ...env }, words, onLine).exited;
    return { code, said: lines.join('\n') };
  }

  /** Starts Herald where it is expected to refuse; returns what it said. */
  async refusedStart(env: EnvironmentChanges = {}): Promise<string> {
    const { code, said } = await this.command([], env);
    if (code !== 1) throw new Error(`Herald ended with ${code} and said:\n${said}`);
    return said;
  }

  /** Sends Herald a signal, and does not wait for what comes of it. */
  signal(name: NodeJS.Signals): Promise<Exit> {
    this.#herald.signal(name);
    return this.#herald.exited;
  }

  /** Starts Herald again over the same data, perhaps with another team file or environment. */
  async restart(changes: { config?: string; env?: EnvironmentChanges } = {}): Promise<void> {
    if (this.#herald.running) await this.#herald.stop();
    if (changes.config !== undefined) await writeFile(join(this.#directory, 'herald.yml'), changes.config);
    this.#herald = this.#servers.startHerald({ ...this.#env, ...changes.env });
    await this.#ready();
  }

  /** Where Herald keeps its database. */
  get dataDirectory(): string {
    return this.#directory;
  }

  /** The bytes of Herald's database and its journal, as text; of PostgreSQL, everything that its tables hold. */
  async databaseBytes(): Promise<string> {
    if (this.#databaseUrl !== undefined) return contentsOf(this.#databaseUrl);
    const files = (await readdir(this.#directory)).filter((name) => name.startsWith('herald.db'));
    const contents = await Promise.all(files.map((name) => readFile(join(this.#directory, name), 'latin1')));
    return contents.join('');
  }

  /** From now on the database refuses to change a column, until what this returns is called. */
  async refuseChanges(table: string, column: string): Promise<() => Promise<void>> {
    const event = `TRIGGER refuse_${column} BEFORE UPDATE OF ${column} ON ${table}`;
    if (this.#databaseUrl === undefined) {
      await this.#inDatabase(`CREATE ${event} BEGIN SELECT RAISE(ABORT, 'refused by a test'); END`);
      return () => this.#inDatabase(`DROP TRIGGER refuse_${column}`);
    }
    await this.#inDatabase(
      `CREATE FUNCTION no_${column}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused by a test'; END $$;
      CREATE ${event} FOR EACH ROW EXECUTE FUNCTION no_${column}()`,
    );
    return () => this.#inDatabase(`DROP FUNCTION no_${column} CASCADE`);
  }

  /** As somebody else who has the database open. */
  async #inDatabase(sql: string): Promise<void> {
    if (this.#databaseUrl !== undefined) return void (await directly(this.#databaseUrl, sql));
    const database = new DatabaseSync(join(this.#directory, 'herald.db'), { timeout: 5_000 });
    try {
      database.exec(sql);
    } finally {
      database.close();
    }
  }

  async stop(): Promise<void> {
    await this.#herald.stop();
    await this.#servers.close();
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #ready(): Promise<void> {
    if (!(await this.#herald.ready())) {
      const said = this.logs();
      await this.stop();
      throw new Error(`Herald did not become ready. It said:\n${said}`);
    }
  }

  #evidence(): string {
    const messages = this.messages().map((message) => messageText(message));
    const requests = this.carrier.state().requests.map(({ path, result }) => `${path} ${result.note}`);
    const last = this.#lines.slice(-EVIDENCE_LINES);
    return [
      'In the channels:',
      ...messages.slice(-EVIDENCE_LINES),
      'At the carrier:',
      ...requests.slice(-EVIDENCE_LINES),
      'Herald’s last lines:',
      ...last,
    ].join('\n');
  }
}

const EVIDENCE_LINES = 12;

/** Which store the suite runs on: `HERALD_E2E_STORE=postgres` takes a PostgreSQL database for each stack. */
const ON_POSTGRES = process.env.HERALD_E2E_STORE === 'postgres';

function databaseUrl(): Promise<string | undefined> {
  return ON_POSTGRES ? preparedDatabase() : Promise.resolve(undefined);
}

const SPEED = 2;
/** Slack's own, by the clock of the test. */
const PING_INTERVAL_MS = 10_000 / SPEED;
/** Three seconds of the machine, as the time to acknowledge is: what has to be computed within them is not hurried. */
const TRIGGER_LIFETIME_MS = 3_000 * SPEED;

type QuickClock = ReturnType<typeof quickClock>;

/** A clock for Herald, by its environment, and the same for the sandbox. */
function quickClock() {
  const since = Date.now();
  const file = new URL(`./quick-clock.ts?since=${since}&speed=${SPEED}`, import.meta.url);
  const clock = {
    now: () => Math.floor(since + (Date.now() - since) * SPEED),
    after: (ms: number, run: () => void) => systemClock.after(ms / SPEED, run),
  };
  const env = { NODE_OPTIONS: `--import=${file.href}` };
  return {
    clock,
    env,
    others: { clock, pingIntervalMs: PING_INTERVAL_MS, triggerLifetimeMs: TRIGGER_LIFETIME_MS },
  };
}

/** What is started before the first test of a file, or of a group in it, and stopped after the last. */
export function running<Thing extends { stop(): Promise<unknown> }>(start: () => Promise<Thing>): Thing {
  let thing: Thing | undefined;
  beforeAll(async () => {
    thing = await start();
  });
  afterAll(() => thing?.stop());
  return new Proxy({} as Thing, {
    get: (_target, name) => {
      const part: unknown = thing && Reflect.get(thing, name, thing);
      return typeof part === 'function' ? part.bind(thing) : part;
    },
  });
}

export function runningStack(options?: E2eOptions): E2eStack {
  return running(() => startStack(options));
}

export function startStack(options: E2eOptions = {}): Promise<E2eStack> {
  return E2eStack.start(options);
}
