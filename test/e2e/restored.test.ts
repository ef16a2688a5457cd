import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { opened } from '../../src/store/sqlite/newest-copy.ts';
import { askByNumbers, clickOn, NUMBERS, reached } from './bulk-steps.ts';
import { type E2eStack, startStack } from './stack.ts';
import { APPROVALS, ASHA, RAVI, TEAM, WITH_APPROVALS } from './team.ts';

/** Who opted out before the backup was made, and since. */
const [BEFORE, SINCE] = ['+919812399901', '+919812399902'] as const;

function isWhole(file: string): boolean {
  const database = opened(file);
  try {
    return database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check === 'ok';
  } catch {
    return false;
  } finally {
    database.close();
  }
}

// A PostgreSQL database is put back by its own server; test/store/postgres-opening.test.ts does that.
const name = 'a database that was restored';
describe(name, () => {
  let stack: E2eStack;
  afterEach(() => stack?.stop());

  test('put back by restore it sends to nobody again, forgets no opt-out, and goes on when a person says so', async () => {
    stack = await startStack({ config: WITH_APPROVALS, isQuick: true });
    const asha = stack.person(ASHA);
    const optOut = async (number: string) => {
      await stack.says(ASHA, `/optout add ${number}`, /opt/);
    };
    await optOut(BEFORE);
    await askByNumbers(stack, APPROVALS, 'The shop opens at nine.');
    const file = join(stack.dataDirectory, 'herald.db');
    const copy = join(stack.dataDirectory, 'backup');
    expect(await stack.command(['backup', copy])).toEqual({
      code: 0,
      said: `Backed up to ${copy}, and checked: 1 send, 1 opt-out.`,
    });
    expect(await stack.command(['backup', copy])).toMatchObject({ code: 1 });
    await optOut(SINCE);
    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await stack.eventually('everybody', () => reached(stack).length === NUMBERS.length);
    await stack.untilShown(TEAM, /: done/);
    const running = await stack.command(['restore', copy]);
    expect(running).toMatchObject({
      code: 1,
      said: expect.stringContaining('is in use by another Herald'),
    });
    await stack.stopHerald();

    // Put back by hand, it is refused: it does not know who has opted out since.
    copyFileSync(file, join(stack.dataDirectory, 'newest'));
    copyFileSync(copy, file);
    expect(await stack.refusedStart()).toContain('is an older copy than the one that was used here last');
    copyFileSync(join(stack.dataDirectory, 'newest'), file);
    const restored = await stack.command(['restore', copy]);
    expect(restored.said).toContain('Opt-outs given since the backup, taken over: 1.');
    expect(restored.code).toBe(0);
    await stack.restart();
    const progress = await stack.untilShown(TEAM, /: stopped/);
    expect(messageText(progress)).toContain('Herald’s database was restored from an older copy');
    expect(messageText(progress)).toMatch(/12\D+may have been sent/);
    const card = await stack.untilShown(APPROVALS, /Stopped by Herald itself/);
    expect(JSON.stringify(card)).not.toContain('approval_approve');
    expect(stack.logs()).toContain('the database is an older copy');
    await stack.untilShown(TEAM, /may or may not have received this/);
    await stack.restart();
    expect(reached(stack).toSorted()).toEqual(NUMBERS);
    const conversation = stack.from(asha);
    for (const number of [BEFORE, SINCE]) await asha.command(TEAM, `/sms ${number} Hello`);
    await stack.eventually(
      'both refusals',
      () => conversation.texts().filter((text) => /opted out/.test(text)).length === 2,
    );

    await clickOn(stack, ASHA, TEAM, 'send_retry_unknown');
    await stack.untilShown(APPROVALS, /please decide/);
    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await stack.eventually('everybody once more', () => reached(stack).length === 2 * NUMBERS.length);
  });

  test('what Herald backs up by itself is put back on a machine of which nothing is left, with every opt-out', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'herald-backups-'));
    stack = await startStack({ config: `${WITH_APPROVALS}backup: { every: 24, keep: 3, to: ${folder} }\n` });
    const made = await stack.eventually(
      'a backup',
      () => /herald-\S+Z\.db$/m.exec(readdirSync(folder).join('\n'))?.[0],
    );
    const asha = stack.person(ASHA);
    const conversation = stack.from(asha);
    await asha.command(TEAM, `/optout add ${SINCE}`);
    await conversation.message(/opt/);
    await stack.stopHerald();
    for (const name of readdirSync(stack.dataDirectory))
      if (name.includes('herald.db')) rmSync(join(stack.dataDirectory, name));
    const restored = await stack.command(['restore', join(folder, made)]);
    expect(restored.said).toContain('Opt-outs given since the backup, taken over: 1.');
    await stack.restart();
    await asha.command(TEAM, `/sms ${SINCE} Hello`);
    await conversation.message(/opted out/);
    expect(reached(stack)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  test('put back alone beside the log of a crash it is not merged, and nobody is reached twice', async () => {
    const slow = `${WITH_APPROVALS}pacing: { sms: { perSecond: 4, concurrency: 1, recipientsPerRequest: 1 } }\n`;
    stack = await startStack({ config: slow });
    await askByNumbers(stack, APPROVALS, 'The shop opens at nine.');
    const file = join(stack.dataDirectory, 'herald.db');
    const copy = join(stack.dataDirectory, 'copy');
    // In a quiet moment the file alone holds everything; while it is written to, a copy is not whole.
    await expect
      .poll(() => {
        copyFileSync(file, copy);
        return isWhole(copy) && readFileSync(copy).includes('The shop opens at nine.');
      })
      .toBe(true);
    await stack.person(ASHA).command(TEAM, `/optout add ${SINCE}`);
    await expect.poll(() => readFileSync(file).includes(SINCE)).toBe(true);
    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await stack.eventually('some', () => reached(stack).length >= 3);
    await stack.killHerald();
    const before = reached(stack);
    const log = readFileSync(`${file}-wal`);
    copyFileSync(copy, file);
    const said = await stack.refusedStart();
    expect(said).toContain('belongs to another copy of the database');
    expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);

    const accepted = await stack.command(['accept-older-database']);
    expect(accepted).toMatchObject({
      code: 0,
      said: expect.stringContaining('is stopped at that start'),
    });
    await stack.restart();
    await stack.untilShown(TEAM, /: stopped/);
    await stack.restart();
    expect(reached(stack)).toEqual(before);
    expect(new Set(before).size).toBe(before.length);
  });

  test('every command is listed, and one that is not known does not start Herald', async () => {
    stack = await startStack({ config: WITH_APPROVALS });
    const help = await stack.command(['--help']);
    for (const name of ['backup PATH', 'restore [--check] PATH', 'accept-older-database', 'migrate'])
      expect(help.said).toContain(`node dist/main.js ${name}`);
    const unknown = await stack.command(['backpu']);
    expect(unknown).toMatchObject({
      code: 1,
      said: expect.stringContaining('Herald has no command backpu.'),
    });
  });
});
