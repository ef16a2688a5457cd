import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it } from 'vitest';
import { runDoctor } from '../src/doctor.ts';
import { openDatabase } from '../src/store/sqlite/open.ts';
import { versionInWords } from '../src/version.ts';
import { ENVIRONMENT, TEAM } from './config/least.ts';
import { ownFolder } from './folder.ts';
import { typed } from './run-command.ts';
import { openedFile } from './store/file-setting.ts';

const at = ownFolder();
let team: string;
beforeEach(() => {
  team = `${TEAM}\noperators: C0OPS\nbackup: { to: ${at('backups')} }`;
  writeFileSync(at('herald.yml'), team);
});

async function doctor(changes: Readonly<Record<string, string>> = {}, options = ['--offline']) {
  const said: string[] = [];
  const env = {
    ...ENVIRONMENT,
    HERALD_CONFIG: at('herald.yml'),
    DATABASE_URL: `file:${at('data/herald.db')}`,
    WEBHOOK_TOKEN: 'a-token-nobody-guesses',
    ...changes,
  };
  const code = await runDoctor(options, {
    env,
    say: (text) => said.push(text),
    give: (text) => said.push(text),
    untilStopped: new Promise(() => undefined),
  });
  return { code, said: said.join('\n') };
}

it('says each problem of the settings with what would be right', async () => {
  expect(await doctor({ PORT: '3k' })).toEqual({
    code: 1,
    said: [
      `✓ Herald ${versionInWords()}, Node ${process.versions.node}`,
      '✗ Settings',
      '    PORT: found "3k".',
      '    → Expected: a whole number from 0 to 65535 (0 takes any free port).',
      'The rest is looked at once these are right.',
    ].join('\n'),
  });
});

it('advises where something works and may not be meant', async () => {
  const { code, said } = await doctor({ MESSAGING_BASE_URL: 'http://api.example.com', WEBHOOK_TOKEN: '' });
  expect(code).toBe(0);
  expect(said).toContain('! Settings\n    MESSAGING_BASE_URL begins with http:// and names another machine');
  expect(said).toContain('Webhooks are off');
  expect(said).toContain('wire.answers.success is not set');
  expect(said).toContain('Nobody may approve, so a send to more than 1 cannot start.');
  expect(said).toContain('every member may send to anybody');
  expect(said).not.toContain('pages @');
  expect(said).toMatch(/\n0 wrong, 5 to think about\.$/);
});

it.each([3, 0])('says who reaches several people without an approval: up to %i', async (over) => {
  const groups = `groups: { oncall-sg: [{ user: U0MEI }], second: [{ user: U0ARUN }] }`;
  const flash = 'access: { send: { flash: [U0ASHA] } }';
  writeFileSync(at('herald.yml'), `${team}\nalerts: { ${groups}, approvalOver: ${over} }\n${flash}`);
  const { said } = await doctor();
  const pages =
    'Nobody sends to many customers alone; but whoever may send flash SMS pages @oncall-sg, @second without an approval, up to 3 people on call at once and 60 messages an hour.';
  expect(said.includes(pages)).toBe(over === 3);
  expect(said).not.toContain('every member may send');
});

it.each(['localhost', '127.0.0.1:8080', '[::1]', 'carrier.localhost'])(
  'has nothing against http://%s',
  async (host) => {
    const { said } = await doctor({ MESSAGING_BASE_URL: `http://${host}` });
    expect(said).not.toContain('http://');
  },
);

it('counts the approvers that are listed against what the tiers ask for', async () => {
  const approvals = (tiers: number) =>
    `${team}\naccess: { send: { flash: [U0ASHA] } }\napprovals: { approvers: [U0RAVI, U0MEI, U0ASHA], tiers: [{ over: 9, approvals: ${tiers} }] }\nwire: { success: { path: ok } }`;
  writeFileSync(at('herald.yml'), approvals(20));
  expect(await doctor()).toEqual({
    code: 1,
    said: expect.stringContaining('The largest sends need 20 approvals, and 3 may approve.'),
  });
  writeFileSync(at('herald.yml'), approvals(3));
  expect(await doctor()).toEqual({ code: 0, said: expect.stringContaining('none of them can ask for one') });
  writeFileSync(at('herald.yml'), approvals(2));
  expect(await doctor()).toEqual({ code: 0, said: expect.stringContaining('All is well.') });
});

it('leaves the database as it is, and says why it cannot be one', async () => {
  mkdirSync(at('data/herald.db'), { recursive: true });
  const { code, said } = await doctor();
  expect([code, said]).toEqual([1, expect.stringContaining('is a link, a folder or a device')]);
});

it('says which database it looked at, and that there is none yet', async () => {
  const path = at('data/herald.db');
  expect((await doctor()).said).toContain(`✓ Database ${path}, which the start will make\n`);
});

it('says that a file is no database, and that one is damaged', async () => {
  const path = at('other.db');
  const said = async () => (await doctor({ DATABASE_URL: `file:${path}` })).said;
  writeFileSync(path, 'a letter to somebody'.repeat(99));
  expect(await said()).toContain(`The file ${path} is not a database.`);
  rmSync(path);
  openedFile(path).close();
  expect(await said()).not.toContain('damaged');
  const bytes = readFileSync(path);
  bytes.fill(0, bytes.length / 2, bytes.length / 2 + 4_096);
  writeFileSync(path, bytes);
  expect(await said()).toMatch(/^ {4}The database \S+ is damaged \(.+\)\. Use a backup/m);
});

it('says that a signing secret is shorter than Slack’s', async () => {
  const { said } = await doctor({ SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 'shhh' });
  expect(said).toContain('SLACK_SIGNING_SECRET is shorter than what Slack makes (32 characters)');
  expect(said).not.toContain('shhh');
});

it('leaves a file that another program made alone, as the start does', async () => {
  mkdirSync(at('data'));
  const file = at('data/herald.db');
  const other = new DatabaseSync(file);
  other.exec('CREATE TABLE dashboards (title TEXT)');
  other.close();
  const before = readFileSync(file);
  const sentence = `The file ${file} is no database of Herald. Name another file.`;
  expect(await doctor()).toEqual({ code: 1, said: expect.stringContaining(`    ${sentence}`) });
  expect(openDatabase(file)).toEqual({ ok: false, error: sentence });
  expect(readFileSync(file).equals(before)).toBe(true);
});

it('advises against backups beside the database, whatever leads there, and not against a folder below', async () => {
  mkdirSync(at('data'));
  symlinkSync(at('data'), at('elsewhere'));
  for (const [to, isBeside] of [
    ['data/', true],
    ['elsewhere', true],
    ['data/backups', false],
  ] as const) {
    writeFileSync(at('herald.yml'), `${TEAM}\nbackup: { to: ${at(to)} }`);
    const { said } = await doctor();
    expect(said.includes('Backups lie in the folder of the database itself'), to).toBe(isBeside);
    expect(said).toContain('herald.yml names no operators');
  }
});

it('says where it may not write', async () => {
  const file = at('herald.yml');
  const { code, said } = await doctor({ DATABASE_URL: `file:${file}/herald.db` });
  expect([code, said]).toEqual([1, expect.stringContaining(`may not write to the folder ${file}.`)]);
});

it('gives a program one value and nothing beside it, whatever is wrong', async () => {
  for (const [code, changes] of [
    [0, {}],
    [1, { PORT: '3k' }],
  ] as const) {
    const env = {
      ...ENVIRONMENT,
      HERALD_CONFIG: at('herald.yml'),
      DATABASE_URL: `file:${at('herald.db')}`,
      ...changes,
    };
    const { given = '', ...ended } = await typed(['doctor', '--offline', '--json'], env);
    expect(ended).toEqual({ code, said: '' });
    expect(JSON.parse(given)).toMatchObject({ ok: code === 0, parts: expect.any(Array) });
  }
});

it('takes no other option', async () => {
  expect(await doctor({}, ['--online'])).toEqual({
    code: 1,
    said: 'doctor takes --offline and --json, and nothing else.',
  });
});

it('says that there are no backups, that the newest is old, and where they cannot go', async () => {
  mkdirSync(at('backups'));
  const { said } = await doctor();
  expect(said).toContain('✓ Backups\n');
  writeFileSync(at('backups/herald-2025-01-01T00-00-00Z.db'), '');
  const old = await doctor();
  expect(old.said).toContain('The newest backup in');
  expect([old.code, old.said]).toEqual([1, expect.stringContaining('is of 2025-01-01T00:00:00.000Z.')]);
  writeFileSync(at('herald.yml'), TEAM);
  expect(await doctor()).toEqual({ code: 0, said: expect.stringContaining('Herald makes no backups') });
  const nowhere = at('herald.yml/backups');
  writeFileSync(at('herald.yml'), `${TEAM}\nbackup: { to: ${nowhere} }`);
  expect(await doctor()).toEqual({
    code: 1,
    said: expect.stringContaining(`to the folder of backups ${nowhere}.`),
  });
});

it('leaves the backups of PostgreSQL to its own tools', async () => {
  const url = 'postgres://herald:secret@db.example/herald';
  const { said } = await doctor({ DATABASE_URL: url });
  expect(said).toContain('backup in herald.yml is for a database file.');
  writeFileSync(at('herald.yml'), TEAM);
  expect((await doctor({ DATABASE_URL: url })).said).toContain('✓ Backups\n');
});

it('ends at Ctrl-C, however long Slack takes to answer', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const { port } = silent.address() as AddressInfo;
  const env = {
    ...ENVIRONMENT,
    ...{ HERALD_CONFIG: at('herald.yml'), DATABASE_URL: `file:${at('herald.db')}` },
    SLACK_API_URL: `http://127.0.0.1:${port}/api/`,
  };
  const child = spawn(process.execPath, [main, 'doctor'], { env });
  const said = text(child.stderr);
  const [asked] = await once(silent, 'connection');
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([130, null]);
  expect(await said).toMatch(/ Backups\n$/);
  asked.destroy();
  silent.close();
});
