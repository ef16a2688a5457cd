import { writeFileSync } from 'node:fs';
import { onDatabase } from './backup.ts';
import { environmentSchema } from './config/environment.ts';
import { systemClock } from './core/clock.ts';
import { fail, ok, type Result } from './core/result.ts';
import type { Surroundings } from './herald.ts';
import { spellingsOf } from './messages/numbers/person.ts';
import { createPseudonym } from './messages/numbers/pseudonym.ts';
import { openForOperator, openToRead } from './store/operator.ts';
import { erase, exportOf } from './store/person.ts';
import type { Database } from './store/sql.ts';
import { copiesHolding } from './store/sqlite/beside.ts';
import { createLogger } from './telemetry/logger.ts';

type Task = (options: readonly string[], surroundings: Surroundings) => Promise<number>;

const OWNER_ONLY_FILE = 0o600;
const SENDS_NAMED = 5;
const HELD_BESIDE =
  'These copies beside the database hold it as well; delete them when you will not go back:';
/** As it is kept; it may have left its numbering plan. */
const NUMBER = /^\+\d{4,15}$/;

/** `export NUMBER PATH`. Returns the exit code. */
export const runExport: Task = ([typed = '', path, ...more], surroundings) =>
  withNumber('export', typed, surroundings, async (database, number) => {
    if (path === undefined || more.length > 0)
      return fail('export needs a number and one path, of a file that is not there yet.');
    const kept = JSON.stringify(await exportOf(database, number), undefined, 2);
    try {
      writeFileSync(path, `${kept}\n`, { flag: 'wx', mode: OWNER_ONLY_FILE });
    } catch (error) {
      return fail(`${path} could not be written: ${error instanceof Error ? error.message : error}`);
    }
    return ok(`What is kept of the number is in ${path}.`);
  });

/** `erase NUMBER`. Returns the exit code. */
export const runErase: Task = ([typed = '', ...more], surroundings) =>
  withNumber('erase', typed, surroundings, async (database, number, url) => {
    const key = environmentSchema.shape.PSEUDONYM_KEY.safeParse(surroundings.env.PSEUDONYM_KEY?.trim());
    if (!key.success || key.data === undefined)
      return fail('PSEUDONYM_KEY must be at least 16 characters that nobody can guess. Nothing was erased.');
    if (more.length > 0) return fail('erase needs one number and nothing else. Nothing was erased.');
    const erased = await erase(database, number, createPseudonym(key.data), systemClock.now());
    if ('notEnded' in erased) {
      const { notEnded } = erased;
      const named = notEnded.slice(0, SENDS_NAMED).join(', ');
      return fail(
        `Sends that have not ended hold this number (${notEnded.length}): ${named}. Nothing was erased. Stop them or wait for their end, and do the same again.`,
      );
    }
    const { messages, answers, lists, optedOut } = erased;
    const holding = spellingsOf(number).flatMap((one) => copiesHolding(url, one.slice(1)));
    const copies = [...new Set(holding)].join(', ');
    return ok(
      [
        `Erased from messages (${messages}), answers (${answers}) and rows of lists (${lists}).`,
        ...(optedOut ? ['It stays on the opt-out list, so that nobody writes to it again.'] : []),
        ...(copies === '' ? [] : [`${HELD_BESIDE} ${copies}.`]),
        'Backups hold it until they are deleted: after a restore, do the same again. What was posted in Slack stays there.',
      ].join('\n'),
    );
  });

function withNumber(
  command: string,
  typed: string,
  surroundings: Surroundings,
  work: (database: Database, number: string, url: string) => Promise<Result<string, string>>,
): Promise<number> {
  return onDatabase(surroundings, async (url) => {
    if (!NUMBER.test(typed)) return fail(`${command} needs a whole number, such as +919876543210.`);
    const logger = createLogger({ level: 'error', secrets: [url] });
    const open = command === 'export' ? openToRead : openForOperator;
    const database = await open(url, { clock: systemClock, logger });
    if (!database.ok) return database;
    const done = await work(database.value, typed, url);
    await database.value.close();
    return done;
  });
}
