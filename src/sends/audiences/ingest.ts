import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { fail, type Result } from '../../core/result.ts';
import { type CountryCode, type Msisdn, parsePhoneNumber } from '../../messages/numbers/phone-number.ts';
import type {
  Audience,
  AudienceCounts,
  AudienceRow,
  AudienceStore,
  Exclusion,
  ExclusionCause,
} from '../audience.ts';
import { createNumberSet } from './number-set.ts';

/** Rows per transaction. */
const BATCH = 2_000;

/** Most characters that are stored of an excluded number. */
const LONGEST_VALUE = 100;

const DUPLICATE = 'This number is also in an earlier row, which is used.';
const SENT =
  'The report in this file says that the message was sent to it, or may have been. To send to it again, clear its “Herald state”.';
const OPTED_OUT = 'This number has opted out.';

/** A row of the source: its number in a spreadsheet, the phone number as written, and its other cells. */
export interface SourceRow {
  readonly row: number;
  readonly number: string;
  readonly values: readonly string[];
  /** Why this row cannot be used, whatever its number. */
  readonly fault?: string;
  /** By the report in which it stands, its message is sent. */
  readonly isSent?: true;
}

export interface IngestOptions {
  readonly store: AudienceStore;
  readonly audience: Parameters<AudienceStore['begin']>[0];
  readonly rows: AsyncIterable<readonly SourceRow[]>;
  readonly defaultCountry: CountryCode;
}

/**
 * Checks every row and stores the list: valid numbers in E.164, each once, without opt-outs; all others as exclusions with
 * their cause. Only the set of numbers is kept in memory. When reading fails, nothing stays stored, and the error is
 * thrown.
 */
export async function ingest({ store, audience, rows, defaultCountry }: IngestOptions): Promise<Audience> {
  await store.begin(audience);
  const intake = createIntake(store, audience.id, defaultCountry);
  try {
    for await (const batch of inBatches(rows)) await intake.take(batch);
    await intake.written();
    return await store.finish(audience.id, intake.counts(), intake.digest());
  } catch (error) {
    // A write in flight must not follow the deletion.
    await intake.written().catch(() => undefined);
    await store.abandon(audience.id);
    throw error;
  }
}

/** The number of a row, or why there is none. */
export function numberOf({ number, fault }: SourceRow, country: CountryCode): Result<Msisdn, string> {
  return fault === undefined ? parsePhoneNumber(number, country) : fail(fault);
}

function shownValue(number: string): string {
  return number.length > LONGEST_VALUE ? `${number.slice(0, LONGEST_VALUE).toWellFormed()}…` : number;
}

/** Rows with a valid new number, whose opt-outs are looked up together. */
interface Candidates {
  readonly sources: SourceRow[];
  readonly numbers: Msisdn[];
}

/** Regroups rows into batches of the size of a transaction. */
async function* inBatches(rows: AsyncIterable<readonly SourceRow[]>): AsyncGenerator<readonly SourceRow[]> {
  let gathered: SourceRow[] = [];
  for await (const some of rows) {
    for (const row of some) {
      gathered.push(row);
      if (gathered.length < BATCH) continue;
      yield gathered;
      gathered = [];
    }
  }
  if (gathered.length > 0) yield gathered;
}

function createIntake(store: AudienceStore, audienceId: string, defaultCountry: CountryCode) {
  const seen = createNumberSet();
  const digest = createHash('sha256');
  const counts: Record<keyof AudienceCounts, number> = {
    read: 0,
    valid: 0,
    duplicate: 0,
    opted_out: 0,
    invalid: 0,
  };
  /** The two newest writes; each follows the one before it. */
  let [earlier, latest]: [Promise<void>, Promise<void>] = [Promise.resolve(), Promise.resolve()];

  async function take(batch: readonly SourceRow[]): Promise<void> {
    const exclusions: Exclusion[] = [];
    const exclude = ({ row, number }: SourceRow, cause: ExclusionCause, reason: string) => {
      counts[cause] += 1;
      exclusions.push({ row, value: shownValue(number), cause, reason });
    };
    const candidates: Candidates = { sources: [], numbers: [] };
    for (const source of batch) {
      const parsed = numberOf(source, defaultCountry);
      if (!parsed.ok) exclude(source, 'invalid', parsed.error);
      else if (!seen.add(parsed.value)) exclude(source, 'duplicate', DUPLICATE);
      else if (source.isSent) exclude(source, 'duplicate', SENT);
      else {
        candidates.sources.push(source);
        candidates.numbers.push(parsed.value);
      }
    }
    counts.read += batch.length;
    const asked = store.optedOut(candidates.numbers);
    const written = write(asked, latest, candidates, exclusions);
    // Failures are reported by the next await, so they are no unhandled rejections.
    for (const promise of [asked, written]) promise.catch(() => undefined);
    const bound = earlier;
    [earlier, latest] = [latest, written];
    // Lets the store's answers in, so that it writes one batch while the next is checked. At most two batches are in
    // flight, to bound the memory.
    await setImmediate();
    await bound;
  }

  async function write(
    asked: Promise<ReadonlySet<Msisdn>>,
    before: Promise<void>,
    { sources, numbers }: Candidates,
    exclusions: Exclusion[],
  ): Promise<void> {
    // In order, so that nothing earlier is in flight when this fails.
    await before;
    const optedOut = await asked;
    const valid: AudienceRow[] = [];
    for (const [index, { row, number: typed, values }] of sources.entries()) {
      const number = numbers[index];
      if (number === undefined) continue;
      if (!optedOut.has(number)) valid.push({ row, number, values });
      else exclusions.push({ row, value: typed, cause: 'opted_out', reason: OPTED_OUT });
    }
    counts.opted_out += sources.length - valid.length;
    counts.valid += valid.length;
    digest.update(
      valid.map(({ row, number, values }) => `${JSON.stringify([row, number, values])}\n`).join(''),
    );
    await store.append(audienceId, valid, exclusions);
  }

  return {
    take,
    written: () => latest,
    counts: () => ({ ...counts }),
    digest: () => digest.digest('hex'),
  };
}
