import { mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { expectOnlyLogAndSentences } from './said.ts';
import { type E2eStack, startStack } from './stack.ts';
import { ASHA, CUSTOMER, TEAM } from './team.ts';

let stack: E2eStack | undefined;
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

describe('signals', () => {
  test('SIGHUP, and a second SIGTERM, wait for what is on its way as the first SIGTERM does', async () => {
    const herald = await startStack();
    stack = herald;
    herald.carrier.setFaults([{ do: { type: 'delay', ms: 2_000 } }]);
    const asha = herald.person(ASHA);
    const conversation = herald.from(asha);
    await asha.command(TEAM, `/sms ${CUSTOMER} Slowly`);
    await conversation.message(/sending/i);
    await herald.eventually('the request', () => herald.carrier.state().requests.length === 1);
    void herald.signal('SIGHUP');
    void herald.signal('SIGTERM');
    expect(await herald.signal('SIGTERM')).toEqual({ code: 0, signal: null });
    await conversation.message(/accepted by the service/i);
    await herald.restart();
    expect(conversation.texts()).toHaveLength(1);
  });
});

describe('a database file that is no good', () => {
  test('a folder is named in a sentence, and stays what it was', async () => {
    stack = await startStack();
    await stack.stopHerald();
    const folder = join(stack.dataDirectory, 'folder');
    mkdirSync(folder, { mode: 0o750 });
    const said = await stack.refusedStart({ DATABASE_URL: `file:${folder}` });
    expect(said).toContain(
      `Herald cannot start: ${folder} is a link, a folder or a device, and the database is a file.`,
    );
    expect(statSync(folder).mode & 0o777).toBe(0o750);
  });

  test('a damaged page is told in a sentence, and the error is in the log', async () => {
    stack = await startStack();
    await stack.stopHerald();
    const file = join(stack.dataDirectory, 'herald.db');
    const database = new DatabaseSync(file);
    const root = database
      .prepare(`SELECT rootpage FROM sqlite_master WHERE name = 'templates'`)
      .get()?.rootpage;
    database.close();
    writeSync(openSync(file, 'r+'), Buffer.alloc(4_096, 'x'), 0, 4_096, (Number(root) - 1) * 4_096);
    const said = await stack.refusedStart();
    expectOnlyLogAndSentences(said);
    expect(said).toMatch(/^Herald broke off: its database is damaged\. Use a backup/m);
    expect(said).toContain('"message":"database disk image is malformed"');
  });
});

test('an error that nobody expected ends Herald with its log redacted, and a sentence', async () => {
  stack = await startStack();
  await stack.stopHerald();
  const secret = 'sandbox-api-key';
  const code = `setTimeout(() => Promise.reject(new Error('to +919812345678 with ${secret}')), 2_000)`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(code)}`;
  const said = await stack.refusedStart({ NODE_OPTIONS });
  expectOnlyLogAndSentences(said);
  expect(said).toMatch(/^Herald broke off: an error that nobody expected/m);
  expect(said).toContain('"msg":"Herald broke off"');
  expect(said).not.toContain('919812345678');
  expect(said).not.toContain(secret);
});
