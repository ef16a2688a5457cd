import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import type { OptOut } from '../../src/sends/audience.ts';
import { journaledIn, withJournal } from '../../src/store/opt-out-journal.ts';
import { createBackups, isOverdue } from '../../src/store/sqlite/backups.ts';
import { putBack } from '../../src/store/sqlite/put-back.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { fileSetting, refusalOf } from './file-setting.ts';
import { oneSend } from './steps.ts';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 10, 21, 12);
const optOut = (number: string): OptOut => ({
  number: number as Msisdn,
  at: 3,
  actor: 'U0ASHA',
  source: 'command',
});

const { at, file, folder, start, stop } = fileSetting();
const to = () => at('backups');
const backups = (keep = 2) => createBackups(file(), { every: 24, keep, to: to() });

describe('backups in a folder', () => {
  it('are made while the database is used, for their owner only, and the oldest ones go', async () => {
    const { sends } = start();
    expect(backups().latest(NOON)).toBeUndefined();
    for (const day of [0, 1, 2]) {
      await sends.create(oneSend(`S-${day}`));
      const taken = await backups().take(NOON + day * 24 * HOUR);
      expect(taken).toEqual({ ok: true, value: { sends: day + 1, optOuts: 0 } });
    }
    expect(readdirSync(to())).toEqual(['herald-2026-11-22T12-00-00Z.db', 'herald-2026-11-23T12-00-00Z.db']);
    expect([
      statSync(to()).mode & 0o777,
      statSync(join(to(), 'herald-2026-11-23T12-00-00Z.db')).mode & 0o777,
    ]).toEqual([0o700, 0o600]);
    expect(backups().latest(NOON + 60 * HOUR)).toBe(NOON + 48 * HOUR);
    // Where the clock was set back, a backup of the future keeps nobody from making one.
    expect(backups().latest(NOON + 47 * HOUR)).toBe(NOON + 24 * HOUR);
  });

  it('stay when they were made under a clock that was set back since', async () => {
    start();
    for (const day of [40, 41, 1]) await backups().take(NOON + day * 24 * HOUR);
    expect(backups().latest(NOON + 30 * HOUR)).toBe(NOON + 24 * HOUR);
    for (const day of [2, 3]) await backups().take(NOON + day * 24 * HOUR);
    expect(readdirSync(to()).map((name) => name.slice(0, 'herald-2026-12-31'.length))).toEqual([
      ...['herald-2026-11-23', 'herald-2026-11-24', 'herald-2026-12-31', 'herald-2027-01-01'],
    ]);
  });

  it('leave alone what is not theirs, and nothing of one that was broken off', async () => {
    start();
    await backups().take(NOON);
    for (const name of [
      'notes.txt',
      '.herald-backup.unfinished-journal',
      '.herald-backup.unfinished',
      '..herald-backup.unfinished.lock',
      'of-another-program.unfinished',
    ])
      writeFileSync(join(to(), name), name.endsWith('.lock') ? '' : 'half');
    expect(backups().latest(NOON + 9 * HOUR)).toBe(NOON);
    await backups(1).take(NOON + 24 * HOUR);
    expect(readdirSync(to())).toEqual([
      'herald-2026-11-22T12-00-00Z.db',
      'notes.txt',
      'of-another-program.unfinished',
    ]);
  });

  it('are none where the folder cannot be read, and the next one says why it is not made', async () => {
    start();
    writeFileSync(to(), 'a file');
    expect(backups().latest(NOON)).toBeUndefined();
    expect(await refusalOf(backups().take(NOON))).toMatch(/^The database .+ could not be opened: ENOTDIR/);
  });

  it('keep the good ones when one fails', async () => {
    start();
    await backups(1).take(NOON);
    await stop();
    rmSync(file());
    expect(await refusalOf(backups(1).take(NOON + HOUR))).toEqual(
      `There is no database ${file()} that this user can see. Check the path, and whose folder it is.`,
    );
    expect(readdirSync(to())).toEqual(['herald-2026-11-21T12-00-00Z.db']);
  });

  it('are overdue after twice the time between two', async () => {
    start();
    await backups().take(NOON);
    expect([47, 49].map((hours) => isOverdue(backups(), NOON + hours * HOUR, 0))).toEqual([false, true]);
    const none = createBackups(file(), { every: 1, keep: 1, to: at('nowhere') });
    expect([NOON - HOUR, NOON - 3 * HOUR].map((since) => isOverdue(none, NOON, since))).toEqual([
      false,
      true,
    ]);
  });
});

describe('opt-outs', () => {
  /** Opt-outs of the database after `PATH` was put back. */
  async function restored(): Promise<unknown> {
    const back = await putBack(file(), join(to(), 'herald-2026-11-21T12-00-00Z.db'), NOON);
    const { audiences } = start();
    const list = await audiences.listOptOuts('', 10);
    return [back.ok && back.value.takenOver, list];
  }

  it('survive a restore of any backup, also when nothing else is left of the database', async () => {
    const logger = createRecordingLogger();
    const { audiences } = withJournal(start(), to(), logger);
    await backups().take(NOON);
    await audiences.optOut([optOut('+911'), optOut('+912'), optOut('+913')]);
    await audiences.optIn('+912' as Msisdn, { at: 5, actor: 'U0RAVI', number: '…12' });
    await audiences.optOut([optOut('+911')]);
    // Herald was killed in the middle of a line.
    writeFileSync(join(to(), 'opt-outs.jsonl'), '\n{"number":"+9199', { flag: 'a' });
    await audiences.optOut([optOut('+914')]);
    await stop();
    const all = [3, [optOut('+911'), optOut('+913'), optOut('+914')]];
    // The database and its marker are there: what it knows and what the journal knows is the same.
    expect(await restored()).toEqual(all);
    await stop();
    for (const name of readdirSync(folder())) if (name !== 'backups') rmSync(at(name));
    expect(await restored()).toEqual(all);
    expect(statSync(join(to(), 'opt-outs.jsonl')).mode & 0o777).toBe(0o600);
    expect(logger.lines).toEqual([]);
  });

  it('are taken back in the journal by whatever spelling of the number', async () => {
    mkdirSync(to());
    const { audiences } = withJournal(start(), to(), createRecordingLogger());
    await audiences.optOut([optOut('+525512345678'), optOut('+541123456789')]);
    await audiences.optIn('+5491123456789' as Msisdn, { at: 4, actor: 'U0ASHA', number: 'masked' });
    expect(journaledIn(to())).toEqual([optOut('+525512345678')]);
  });

  it('stand in the journal in the order in which the database took them', async () => {
    mkdirSync(to());
    const { audiences } = withJournal(start(), to(), createRecordingLogger());
    const many = Array.from({ length: 50_000 }, (_, n) => optOut(`+9198${10_000_000 + n}`));
    const [{ number } = optOut('+91')] = many;
    await Promise.all([
      audiences.optOut(many),
      audiences.optIn(number, { at: 4, actor: 'U0ASHA', number: 'masked' }),
    ]);
    expect(await audiences.findOptOut(number)).toBeUndefined();
    expect(journaledIn(to())?.some((one) => one.number === number)).toBe(false);
  });

  it('stand in the journal before anybody hears that they are in force', async () => {
    mkdirSync(to());
    const { audiences } = withJournal(start(), to(), createRecordingLogger());
    const [asked] = [optOut('+911')];
    await audiences.optOut([asked]);
    expect(journaledIn(to())).toEqual([asked]);
    await audiences.optIn(asked.number, { at: 4, actor: 'U0ASHA', number: 'masked' });
    expect(journaledIn(to())).toEqual([]);
  });

  it('are given all the same when the journal cannot be written', async () => {
    const logger = createRecordingLogger();
    const { audiences } = withJournal(start(), at('nowhere'), logger);
    expect(await audiences.optOut([optOut('+911')])).toBe(1);
    expect(await audiences.countOptOuts()).toBe(1);
    expect(logger.lines.map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'a change of the opt-out list is not in the folder of backups'],
    ]);
  });

  it('are said to be lost where neither the database nor a journal can be read', async () => {
    start();
    await backups().take(NOON);
    await stop();
    rmSync(file());
    const [takenOver] = (await restored()) as [unknown];
    expect(takenOver).toBeUndefined();
  });
});
