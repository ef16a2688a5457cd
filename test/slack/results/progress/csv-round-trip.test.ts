import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openCsv } from '../../../../src/sends/audiences/csv.ts';
import { csvLine, plainCell } from '../../../../src/sends/audiences/csv-lines.ts';
import { reportFile } from '../../../../src/slack/results/progress/report.ts';
import { NO_ANSWERS } from '../../../fakes/answers.ts';
import { pieces, taken, text } from '../../../sends/audiences/setting.ts';

/* CSV in → rows → CSV out → the same rows: nothing that stands in a cell gets lost, or into another one. */

const RUNS = 60;

/** Whatever people have in cells; line breaks come back as line feeds, and no cell is longer than a spreadsheet’s. */
const cell = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom('"', ',', ';', '\n', "'", '=', '+', '-', '@', ' ', '|', 'a', '1', '\t'),
      maxLength: 8,
    }),
    fc.constantFrom('+91 98123 45678', '-1', '=1+1', "'=1", "''-a", '1,5', '00', ' a '),
  )
  .map((one) => one.toWellFormed().replaceAll(/\r\n?|\0|\uFEFF/g, ''));
const word = cell.map((one) => one.replaceAll(/\n/g, ' '));
const row = fc.tuple(cell, cell, cell).filter((cells) => cells.some((one) => one.trim() !== ''));

it('a file that Herald writes is read again, cell by cell', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 40 }),
      async (rows, size) => {
        const file = [['one', 'two', 'three'], ...rows].map(csvLine).join('');
        const read: (readonly string[])[] = [];
        const opened = await openCsv(pieces(file, size)).catch((error: unknown) => error as Error);
        // A line break beside something like a number may be two rows run together: such a file is refused as a whole.
        if (opened instanceof Error) return expect(rows.flat().join()).toMatch(/\n/);
        for await (const batch of opened.batches)
          read.push(...batch.map(({ cells }) => cells.map(plainCell)));
        expect(read).toEqual(rows);
      },
    ),
    { numRuns: RUNS * 5 },
  );
});

it('a report that is uploaded again is the list that it was made of, but for who was sent to', async () => {
  const person = fc.record({
    to: fc.integer({ min: 10_000_000, max: 99_999_999 }).map((number) => `+9198${number}`),
    values: fc.tuple(word, word, word),
    sent: fc.boolean(),
  });
  const some = fc.uniqueArray(person, { selector: ({ to }) => to, minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      some.filter((people) => !people.every(({ sent }) => sent)),
      async (people) => {
        const list = [['phone', 'name', 'order', 'note'], ...people.map(({ to, values }) => [to, ...values])];
        const first = await taken(list.map(csvLine).join(''));
        const sentTo = new Set<string>(people.filter(({ sent }) => sent).map(({ to }) => to));
        const recipients = first.rows.map((one) => ({
          ...one,
          state: sentTo.has(one.number) ? 'accepted' : 'not_sent',
        }));
        if (recipients.every(({ state }) => state === 'accepted')) return;
        const { audience } = first;
        const send = { id: 'S-1', kind: 'sms', message: { kind: 'sms' }, createdAt: 0, audience };
        const report = reportFile(send as never, {
          store: { recipients: async (_id, after = -1) => (after < 0 ? (recipients as never) : []) },
          answers: NO_ANSWERS,
        });
        const again = await taken(await text(report.content));
        expect(again.audience.columns).toEqual(first.audience.columns);
        const kept = first.rows.filter(({ number }) => !sentTo.has(number));
        expect(again.rows.map(({ number, values }) => [number, ...values])).toEqual(
          kept.map(({ number, values }) => [number, ...values]),
        );
      },
    ),
    { numRuns: RUNS },
  );
});
