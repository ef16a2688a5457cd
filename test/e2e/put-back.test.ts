import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { clickOn, NUMBERS, reached, sendToMany } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { ASHA, slowly, TEAM, WITH_APPROVALS } from './team.ts';

const CONFIG = WITH_APPROVALS + slowly(4);

/** Everything of Herald's database in a folder: the file, its log, and the marker that tells copies apart. */
function copyDatabase(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(to)) if (isDatabase(name)) rmSync(join(to, name));
  for (const name of readdirSync(from)) if (isDatabase(name)) cpSync(join(from, name), join(to, name));
}

const isDatabase = (name: string) => /^\.?herald\.db/.test(name);

/** Two hours pass for what lies in a folder. */
function age(folder: string): void {
  const database = new DatabaseSync(join(folder, 'herald.db'));
  database.exec('UPDATE sends SET active_at = active_at - 7200000');
  database.close();
}

// A snapshot of PostgreSQL's files is put back by its own server.
const name = 'a folder put back with its marker, two hours after it was copied in the middle of a send';
describe(name, () => {
  const stack = runningStack({ config: CONFIG });

  test('reaches nobody twice: people are asked', async () => {
    await sendToMany(stack, 'The shop opens at nine.');
    await stack.eventually('some of them', () => reached(stack).length >= 3);
    await stack.killHerald();
    const copy = join(stack.dataDirectory, 'snapshot');
    copyDatabase(stack.dataDirectory, copy);
    await stack.restart();
    await stack.untilShown(TEAM, /: done/);
    const before = reached(stack).toSorted();
    expect(new Set(before).size).toBe(before.length);
    expect(before.length).toBeGreaterThanOrEqual(NUMBERS.length - 1);
    await stack.stopHerald();

    age(copy);
    copyDatabase(copy, stack.dataDirectory);
    await stack.restart();
    const progress = await stack.untilShown(TEAM, /: paused/);
    expect(messageText(progress)).toContain('its last attempt is more than 60 minutes ago');
    for (const action of ['send_resume', 'send_stop']) expect(JSON.stringify(progress)).toContain(action);
    await clickOn(stack, ASHA, TEAM, 'send_stop');
    await stack.untilShown(TEAM, /: stopped/);
    expect(reached(stack).toSorted()).toEqual(before);
  });
});
