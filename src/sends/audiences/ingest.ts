import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { fail } from '../../core/result.ts';
import { personOf } from '../../messages/numbers/person.ts';
import { type CountryCode, type Msisdn, parsePhoneNumber } from '../../messages/numbers/phone-number.ts';
import type { Audience, AudienceStore, Exclusion, ExclusionCause, ListedRow } from '../audience.ts';
import type { CsvRow } from './csv.ts';

/** Rows per transaction. */
const BATCH = 5_000;

/** Most characters that are stored of an excluded number. */
const LONGEST_VALUE = 100;

const duplicateOf = (row: number) => `Row ${row} is the same number, and each is used once.`;
const SENT =
  'The report in this file says that the message was sent to it, or may have been. To send to it again, clear its “Herald state”.';
const OPTED_OUT = 'This number has opted out.';

export interface IngestOptions {
  readonly store: AudienceStore;
  readonly audience: Parameters<AudienceStore['begin']>[0];
  /** In batches of any size. */
  readonly rows: AsyncIterable<readonly CsvRow[]> | readonly (readonly CsvRow[])[];
  readonly column: NumberColumn;
}

/**
 * Checks every row and stores the list: valid numbers in E.164, each once, without opt-outs; all others as exclusions with
 * their cause. Only the set of numbers is kept in memory. When reading fails, nothing stays stored, and the error is
 * thrown.
 */
export async function ingest({ store, audience, rows, column }: IngestOptions): Promise<Audience> {
  await store.begin(audience);
  const sieve = createSieve(column);
  const writer = createWriter(store, audience.id, sieve);
  try {
    for await (const some of rows)
      for (const row of some) if (sieve.take(row) === BATCH) await writer.write();
    await writer.write();
    await writer.written();
    return await store.finish(audience.id, sieve.counts, writer.digest());
  } catch (error) {
    // A write in flight must not follow the deletion.
    await writer.written().catch(() => undefined);
    await store.abandon(audience.id);
    throw error;
  }
}

/** Names the cells of the rows that are the numbers, and the country of those without `+`. */
export interface NumberColumn {
  readonly index: number;
  readonly country: CountryCode;
}

/** The number of a row, or why there is none. */
export function numberOf(
  { cells, fault }: CsvRow,
  { index, country }: NumberColumn,
  read = parsePhoneNumber,
) {
  return fault === undefined ? read(cells[index] ?? '', country) : fail(fault);
}

/** Rows that are written together. */
type Batch = ReturnType<typeof emptyBatch>;

function emptyBatch() {
  return {
    /** With a valid new number; whether it has opted out is not known yet. */
    listed: [] as ListedRow[],
    /** Their numbers as they were written. */
    typed: [] as string[],
    exclusions: [] as Exclusion[],
  };
}

/** Lists rows or leaves them out, and counts both. */
function createSieve(column: NumberColumn) {
  const seen = createNumberSet();
  const counts = { read: 0, valid: 0, duplicate: 0, opted_out: 0, invalid: 0 };
  let batch = emptyBatch();

  function exclude(to: Exclusion[], row: number, typed: string, cause: ExclusionCause, reason: string): void {
    counts[cause] += 1;
    const value = typed.length > LONGEST_VALUE ? `${typed.slice(0, LONGEST_VALUE).toWellFormed()}…` : typed;
    to.push({ row, value, cause, reason });
  }

  return {
    counts,
    /** Returns how many rows are to be written. */
    take: (source: CsvRow): number => {
      const { row, cells, isSent } = source;
      const { listed, typed: asTyped, exclusions } = batch;
      const typed = cells[column.index] ?? '';
      const number = numberOf(source, column);
      const earlier = number.ok ? seen.add(personOf(number.value), row) : undefined;
      if (!number.ok) exclude(exclusions, row, typed, 'invalid', number.error);
      else if (earlier !== undefined) exclude(exclusions, row, typed, 'duplicate', duplicateOf(earlier));
      else if (isSent) exclude(exclusions, row, typed, 'duplicate', SENT);
      else {
        listed.push([row, number.value, cells.toSpliced(column.index, 1)]);
        asTyped.push(typed);
        counts.valid += 1;
      }
      counts.read += 1;
      return listed.length + exclusions.length;
    },
    /** Returns the rows that were taken since the last call. */
    next: (): Batch => {
      const taken = batch;
      batch = emptyBatch();
      return taken;
    },
    /** Leaves out a row that was listed, because its number has opted out. */
    optOut: (exclusions: Exclusion[], row: number, typed: string): void => {
      counts.valid -= 1;
      exclude(exclusions, row, typed, 'opted_out', OPTED_OUT);
    },
  };
}

/** Writes one batch while the next is checked, in order. */
function createWriter(store: AudienceStore, audienceId: string, sieve: ReturnType<typeof createSieve>) {
  const digest = createHash('sha256');
  /** The two newest writes; each follows the one before it. */
  let [earlier, latest]: [Promise<void>, Promise<void>] = [Promise.resolve(), Promise.resolve()];

  async function write(): Promise<void> {
    const { listed, typed, exclusions } = sieve.next();
    if (listed.length + exclusions.length === 0) return;
    const asked = store.optedOut(listed.map(([, number]) => number));
    // As text, because what waits as many small things has to be moved about in memory.
    const written = append({ rows: JSON.stringify(listed), typed, exclusions }, asked, latest);
    // Failures are reported by the next await, so they are no unhandled rejections.
    for (const promise of [asked, written]) promise.catch(() => undefined);
    const bound = earlier;
    [earlier, latest] = [latest, written];
    // Lets the store's answers in. At most two batches are in flight, to bound the memory.
    await setImmediate();
    await bound;
  }

  async function append(
    { rows, typed, exclusions }: Pick<Batch, 'typed' | 'exclusions'> & { readonly rows: string },
    asked: Promise<ReadonlySet<Msisdn>>,
    before: Promise<void>,
  ): Promise<void> {
    // In order, so that nothing earlier is in flight when this fails.
    await before;
    const optedOut = await asked;
    const isIn = ([row, number]: ListedRow, index: number) => {
      if (optedOut.has(number)) sieve.optOut(exclusions, row, typed[index] ?? '');
      return !optedOut.has(number);
    };
    const valid = optedOut.size === 0 ? rows : JSON.stringify((JSON.parse(rows) as ListedRow[]).filter(isIn));
    digest.update(valid);
    await store.append(audienceId, valid, exclusions);
  }

  return { write, written: () => latest, digest: () => digest.digest('hex') };
}

/** Initial size of a table; doubled whenever three quarters of it are used. */
const FIRST_SIZE = 16;
const MOST_USED = 0.75;
/** 2^32 divided by the golden ratio (Fibonacci hashing), which spreads consecutive numbers. */
const SPREAD = 0x9e3779b1;
/** A table has the numbers that are equal but for their lower 31 bits. */
const RANGE = 2 ** 31;

/**
 * Numbers with their rows in 10 to 22 bytes each: a `Map` of a million strings takes ten times that. Hash tables of the
 * lower bits of numbers, one more each, because 0 marks a free place; beside each stands its row.
 */
export function createNumberSet() {
  const tables = new Map<number, { places: Uint32Array; count: number }>();

  /** Finds the place of `low`, or the free place where it belongs. */
  function placeIn(places: Uint32Array, low: number): number {
    const last = places.length / 2 - 1;
    let place = Math.imul(low, SPREAD) >>> Math.clz32(last);
    while (places[2 * place] !== 0 && places[2 * place] !== low) place = (place + 1) & last;
    return 2 * place;
  }

  function grown(places: Uint32Array): Uint32Array {
    const larger = new Uint32Array(places.length * 2);
    for (let at = 0; at < places.length; at += 2) {
      const low = places[at] ?? 0;
      if (low !== 0) larger.set(places.subarray(at, at + 2), placeIn(larger, low));
    }
    return larger;
  }

  return {
    /** Adds a number in E.164, unless it is there already: then it returns the row that it was added with. */
    add: (number: string, row: number): number | undefined => {
      // Doubles represent the 15 digits of E.164 exactly.
      const digits = Number(number);
      const high = Math.floor(digits / RANGE);
      const low = digits - high * RANGE + 1;
      const table = tables.get(high) ?? { places: new Uint32Array(2 * FIRST_SIZE), count: 0 };
      const place = placeIn(table.places, low);
      if (table.places[place] === low) return table.places[place + 1];
      table.places[place] = low;
      table.places[place + 1] = row;
      table.count += 1;
      if (2 * table.count > table.places.length * MOST_USED) table.places = grown(table.places);
      tables.set(high, table);
      return undefined;
    },
  };
}
