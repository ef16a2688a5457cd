import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'csv-parse';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { systemClock } from '../../src/core/clock.ts';
import { keepHeapSmall } from '../../src/core/heap.ts';
import { systemRandom } from '../../src/core/random.ts';
import { createAudiences } from '../../src/sends/audiences/service.ts';
import { openSqliteStores } from '../../src/store/sqlite/in-thread.ts';
import { createLogger } from '../../src/telemetry/logger.ts';

/*
 * One contender, one run, in a process of its own, so that its peak memory is its own. Called with the contender's
 * name and the file; says rows a second, with the store already open, or why it was refused, and megabytes to its parent.
 */
const [name, file = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'herald-bench-'));
let begun = 0;
const read = name === 'herald' ? await herald(file) : await asOneWouldFirstWriteIt(file);
const seconds = (performance.now() - begun) / 1_000;
rmSync(folder, { recursive: true });
process.send?.({
  ...(typeof read === 'number' ? { perSecond: read / seconds } : { refused: read.refused }),
  peakMb: process.resourceUsage().maxRSS / 1_024,
});

async function herald(path: string): Promise<number | { readonly refused: string }> {
  keepHeapSmall();
  const stores = await openSqliteStores(join(folder, 'herald.db'));
  if (!stores.ok) throw new Error(stores.error);
  const logger = createLogger({ level: 'info', secrets: [], destination: { write: () => {} } });
  const audiences = createAudiences({
    store: stores.value.audiences,
    clock: systemClock,
    random: systemRandom,
    logger,
    defaultCountry: 'IN',
  });
  begun = performance.now();
  const list = await audiences.fromFile({ name: 'list.csv', bytes: createReadStream(path), by: 'U' });
  await stores.value.sends.close();
  return list.state === 'ready' ? list.audience.counts.read : { refused: `refused: ${JSON.stringify(list)}` };
}

/** csv-parse into objects, libphonenumber on every number, a Set, rows in transactions of 5,000. */
async function asOneWouldFirstWriteIt(path: string): Promise<number> {
  const database = new DatabaseSync(join(folder, 'usual.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE rows (number TEXT PRIMARY KEY, row INTEGER, cells TEXT) STRICT, WITHOUT ROWID');
  database.exec('CREATE TABLE invalid (row INTEGER PRIMARY KEY, value TEXT, cause TEXT) STRICT');
  const insert = database.prepare('INSERT INTO rows (number, row, cells) VALUES (?, ?, ?)');
  const insertInvalid = database.prepare('INSERT INTO invalid (row, value, cause) VALUES (?, ?, ?)');
  const seen = new Set<string>();
  let read = 0;
  begun = performance.now();
  database.exec('BEGIN');
  for await (const record of createReadStream(path).pipe(parse({ columns: true }))) {
    const { phone, ...rest } = record as Record<string, string>;
    read += 1;
    const number = parsePhoneNumberFromString(phone ?? '', 'IN');
    if (!number?.isValid()) insertInvalid.run(read, phone ?? '', 'invalid');
    else if (seen.has(number.number)) insertInvalid.run(read, phone ?? '', 'duplicate');
    else {
      seen.add(number.number);
      insert.run(number.number, read, JSON.stringify(rest));
    }
    if (read % 5_000 === 0) database.exec('COMMIT; BEGIN');
  }
  database.exec('COMMIT');
  database.close();
  return read;
}
