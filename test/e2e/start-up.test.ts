import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { type EnvironmentChanges, type Stack, startStack } from '../../sandbox/stack.ts';
import { TEAM_CONFIGURATION } from './team.ts';

let directory: string;
let servers: Stack;
let heraldPort: number;
let lines: string[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'herald-start-'));
  const configurationFile = join(directory, 'herald.yml');
  await writeFile(configurationFile, TEAM_CONFIGURATION);
  heraldPort = await freePort('127.0.0.1');
  servers = await startStack({
    mode: 'socket',
    ports: { workspace: 0, carrier: 0, herald: heraldPort },
    dataDir: directory,
    configurationFile,
    onLine: (line) => lines.push(line),
  });
});
afterAll(async () => {
  await servers?.close();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(() => {
  lines = [];
});

function expectNoStackTrace(said: string): void {
  expect(said).not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
  expect(said).not.toMatch(/node:internal|ZodError|UnhandledPromise/);
}

/** Starts Herald, which refuses in a sentence; resolves with all that it said. */
async function refused(changes: EnvironmentChanges, ...named: readonly (string | RegExp)[]): Promise<string> {
  expect(await servers.startHerald(changes).exited).toEqual({ code: 1, signal: null });
  const said = lines.join('\n');
  for (const name of named) expect(said).toMatch(name);
  expectNoStackTrace(said);
  return said;
}

async function teamFile(name: string, text: string): Promise<{ readonly HERALD_CONFIG: string }> {
  await writeFile(join(directory, name), text);
  return { HERALD_CONFIG: join(directory, name) };
}

describe('a start that cannot succeed ends with code 1 and a sentence', () => {
  test('nothing configured: every missing key at once', async () => {
    const keys = ['SLACK_BOT_TOKEN', 'MESSAGING_BASE_URL', 'MESSAGING_FLASH_URL', 'MESSAGING_API_KEY'];
    const others = ['SLACK_APP_TOKEN', 'SLACK_API_URL', 'HERALD_CONFIG', 'DATABASE_URL', 'PORT', 'HOST'];
    const absent = Object.fromEntries([...keys, ...others].map((key) => [key, undefined]));
    await refused(absent, ...keys, 'SLACK_SIGNING_SECRET', 'HERALD_CONFIG');
  });

  test('several wrong values, in the environment and in the file, all named, no secret shown', async () => {
    const wrong = await teamFile(
      'wrong.yml',
      'senders: { chatapp: [{ number: "12", label: Support }] }\ntemplates: [{ name: Bad Name, channel: chatapp, variant: text }]\napprovalz: {}\n',
    );
    const SLACK_BOT_TOKEN = 'secret-without-prefix';
    const said = await refused(
      { ...wrong, SLACK_BOT_TOKEN, MESSAGING_BASE_URL: 'not a url', PORT: '70000' },
      ...['SLACK_BOT_TOKEN', 'MESSAGING_BASE_URL', 'PORT'],
      ...['senders.chatapp', 'templates', 'approvalz', 'approvals'],
    );
    expect(said).not.toContain(SLACK_BOT_TOKEN);
  });

  test('a team file that does not exist, is not YAML, or is empty', async () => {
    await refused({ HERALD_CONFIG: join(directory, 'absent.yml') }, 'absent.yml');
    await refused(await teamFile('broken.yml', 'senders: [\n  - {'), 'broken.yml');
    await refused(await teamFile('empty.yml', ''), 'senders');
  });

  test.each([
    ['SLACK_BOT_TOKEN', 'xoxb-of-another-workspace'],
    ['SLACK_APP_TOKEN', 'xapp-of-another-app'],
  ])('%s is refused', async (name, token) => {
    expect(await refused({ [name]: token }, name)).not.toContain('of-another');
  });

  test('the port is taken', async () => {
    const occupant = createServer().listen(heraldPort, '127.0.0.1');
    await once(occupant, 'listening');
    try {
      await refused({}, String(heraldPort), 'PORT');
    } finally {
      occupant.close();
      await once(occupant, 'close');
    }
  });

  test('the database cannot be opened', async () => {
    await refused({ DATABASE_URL: `file:${join(directory, 'herald.yml')}` }, /DATABASE_URL|database/i);
  });
});

describe('a second Herald on the same database', () => {
  test('ends with code 1 and a sentence; the first one goes on', async () => {
    const first = servers.startHerald();
    expect(await first.ready()).toBe(true);
    try {
      const PORT = String(await freePort('127.0.0.1'));
      await refused({ PORT }, /is in use by another Herald\. Stop that one first, or name another file\./);
      expect(await first.ready()).toBe(true);
    } finally {
      await first.stop();
    }
  });
});

describe('a good start', () => {
  test('says what it is, shows no secret, and ends with code 0 when asked to', async () => {
    const herald = servers.startHerald();
    expect(await herald.ready()).toBe(true);
    expect(await herald.stop()).toEqual({ code: 0, signal: null });
    const said = lines.join('\n');
    expect(said).not.toMatch(/xoxb-|xapp-|sandbox-api-key|sandbox-signing-secret/);
    expectNoStackTrace(said);
  });
});
