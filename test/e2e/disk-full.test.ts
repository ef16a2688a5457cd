import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { NUMBERS, reached, sendToMany } from './bulk-steps.ts';
import { type E2eStack, startStack } from './stack.ts';
import { ASHA, CUSTOMER, slowly, TEAM, WITH_APPROVALS } from './team.ts';

const CONFIG = WITH_APPROVALS + slowly(2);

/** A disk of 8 MB, or why there is none here: only the superuser may mount one. */
function smallDisk(): { readonly folder: string } | { readonly problem: string } {
  const folder = mkdtempSync(join(tmpdir(), 'herald-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'pipe' });
    return { folder };
  } catch (error) {
    rmSync(folder, { recursive: true });
    return { problem: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
  }
}

function removeDisk(folder: string): void {
  execFileSync('umount', [folder]);
  rmSync(folder, { recursive: true });
}

const trial = smallDisk();
if ('folder' in trial) removeDisk(trial.folder);
const onFile = process.env.HERALD_E2E_STORE !== 'postgres';
const reason = 'problem' in trial ? trial.problem : onFile ? undefined : 'PostgreSQL has a disk of its own';
const name = reason === undefined ? 'a full disk' : `a full disk (skipped: ${reason})`;

describe.skipIf(reason !== undefined)(name, () => {
  let stack: E2eStack | undefined;
  let folder: string | undefined;
  afterEach(async () => {
    await stack?.stop();
    if (folder !== undefined) removeDisk(folder);
  });

  test('nothing is sent that could not be recorded, everybody is told, and it goes on by itself', async () => {
    const disk = smallDisk();
    if ('problem' in disk) throw new Error(disk.problem);
    folder = disk.folder;
    const env = { DATABASE_URL: `file:${join(folder, 'herald.db')}` };
    const herald = await startStack({ config: CONFIG, env });
    stack = herald;
    await sendToMany(herald, 'The shop opens at nine.');
    await herald.untilShown(TEAM, /: sending/);
    const filler = keepFull(folder);
    await herald.untilShown(TEAM, /Herald cannot write to its database, so it sends to nobody/, 30_000);
    // What was claimed before the disk was full may be on its way; from now on nobody is.
    const before = reached(herald).length;
    // Once, however long it lasts and however many writes wait.
    expect(herald.logs().match(/the database is gone, or takes no writes, since \d{4}-/g)).toHaveLength(1);
    expect(herald.logs()).not.toContain('the store refused a write');
    const asha = herald.person(ASHA);
    const conversation = herald.from(asha);
    await asha.command(TEAM, `/sms ${CUSTOMER} One more`);
    await conversation.message(/could not write this message to its database.*Nothing was sent/s);
    await asha.command(TEAM, '/herald status');
    await conversation.message(/The database takes no writes/);
    const readiness = await fetch(`${herald.heraldUrl}/readyz`);
    expect([readiness.status, await readiness.text()]).toEqual([
      503,
      expect.stringContaining('The database takes no writes'),
    ]);
    expect(reached(herald)).toHaveLength(before);
    filler.remove();
    const done = await herald.untilShown(TEAM, /: done/, 30_000);
    expect(messageText(done)).not.toContain('cannot write');
    expect(reached(herald).toSorted()).toEqual(NUMBERS);
  });

  test('a start and a stop are told in sentences', async () => {
    const disk = smallDisk();
    if ('problem' in disk) throw new Error(disk.problem);
    folder = disk.folder;
    const herald = await startStack({ config: CONFIG });
    stack = herald;
    const env = { DATABASE_URL: `file:${join(folder, 'herald.db')}` };
    await herald.restart({ env });
    const asha = herald.person(ASHA);
    const conversation = herald.from(asha);
    await asha.command(TEAM, `/optout add ${CUSTOMER}`);
    await conversation.message(/opt/);
    const filler = join(folder, 'filler');
    await herald.eventually('that it is not ready, where nothing else writes', async () => {
      fill(disk.folder);
      return (await fetch(`${herald.heraldUrl}/readyz`)).status === 503;
    });
    const doctor = await herald.command(['doctor', '--offline'], env);
    expect(doctor).toEqual({
      code: 1,
      said: expect.stringContaining('The disk of the database has 0 MB left.'),
    });
    const exit = await herald.stopHerald();
    expect(exit.signal).toBeNull();
    // What the log took is free again.
    const rest = fill(folder, 'rest');
    const said = await herald.refusedStart(env);
    expect(said).toMatch(/^Herald (cannot start|broke off): .*is full, or gives errors\. Make room there/m);
    expect(herald.logs()).not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
    for (const path of [filler, rest]) rmSync(path);
    await herald.restart({ env });
    const after = herald.from(asha);
    await asha.command(TEAM, `/sms ${CUSTOMER} Hello`);
    await after.message(/opted out/);
  });
});

/** Leaves no byte free. */
/** Also when a log that is emptied gives room back. */
function keepFull(folder: string): { remove(): void } {
  const path = fill(folder);
  const again = setInterval(() => fill(folder), 20);
  return {
    remove: () => {
      clearInterval(again);
      rmSync(path);
    },
  };
}

function fill(folder: string, name = 'filler'): string {
  const path = join(folder, name);
  for (const bytes of [65_536, 4_096]) {
    const piece = Buffer.alloc(bytes);
    try {
      for (;;) writeFileSync(path, piece, { flag: 'a' });
    } catch {
      // No more of this size.
    }
  }
  return path;
}
