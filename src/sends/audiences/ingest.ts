import { createHash } from 'node:crypto';
import { type CountryCode, type Msisdn, parsePhoneNumber } from '../../messages/phone-number.ts';
import type {
  Audience,
  AudienceCounts,
  AudienceRow,
  AudienceStore,
  Exclusion,
  ExclusionCause,
} from '../audience.ts';

/** Rows written in one transaction. */
const BATCH = 5_000;

const DUPLICATE = 'This number stands in an earlier row too; the earlier one is used.';
const OPTED_OUT = 'This number has opted out.';

/** A row as it came: its place, as a spreadsheet shows it, the number as written, and its other cells. */
export interface SourceRow {
  readonly row: number;
  readonly number: string;
  readonly values: readonly string[];
}

export interface IngestOptions {
  readonly store: AudienceStore;
  readonly audience: Parameters<AudienceStore['begin']>[0];
  readonly rows: AsyncIterable<readonly SourceRow[]>;
  readonly defaultCountry: CountryCode;
}

/**
 * Checks every row and stores the list: valid numbers in E.164, each once, without those that opted out; everything
 * else as an exclusion with its cause. Memory grows by the set of numbers only. When reading fails, nothing of the
 * list stays, and the error goes on.
 */
export async function ingest({ store, audience, rows, defaultCountry }: IngestOptions): Promise<Audience> {
  await store.begin(audience);
  try {
    const intake = createIntake(store, audience.id, defaultCountry);
    for await (const batch of rows) {
      for (let from = 0; from < batch.length; from += BATCH)
        await intake.take(batch.slice(from, from + BATCH));
    }
    return await store.finish(audience.id, intake.counts(), intake.digest());
  } catch (error) {
    await store.abandon(audience.id);
    throw error;
  }
}

function createIntake(store: AudienceStore, audienceId: string, defaultCountry: CountryCode) {
  const seen = new Set<Msisdn>();
  const digest = createHash('sha256');
  const counts: Record<keyof AudienceCounts, number> = {
    read: 0,
    valid: 0,
    duplicate: 0,
    opted_out: 0,
    invalid: 0,
  };

  async function take(batch: readonly SourceRow[]): Promise<void> {
    const exclusions: Exclusion[] = [];
    const exclude = ({ row, number }: SourceRow, cause: ExclusionCause, reason: string) => {
      counts[cause] += 1;
      exclusions.push({ row, value: number, cause, reason });
    };
    const candidates: { readonly source: SourceRow; readonly number: Msisdn }[] = [];
    for (const source of batch) {
      const parsed = parsePhoneNumber(source.number, defaultCountry);
      if (!parsed.ok) exclude(source, 'invalid', parsed.error);
      else if (seen.has(parsed.value)) exclude(source, 'duplicate', DUPLICATE);
      else {
        seen.add(parsed.value);
        candidates.push({ source, number: parsed.value });
      }
    }
    const optedOut = await store.optedOut(candidates.map(({ number }) => number));
    const valid: AudienceRow[] = [];
    for (const { source, number } of candidates) {
      if (optedOut.has(number)) exclude(source, 'opted_out', OPTED_OUT);
      else valid.push({ row: source.row, number, values: source.values });
    }
    counts.read += batch.length;
    counts.valid += valid.length;
    for (const { row, number, values } of valid) digest.update(`${JSON.stringify([row, number, values])}\n`);
    await store.append(audienceId, valid, exclusions);
  }

  return { take, counts: () => ({ ...counts }), digest: () => digest.digest('hex') };
}
