import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, onTestFinished } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { describeWithPostgres } from './database.ts';
import { account, untilReady } from './server.ts';

/** Runs tests that need PgBouncer and PostgreSQL. Where there is no PgBouncer they are skipped, and it is said. */
export async function describeWithPgbouncer(name: string, tests: () => void): Promise<void> {
  const missing = await promisify(execFile)('pgbouncer', ['--version']).then(
    () => undefined,
    (error: unknown) => `pgbouncer cannot be run here (${error}); apt-get install pgbouncer brings it`,
  );
  if (missing === undefined) return describeWithPostgres(name, tests);
  console.log(`${name}: NOT TESTED, because ${missing}.`);
  describe.skip(`${name} (skipped: ${missing})`, tests);
}

/** The address of a PgBouncer before the database at `url`, until the test has ended. */
export async function startPgbouncer(
  url: string,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const { hostname, port, username, password } = new URL(url);
  const folder = await mkdtemp(join(tmpdir(), 'herald-pgbouncer-'));
  const [file, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users')];
  const listening = await freePort('127.0.0.1');
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: listening,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: users,
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  await writeFile(users, `"${username}" "${password}"\n`);
  await writeFile(
    file,
    ['[databases]', `* = host=${hostname} port=${port}`, '[pgbouncer]', ...lines, ''].join('\n'),
  );
  if (account) for (const path of [folder, file, users]) await chown(path, account.uid, account.gid);
  const pooler = spawn('pgbouncer', [file], { ...account, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(async () => {
    const ended = once(pooler, 'exit');
    if (pooler.exitCode === null && pooler.kill('SIGKILL')) await ended;
    await rm(folder, { recursive: true });
  });
  await untilReady(pooler, 'PgBouncer', 'process up');
  return Object.assign(new URL(url), { port: String(listening) }).href;
}
