import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { heraldEnvironment } from '../../sandbox/herald-environment.ts';
import { HeraldProcess } from '../../sandbox/herald-process.ts';
import { type Stack, startStack } from '../../sandbox/stack.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { describeWithPostgres, freshDatabase } from '../postgres/database.ts';
import { readDocument } from '../written.ts';
import { TEAM_CONFIGURATION } from './team.ts';

/*
 * Every command of docs/running.md in a folder as an operator has it; addresses of the examples become those
 * of the test.
 */
const HOST = '127.0.0.1';
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** What is not run here, and why. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/\bsudo (?!\/opt\/herald\/deploy\/as-unit\.sh )/, 'it changes the machine, and needs systemd'],
  [/^docker /, 'it needs Docker'],
  [/^(?:tar|ln) /, 'test/e2e/walk.test.ts does it, with two versions'],
  [
    /^(?:\(umask 077; )?(?:pg_dump|pg_restore|createdb) /,
    'it needs the programs of the server’s own version',
  ],
];

const commands = readDocument('docs/running.md')
  .codeBlocks.filter(({ language }) => language === 'sh')
  .flatMap(({ body }) => body.replaceAll('\\\n', ' ').split('\n'))
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('#'));
const reasonFor = (command: string) => NOT_RUN.find(([pattern]) => pattern.test(command))?.[1];

let folder: string;
let stack: Stack;
let environment: Readonly<Record<string, string>>;
let addresses: readonly (readonly [string, string])[];

await describeWithPostgres('the commands of docs/running.md', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'herald-running-'));
    for (const name of ['dist', 'scripts', 'package.json'])
      symlinkSync(join(PROJECT, name), join(folder, name));
    writeFileSync(join(folder, 'herald.yml'), TEAM_CONFIGURATION);
    const port = await freePort(HOST);
    stack = await startStack({
      mode: 'socket',
      ports: { workspace: 0, carrier: 0, herald: port },
      dataDir: join(folder, 'sandbox'),
      configurationFile: join(folder, 'herald.yml'),
      onLine: () => {},
    });
    environment = heraldEnvironment({
      mode: 'socket',
      slackApiUrl: stack.workspace.apiUrl,
      carrierUrl: stack.carrier.url,
      host: HOST,
      port,
      databaseFile: './data/herald.db',
      configurationFile: 'herald.yml',
    });
    const given = { ...environment, PSEUDONYM_KEY: 'a-key-that-nobody-guesses' };
    const lines = Object.entries(given).map(([name, value]) => `${name}=${value}`);
    writeFileSync(join(folder, '.env'), lines.join('\n'));
    upgradeIn(join(folder, 'data'));
    addresses = [
      // What the script does with a unit of systemd, test/deploy.test.ts tries.
      ['sudo /opt/herald/deploy/as-unit.sh', 'node --env-file=.env dist/main.js'],
      ['/var/lib/herald/from-before/herald-2026-11-23T03-00-00Z.db', './data/herald.db.before-upgrade'],
      ['/var/lib/herald/', './data/'],
      ['postgres://user:password@host:5432/herald', await freshDatabase()],
      ['postgres://herald@db/herald_restored', await freshDatabase()],
      ['postgres://herald@db/herald', await withHeraldsTables(await freshDatabase())],
      // With its end: the port of a database may begin with the same digits.
      ['127.0.0.1:3000/', `${HOST}:${port}/`],
    ];
  });
  afterAll(async () => {
    await stack?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // A move last, because it closes the file to the others.
  const moves = (command: string) => Number(command.includes('migrate'));
  const run = commands.filter((command) => reasonFor(command) === undefined);
  it.each(run.toSorted((one, other) => moves(one) - moves(other)))('%s', async (command) => {
    // Before a move Herald has seen what was restored, and has stopped.
    if (moves(command) > 0) await (await startHerald()).stop();
    const running = command.startsWith('curl') ? await startHerald() : undefined;
    const here = addresses.reduce((text, [from, to]) => text.replaceAll(from, to), command);
    const ended = await promisify(execFile)('sh', ['-c', here], {
      cwd: folder,
      env: { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
    }).then(
      () => 'ended well',
      ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}\n${stderr}`,
    );
    await running?.stop();
    expect(ended).toBe('ended well');
  });

  it('or the reason why one is not run', () => {
    const left = commands.flatMap((command) => reasonFor(command) ?? []);
    expect([...new Set(left)].toSorted()).toEqual(NOT_RUN.map(([, reason]) => reason).toSorted());
    expect(commands.length - left.length).toBeGreaterThan(5);
    for (const command of commands)
      if (reasonFor(command) !== undefined) console.log(`NOT RUN, because ${reasonFor(command)}: ${command}`);
    // Restored several times: what was there lies beside, named by the second.
    expect(
      readdirSync(join(folder, 'data')).filter((name) => /\.before-\d{4}[^-]*-\d\d-\d\dT[^.]*$/.test(name))
        .length,
    ).toBeGreaterThan(1);
  });
});

/** A file, and the copy that an upgrade has left of it. */
function upgradeIn(data: string): void {
  mkdirSync(data);
  const file = join(data, 'herald.db');
  const made = openDatabase(file);
  if (!made.ok) throw new Error(made.error);
  made.value.close();
  copyFileSync(file, `${file}.before-upgrade`);
}

async function startHerald(env: Readonly<Record<string, string>> = environment): Promise<HeraldProcess> {
  const lines: string[] = [];
  const process = new HeraldProcess({
    environment: env,
    project: folder,
    url: stack.heraldUrl,
    onLine: (line) => lines.push(line),
  });
  if (!(await process.ready())) throw new Error(lines.join('\n'));
  return process;
}

async function withHeraldsTables(url: string): Promise<string> {
  await (await startHerald({ ...environment, DATABASE_URL: url })).stop();
  return url;
}
