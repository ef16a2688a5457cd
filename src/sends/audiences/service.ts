import { pages } from '../../core/pages.ts';
import { newId, type Random } from '../../core/random.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import type { Surroundings } from '../../core/surroundings.ts';
import { readSomebodysNumber } from '../../messages/numbers/person.ts';
import {
  type CountryCode,
  type Msisdn,
  maskNumber,
  parsePhoneNumber,
} from '../../messages/numbers/phone-number.ts';
import type { Audience, AudienceStore, Exclusion, OptOut } from '../audience.ts';
import type { Refusal } from '../bulk.ts';
import { openCsv } from './csv.ts';
import { csvLine } from './csv-lines.ts';
import { again, ListRefusal } from './decode.ts';
import { type IngestOptions, ingest, type NumberColumn, numberOf } from './ingest.ts';
import { findNumberColumn, looksLikeNumber } from './number-column.ts';
import { listIn, REPORT_COLUMNS } from './report-columns.ts';

/** Rows read from the store at a time. */
const PAGE = 5_000;
const LONGEST_NAME = 80;

interface ListFile {
  /** For people. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The header of the column with the numbers; found by name or content when absent. */
  readonly numberColumn?: string | undefined;
  /** Slack user id. */
  readonly by: string;
}

/** The whole list is refused. */
type ListRefused = Pick<Refusal, 'state' | 'what' | 'next'>;

export type ListResult = Awaited<ReturnType<Audiences['fromFile']>>;

interface AudiencesDependencies extends Surroundings {
  readonly store: AudienceStore;
  readonly random: Random;
  readonly defaultCountry: CountryCode;
}

export type Audiences = ReturnType<typeof createAudiences>;

/** Lists of recipients and the opt-out list: import, storage, export. */
export function createAudiences(dependencies: AudiencesDependencies) {
  return { ...createLists(dependencies), ...createOptOuts(dependencies) };
}

function createLists(dependencies: AudiencesDependencies) {
  const { store, clock, random, defaultCountry } = dependencies;

  async function take(
    about: Omit<Parameters<AudienceStore['begin']>[0], 'id' | 'createdAt'>,
    rows: IngestOptions['rows'],
    index: number,
  ) {
    const column = { index, country: defaultCountry };
    const audience = { ...about, id: newId('A', random), createdAt: clock.now() };
    try {
      return { state: 'ready', audience: await ingest({ store, audience, rows, column }) } as const;
    } catch (error) {
      return refusalOf(error, dependencies);
    }
  }

  return {
    fromNumbers: async (text: string, by: string) => {
      const numbers = text.split(/[\n\r,;]+/).map((number) => number.trim());
      const rows = numbers.flatMap((number, index) =>
        number === '' ? [] : [{ row: index + 1, line: index + 1, cells: [number] }],
      );
      const none = new ListRefusal('The list has no numbers.', 'Enter one number per line.');
      if (rows.length === 0) return refusalOf(none, dependencies);
      return take({ source: 'numbers', columns: [], createdBy: by }, [rows], 0);
    },
    fromFile: async (file: ListFile) => {
      const opened = await open(file, dependencies);
      if (opened.state !== 'opened') return opened;
      const { header, column, batches } = opened;
      const columns = header.filter((_, index) => index !== column);
      const numberColumn = header[column] ?? '';
      const about = { source: 'file', fileName: file.name, createdBy: file.by } as const;
      return take({ ...about, columns, numberColumn }, batches, column);
    },
    find: (audienceId: string) => store.find(audienceId),
    findByName: (name: string) => store.findByName(name),
    list: (limit: number) => store.list(limit),
    sample: (audienceId: string, limit: number) => store.rows(audienceId, 0, limit),
    /** The first rows that are left out, in row order. */
    leftOut: (audienceId: string, limit: number) => store.exclusions(audienceId, 0, limit),
    save: async (audienceId: string, name: string): Promise<Result<Audience, string>> => {
      const trimmed = name.trim();
      if (trimmed === '') return fail('Enter a name for the audience.');
      if (trimmed.length > LONGEST_NAME)
        return fail(`The name has more than ${LONGEST_NAME} characters. Shorten it.`);
      await store.save(audienceId, trimmed);
      const audience = await store.find(audienceId);
      return audience === undefined ? fail('This list is no longer there. Upload it again.') : ok(audience);
    },
    forget: (name: string) => store.forget(name),
    exclusionsCsv: (audienceId: string) =>
      csvOf(
        ['row', 'number', 'cause', 'reason'],
        (last?: Exclusion) => store.exclusions(audienceId, last?.row ?? 0, PAGE),
        ({ row, value, cause, reason }) => [row, value, cause, reason],
      ),
  };
}

function createOptOuts(dependencies: AudiencesDependencies) {
  const { store, clock, logger, defaultCountry } = dependencies;
  return {
    optOut: async (number: Msisdn, by: string): Promise<boolean> =>
      (await store.optOut([{ number, at: clock.now(), actor: by, source: 'command' }])) === 1,
    optIn: async (number: Msisdn, by: string): Promise<boolean> => {
      const removed = await store.optIn(number, { at: clock.now(), actor: by, number: maskNumber(number) });
      if (removed) logger.info({ userId: by }, 'a number was taken off the opt-out list');
      return removed;
    },
    lookUp: (number: Msisdn) => store.findOptOut(number),
    importOptOuts: async (file: ListFile) => {
      const opened = await open(file, dependencies);
      if (opened.state !== 'opened') return opened;
      const counts = { read: 0, added: 0, invalid: 0 };
      const column: NumberColumn = { index: opened.column, country: defaultCountry };
      try {
        for await (const batch of opened.batches) {
          const parsed = batch.map((row) => numberOf(row, column, readSomebodysNumber));
          const about = { at: clock.now(), actor: file.by, source: 'import' } as const;
          const optOuts = parsed.flatMap((number) => (number.ok ? [{ number: number.value, ...about }] : []));
          counts.read += batch.length;
          counts.invalid += batch.length - optOuts.length;
          counts.added += await store.optOut(optOuts);
        }
        return { state: 'imported', ...counts } as const;
      } catch (error) {
        // Opt-outs that were added before the error stay.
        const refused = refusalOf(error, dependencies, 'the rest of it is missing');
        const kept = `Added to the opt-out list before that: ${counts.added}.`;
        return counts.added === 0 ? refused : { ...refused, next: `${refused.next} ${kept}` };
      }
    },
    exportOptOuts: () =>
      csvOf(
        ['number', 'since', 'by', 'source'],
        (last?: OptOut) => store.listOptOuts(last?.number ?? '', PAGE),
        ({ number, at, actor, source }) => [number, new Date(at).toISOString(), actor, source],
      ),
    countOptOuts: () => store.countOptOuts(),
  };
}

function refusalOf(
  error: unknown,
  { logger }: AudiencesDependencies,
  kept = 'none of it was kept',
): ListRefused {
  if (error instanceof ListRefusal) return { state: 'refused', what: error.what, next: error.next };
  logger.error({ error }, 'a list could not be imported');
  return {
    state: 'refused',
    what: `The list could not be read to its end, so ${kept}. Nothing was sent.`,
    next: 'Try again; if it happens again, inform whoever runs Herald.',
  };
}

const open = ({ bytes, numberColumn }: ListFile, dependencies: AudiencesDependencies) =>
  openWithColumn(bytes, numberColumn, dependencies.defaultCountry).catch((error: unknown) =>
    refusalOf(error, dependencies),
  );

/**
 * Opens a file and finds its column of numbers, by the header or the first batch.
 *
 * @throws ListRefusal also when the first row is a customer instead of a header
 */
async function openWithColumn(
  bytes: AsyncIterable<Uint8Array>,
  wanted: string | undefined,
  country: CountryCode,
) {
  const { header, batches } = listIn(await openCsv(bytes));
  const iterator = batches[Symbol.asyncIterator]();
  const first = await iterator.next();
  const rows = first.done ? [] : first.value;
  const cells = rows.map((row) => row.cells);
  const named = wanted ?? header.find((name) => name === REPORT_COLUMNS.number);
  const column = named === undefined ? findNumberColumn(header, cells) : header.indexOf(named);
  const unclear = column === undefined || column < 0;
  const customer = unclear
    ? header.find((name) => parsePhoneNumber(name, country).ok)
    : header
        .slice(column, column + 1)
        .find((name) => looksLikeNumber(name) || parsePhoneNumber(name, country).ok);
  if (customer === undefined && !unclear)
    return { state: 'opened', header, column, batches: again(rows, iterator) } as const;
  await iterator.return?.();
  if (customer !== undefined) throw headerMissing(customer, country);
  return { state: 'choose_column', columns: header } as const;
}

function headerMissing(cell: string, country: CountryCode): ListRefusal {
  const number = parsePhoneNumber(cell, country);
  const shown = number.ok ? `the phone number ${maskNumber(number.value)}` : 'a phone number';
  return new ListRefusal(
    `The first row holds ${shown}, so it seems to be a recipient, not a header.`,
    'Add a first row that names the columns, such as “phone,name”, and upload it again.',
  );
}

async function* csvOf<Item>(
  header: readonly string[],
  read: (last?: Item) => Promise<readonly Item[]>,
  cells: (item: Item) => Parameters<typeof csvLine>[0],
): AsyncIterable<string> {
  yield csvLine(header);
  for await (const page of pages(read)) yield page.map((item) => csvLine(cells(item))).join('');
}
