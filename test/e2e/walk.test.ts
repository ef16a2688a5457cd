import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { heraldEnvironment } from '../../sandbox/herald-environment.ts';
import { HeraldProcess } from '../../sandbox/herald-process.ts';
import { messageText } from '../../sandbox/message-text.ts';
import { type Stack, startStack } from '../../sandbox/stack.ts';
import { release } from '../../scripts/release.ts';
import { unpackNext } from '../chaos/next-version.ts';
import { PATIENT } from '../patience.ts';
import { readDocument } from '../written.ts';
import { TEAM_CONFIGURATION } from './team.ts';

/*
 * The first year of an operator with a release, by the commands of README.md and docs/running.md and in their order: installed,
 * looked at, started, backed up, upgraded, taken back, and restored on another machine.
 */
const HOST = '127.0.0.1';
const TO = '+919812345678';
const [FIRST, NEXT] = ['0.1.0', '0.2.0'];
const top = mkdtempSync(join(tmpdir(), 'herald-walk-'));
const published = join(top, 'published');
const [here, there] = [join(top, 'here'), join(top, 'there')];
const BACKUPS = join(top, 'backups');

let stack: Stack;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  for (const folder of [here, there]) mkdirSync(folder);
  await release(published, { commit: '0123456', isRelease: true });
  // Of sources, as Node runs them too.
  mkdirSync(join(top, `herald-${NEXT}`));
  unpackNext(join(top, `herald-${NEXT}`));
  await sh(top, `tar -czf published/herald-${NEXT}.tar.gz herald-${NEXT}`);
  for (const folder of [here, there]) cpSync(published, folder, { recursive: true });
  const configurationFile = join(top, 'herald.yml');
  writeFileSync(configurationFile, `${TEAM_CONFIGURATION}\nbackup: { every: 1, keep: 2, to: ${BACKUPS} }\n`);
  const port = await freePort(HOST);
  const dataDir = join(top, 'outside');
  const ports = { workspace: 0, carrier: 0, herald: port };
  stack = await startStack({ mode: 'socket', ports, dataDir, configurationFile, onLine: () => {} });
  environment = heraldEnvironment({
    ...{ mode: 'socket', slackApiUrl: stack.workspace.apiUrl, carrierUrl: stack.carrier.url },
    ...{ host: HOST, port, databaseFile: './data/herald.db', configurationFile: 'herald.yml' },
  });
}, 120_000);
afterAll(async () => {
  await stack?.close();
  rmSync(top, { recursive: true, force: true });
});

it('a release is installed, upgraded, taken back and restored elsewhere by what the documents say', {
  timeout: 300_000,
}, async () => {
  await install(here);
  let herald = await started(here);
  await say('/sms', `${TO} Hello from Herald`);
  await shown('Hello from Herald');
  await say('/optout', 'add +919812345670');
  await shown('5670 is on the opt-out list');
  await herald.stop();

  await all(here, 'docs/running.md', /^tar -xzf/, NEXT);
  herald = await started(here);
  await say('/optout', 'add +919812345671');
  await shown('5671 is on the opt-out list');
  await herald.stop();

  const rehearsal = 'node --env-file=.env dist/main.js restore --check ./data/herald.db.before-upgrade';
  expect(await sh(here, rehearsal)).toMatch(
    /^The copy is of a version before this one.*\nThe copy .* can be/,
  );
  await expect(sh(here, `ln -sfn herald-${FIRST}/dist dist && ${DOCTOR}`)).rejects.toThrow(
    'by a newer Herald',
  );
  await all(here, 'docs/running.md', /^ln -sfn/, FIRST);
  herald = await started(here);
  for (const number of ['+919812345670', '+919812345671']) await say('/optout', `look up ${number}`);
  await shown('5671 has been on the opt-out list');
  await herald.stop();

  await install(there);
  mkdirSync(join(there, 'from-before'));
  for (const name of globSync('*', { cwd: BACKUPS }))
    copyFileSync(join(BACKUPS, name), join(there, 'from-before', name));
  const [newest = ''] = globSync('herald-*.db', { cwd: BACKUPS }).toSorted().slice(-1);
  const restored = await sh(there, `node --env-file=.env dist/main.js restore ./from-before/${newest}`);
  expect(restored).toMatch(/taken over: 2\.|2 opt-outs/);
  herald = await started(there);
  await herald.stop();
});

const DOCTOR = 'node --env-file=.env dist/main.js doctor';

/** As “Go live” says; then the operator fills in what they were given. */
async function install(folder: string): Promise<void> {
  await all(folder, 'README.md', /^tar -xzf/, FIRST);
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  writeFileSync(join(folder, '.env'), lines.join('\n'));
  copyFileSync(join(top, 'herald.yml'), join(folder, 'herald.yml'));
  await sh(folder, DOCTOR);
}

/** Runs the block of a document that has a line like this one. */
async function all(folder: string, document: string, line: RegExp, version: string): Promise<void> {
  const block = readDocument(document).codeBlocks.find(({ body }) =>
    body.split('\n').some((one) => line.test(one.trim())),
  );
  await sh(folder, `set -e\n${block?.body}`.replaceAll(/X\.Y\.Z|OLD_VERSION/g, version));
}

async function sh(folder: string, text: string): Promise<string> {
  const env = { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
  const { stderr } = await promisify(execFile)('sh', ['-c', text], { cwd: folder, env });
  return stderr;
}

async function started(folder: string): Promise<HeraldProcess> {
  const lines: string[] = [];
  const herald = new HeraldProcess({
    ...{ environment, project: folder, url: stack.heraldUrl, onLine: (line) => lines.push(line) },
  });
  expect(await herald.ready(), lines.join('\n')).toBe(true);
  return herald;
}

async function say(command: string, text: string): Promise<void> {
  await stack.workspace.act({
    type: 'command',
    as: 'U0ASHA',
    channel: 'C0TEAM',
    command,
    text,
    isEncoded: false,
  });
}

async function shown(text: string): Promise<void> {
  const isShown = () => stack.workspace.snapshot().messages.some((one) => messageText(one).includes(text));
  await expect.poll(isShown, { timeout: PATIENT.timeout }).toBe(true);
}
