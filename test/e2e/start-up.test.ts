import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import type { Exit } from '../../sandbox/herald-process.ts';
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

/** Starts Herald and waits for its end. */
async function runToItsEnd(changes: EnvironmentChanges): Promise<{ exit: Exit; said: string }> {
  const herald = servers.startHerald(changes);
  const exit = await herald.exited;
  return { exit, said: lines.join('\n') };
}

function expectNoStackTrace(said: string): void {
  expect(said).not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
  expect(said).not.toMatch(/node:internal|ZodError|UnhandledPromise/);
}

describe('a start that cannot succeed ends with code 1 and a sentence', () => {
  test('nothing configured: every missing key at once', async () => {
    const keys = ['SLACK_BOT_TOKEN', 'MESSAGING_BASE_URL', 'MESSAGING_FLASH_URL', 'MESSAGING_API_KEY'];
    const absent = [
      ...keys,
      'SLACK_APP_TOKEN',
      'SLACK_API_URL',
      'HERALD_CONFIG',
      'DATABASE_URL',
      'PORT',
      'HOST',
    ];
    const { exit, said } = await runToItsEnd(Object.fromEntries(absent.map((key) => [key, undefined])));
    expect(exit).toEqual({ code: 1, signal: null });
    for (const key of [...keys, 'SLACK_SIGNING_SECRET', 'HERALD_CONFIG']) expect(said).toContain(key);
    expectNoStackTrace(said);
  });

  test('several wrong values, in the environment and in the file, all named, no secret shown', async () => {
    const configurationFile = join(directory, 'wrong.yml');
    await writeFile(
      configurationFile,
      'senders: { chatapp: [{ number: "12", label: Support }] }\ntemplates: [{ name: Bad Name, channel: chatapp, variant: text }]\napprovalz: {}\n',
    );
    const { exit, said } = await runToItsEnd({
      HERALD_CONFIG: configurationFile,
      SLACK_BOT_TOKEN: 'secret-without-prefix',
      MESSAGING_BASE_URL: 'not a url',
      PORT: '70000',
    });
    expect(exit).toEqual({ code: 1, signal: null });
    for (const name of [
      'SLACK_BOT_TOKEN',
      'MESSAGING_BASE_URL',
      'PORT',
      'senders.chatapp',
      'templates',
      'approvalz',
      'approvals',
    ])
      expect(said).toContain(name);
    expect(said).not.toContain('secret-without-prefix');
    expectNoStackTrace(said);
  });

  test.each([
    ['that does not exist', 'absent.yml', undefined],
    ['that is not YAML', 'broken.yml', 'senders: [\n  - {'],
    ['that is empty', 'empty.yml', ''],
  ])('a team file %s', async (_name, file, text) => {
    const configurationFile = join(directory, file);
    if (text !== undefined) await writeFile(configurationFile, text);
    const { exit, said } = await runToItsEnd({ HERALD_CONFIG: configurationFile });
    expect(exit).toEqual({ code: 1, signal: null });
    expect(said).toMatch(text === '' ? /senders/ : new RegExp(file));
    expectNoStackTrace(said);
  });

  test('the Slack token is refused', async () => {
    const { exit, said } = await runToItsEnd({ SLACK_BOT_TOKEN: 'xoxb-of-another-workspace' });
    expect(exit).toEqual({ code: 1, signal: null });
    expect(said).toMatch(/SLACK_BOT_TOKEN/);
    expect(said).not.toContain('of-another-workspace');
    expectNoStackTrace(said);
  });

  test('the Socket Mode token is refused', async () => {
    const { exit, said } = await runToItsEnd({ SLACK_APP_TOKEN: 'xapp-of-another-app' });
    expect(exit).toEqual({ code: 1, signal: null });
    expect(said).toMatch(/SLACK_APP_TOKEN/);
    expect(said).not.toContain('of-another-app');
    expectNoStackTrace(said);
  });

  test('the port is taken', async () => {
    const occupant = createServer().listen(heraldPort, '127.0.0.1');
    await once(occupant, 'listening');
    try {
      const { exit, said } = await runToItsEnd({});
      expect(exit).toEqual({ code: 1, signal: null });
      expect(said).toContain(String(heraldPort));
      expect(said).toMatch(/PORT/);
      expectNoStackTrace(said);
    } finally {
      occupant.close();
      await once(occupant, 'close');
    }
  });

  test('the database cannot be opened', async () => {
    const { exit, said } = await runToItsEnd({ DATABASE_URL: `file:${join(directory, 'herald.yml')}` });
    expect(exit).toEqual({ code: 1, signal: null });
    expect(said).toMatch(/DATABASE_URL|database/i);
    expectNoStackTrace(said);
  });
});

describe('a second Herald on the same database', () => {
  test('ends with code 1 and a sentence; the first one goes on', async () => {
    const first = servers.startHerald();
    expect(await first.ready()).toBe(true);
    try {
      const { exit, said } = await runToItsEnd({ PORT: String(await freePort('127.0.0.1')) });
      expect(exit).toEqual({ code: 1, signal: null });
      expect(said).toContain('is in use by another Herald. Stop that one first, or name another file.');
      expectNoStackTrace(said);
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
