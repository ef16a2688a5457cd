import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { AudienceStore, ListedRow } from '../../../src/sends/audience.ts';
import type { CsvRow } from '../../../src/sends/audiences/csv.ts';
import { createNumberSet, ingest } from '../../../src/sends/audiences/ingest.ts';

const ROWS: readonly CsvRow[] = Array.from({ length: 25_000 }, (_, n) => ({
  row: n + 2,
  line: n + 2,
  cells: [`+9198123${String(n).padStart(5, '0')}`, `Person ${n}`],
}));

/** A store that takes its time for each batch, notes what it is told in order, and fails at a question about opt-outs. */
function slowStore(failingQuestion?: number) {
  const said: string[] = [];
  let questions = 0;
  let writes = 0;
  let inFlight = 0;
  let most = 0;
  const store = {
    begin: async () => {},
    optedOut: async () => {
      questions += 1;
      most = Math.max(most, questions - said.length);
      if (questions === failingQuestion) throw new Error('the disk is gone');
      return new Set();
    },
    append: async (_id: string, text: string) => {
      const rows = JSON.parse(text) as ListedRow[];
      writes += 1;
      const mine = writes;
      inFlight += 1;
      for (let turns = 0; turns < 20; turns += 1) await setImmediate();
      inFlight -= 1;
      said.push(`${mine}: ${rows[0]?.[0]} to ${rows.at(-1)?.[0]}`);
    },
    finish: async () => {
      said.push('finished');
      return {};
    },
    abandon: async () => {
      said.push(`abandoned with ${inFlight} under way`);
    },
  };
  return { store: store as unknown as AudienceStore, said, ahead: () => most };
}

async function* inPieces() {
  for (let from = 0; from < ROWS.length; from += 700) yield ROWS.slice(from, from + 700);
}

const reading = (store: AudienceStore) =>
  ingest({ store, audience: {} as never, rows: inPieces(), column: { index: 0, country: 'IN' } });

it('writes batches in their order, and asks about a third while two are under way at most', async () => {
  const { store, said, ahead } = slowStore();
  await reading(store);
  expect(said).toEqual([
    '1: 2 to 5001',
    '2: 5002 to 10001',
    '3: 10002 to 15001',
    '4: 15002 to 20001',
    '5: 20002 to 25001',
    'finished',
  ]);
  expect(ahead()).toBe(3);
});

it.each([1, 2, 4])(
  'drops the list after whatever is on its way when question %i fails',
  async (failingQuestion) => {
    const { store, said } = slowStore(failingQuestion);
    await expect(reading(store)).rejects.toThrow('the disk is gone');
    expect(said.filter((line) => line.startsWith('abandoned'))).toEqual(['abandoned with 0 under way']);
    expect(said.at(-1)).toBe('abandoned with 0 under way');
    expect(said).toHaveLength(failingQuestion);
  },
);

it('says under which row each number was taken first, as a Map of texts would, while it grows', () => {
  const numbers = createNumberSet();
  const texts = new Map<string, number>();
  for (let n = 0; n < 60_000; n += 1) {
    // Near one another, far apart, and each third one again.
    const number = `+${n % 3 === 0 ? 10_000_000 + ((n * 7_919) % 20_000) : 999_999_900_000_000 + n}`;
    expect(numbers.add(number, n + 1)).toBe(texts.get(number));
    texts.getOrInsert(number, n + 1);
  }
});

it('tells numbers apart that differ in their upper digits only, and at the edge of a table', () => {
  const numbers = createNumberSet();
  for (let high = 1; high < 400; high += 1) {
    for (const digits of [high * 2 ** 31 - 1, high * 2 ** 31, high * 2 ** 31 + 1])
      expect([numbers.add(`+${digits}`, high), numbers.add(`+${digits}`, 1)]).toEqual([undefined, high]);
  }
});
