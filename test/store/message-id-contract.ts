import { beforeEach, describe, expect, it } from 'vitest';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { createPseudonym } from '../../src/messages/numbers/pseudonym.ts';
import type { Settlement } from '../../src/sends/outcome.ts';
import type { SendStore } from '../../src/sends/ports.ts';
import type { ReplyStore } from '../../src/sends/replies/ports.ts';
import { erase } from '../../src/store/person.ts';
import { createReplyStore } from '../../src/store/reply-store.ts';
import { createRetention } from '../../src/store/retention.ts';
import type { Database } from '../../src/store/sql.ts';
import { accepted, FAILURE, numberOf, sendingToMany, UNKNOWN } from './steps.ts';

const KEY = createPseudonym('a-key-that-nobody-guesses');
/** More than one step of the index takes. */
const MANY = 2_503;

/** Says what every store must do with the ids that the service gives messages. */
export function describeMessageIds(
  name: string,
  open: () => Promise<{ sends: SendStore; replies: ReplyStore; database: Database }>,
): void {
  describe(`${name} keeps the service’s ids`, () => {
    let sends: SendStore;
    let replies: ReplyStore;
    let database: Database;
    beforeEach(async () => {
      ({ sends, replies, database } = await open());
    });

    /** A bulk send of which all recipients are claimed. */
    async function claimed(sendId: string, rows: number): Promise<void> {
      await sendingToMany(sends, sendId, rows);
      await sends.claim(sendId, rows, 2);
    }

    const settle = (...settlements: readonly Omit<Settlement, 'settledAt'>[]) =>
      sends.settle(settlements.map((one) => ({ ...one, settledAt: 3 })));
    const idsOf = async (sendId: string) =>
      (await sends.recipients(sendId)).map(({ messageId }) => messageId);
    const rowsIn = async (table: string) =>
      Number((await database.run(`SELECT count(*) AS count FROM ${table}`))[0]?.count);
    const rowOf = async (id: string, number?: Msisdn) => (await replies.findByMessageId(id, number))?.row;

    it('one that was given for a request once, with whoever was in it', async () => {
      await claimed('S-1', 5);
      const settled = await settle(
        { sendId: 'S-1', row: 0, last: 2, outcome: accepted('r-1') },
        { sendId: 'S-1', row: 4, last: 4, outcome: accepted('r-1') },
        { sendId: 'S-1', row: 3, outcome: accepted('own') },
      );
      expect(settled).toEqual({ written: 5, done: ['S-1'] });
      expect((await sends.find('S-1'))?.counts.accepted).toBe(5);
      expect(await idsOf('S-1')).toEqual(['r-1', 'r-1', 'r-1', 'own', 'r-1']);
      expect((await sends.sentTo(numberOf(2), { limit: 9 }))[0]?.recipient.messageId).toBe('r-1');
      for (const row of [0, 1, 2, 4]) expect(await rowOf('r-1', numberOf(row))).toBe(row);
      await replies.indexIds();
      expect(await rowsIn('requests')).toBeLessThan(3);
      expect(await rowsIn('message_ids')).toBe(1);
      expect(await rowOf('r-1')).toBeUndefined();
      expect(await rowOf('r-1', numberOf(3))).toBeUndefined();
      expect(await rowOf('own')).toBe(3);
    });

    it('of a request not for whoever has another outcome by then', async () => {
      await claimed('S-1', 5);
      await settle({ sendId: 'S-1', row: 1, outcome: UNKNOWN });
      const settled = await settle({ sendId: 'S-1', row: 0, last: 4, outcome: accepted('r-1') });
      expect(settled).toEqual({ written: 4, done: ['S-1'] });
      expect((await sends.find('S-1'))?.counts).toMatchObject({ accepted: 4, unknown: 1, attempting: 0 });
      expect(await idsOf('S-1')).toEqual(['r-1', undefined, 'r-1', 'r-1', 'r-1']);
      expect(await rowOf('r-1', numberOf(1))).toBeUndefined();
      // Said again, it changes nothing.
      expect(await settle({ sendId: 'S-1', row: 0, last: 4, outcome: accepted('r-2') })).toEqual({
        written: 0,
        done: [],
      });
      expect(await idsOf('S-1')).toEqual(['r-1', undefined, 'r-1', 'r-1', 'r-1']);
      expect((await replies.findDoubt(numberOf(1), 0, 9))?.row).toBe(1);
      expect(await replies.findDoubt(numberOf(2), 0, 9)).toBeUndefined();
    });

    it('and gives nobody alone the id of a request, though one in it stood between others', async () => {
      await claimed('S-1', 6);
      await settle(
        { sendId: 'S-1', row: 0, outcome: accepted('own-0') },
        { sendId: 'S-1', row: 1, last: 1, outcome: accepted('r-1') },
        { sendId: 'S-1', row: 2, outcome: { state: 'rejected', failure: FAILURE } },
        { sendId: 'S-1', row: 3, last: 5, outcome: accepted('r-1') },
      );
      await replies.indexIds();
      expect(await rowOf('r-1')).toBeUndefined();
      expect(await rowOf('own-0')).toBe(0);
      for (const row of [1, 3, 4, 5]) expect(await rowOf('r-1', numberOf(row))).toBe(row);
      // Of two in a request only one is left, and another’s report may still name it.
      await claimed('S-2', 3);
      await settle({ sendId: 'S-2', row: 0, outcome: UNKNOWN });
      await settle(
        { sendId: 'S-2', row: 0, last: 1, outcome: accepted('r-2') },
        { sendId: 'S-2', row: 2, outcome: accepted('own-2') },
      );
      await replies.indexIds();
      expect([await rowOf('r-2'), await rowOf('r-2', numberOf(1))]).toEqual([undefined, 1]);
      expect(await idsOf('S-2')).toEqual([undefined, 'r-2', 'own-2']);
    });

    it('and counts a failure that several share as often as it came', async () => {
      await claimed('S-1', 4);
      await settle({ sendId: 'S-1', row: 0, last: 3, outcome: UNKNOWN });
      expect(await sends.failures('S-1')).toEqual([{ state: 'unknown', failure: FAILURE, count: 4 }]);
      expect((await sends.find('S-1'))?.counts.unknown).toBe(4);
      expect([await rowsIn('requests'), await rowsIn('fresh_ids')]).toEqual([0, 0]);
    });

    it.each([0, 1, 2])('forgets that of one who is erased: row %i of three', async (erased) => {
      await claimed('S-1', 4);
      await settle(
        { sendId: 'S-1', row: 0, last: 2, outcome: accepted('r-1') },
        { sendId: 'S-1', row: 3, outcome: accepted('own') },
      );
      await replies.indexIds();
      await erase(database, numberOf(erased), KEY, 4);
      const left = ['r-1', 'r-1', 'r-1', 'own'].map((id, row) => (row === erased ? undefined : id));
      expect(await idsOf('S-1')).toEqual(left);
      expect(await rowOf('r-1', numberOf(erased))).toBeUndefined();
      await erase(database, numberOf(3), KEY, 4);
      expect(await rowOf('own')).toBeUndefined();
      expect(await rowsIn('message_ids')).toBe(0);
    });

    it('forgets all of a send that is old', async () => {
      await claimed('S-1', 3);
      await settle(
        { sendId: 'S-1', row: 0, last: 1, outcome: accepted('r-1') },
        { sendId: 'S-1', row: 2, outcome: accepted('own') },
      );
      await replies.indexIds();
      await database.change('DELETE FROM posts');
      expect(await createRetention(database, KEY, async () => 0).removeNumbers(1_000, 1_000)).toBe(3);
      expect([await rowsIn('requests'), await rowsIn('message_ids')]).toEqual([0, 0]);
      expect(await idsOf('S-1')).toEqual([undefined, undefined, undefined]);
    });

    it('finds one with its number at once, and alone when it is in the index', async () => {
      await claimed('S-1', 2);
      await settle(
        { sendId: 'S-1', row: 0, outcome: accepted('m-0') },
        { sendId: 'S-1', row: 1, outcome: accepted('m-1') },
      );
      expect(await rowOf('m-1', numberOf(1))).toBe(1);
      expect(await rowOf('m-1')).toBeUndefined();
      expect((await replies.findByMessageId('m-1', undefined, true))?.row).toBe(1);
      expect([await rowsIn('message_ids'), await rowsIn('fresh_ids')]).toEqual([2, 0]);
      expect([await rowOf('m-1'), await rowOf('m-1', numberOf(0)), await rowOf('none')]).toEqual([
        1,
        1,
        undefined,
      ]);
      // Two messages with one id: only the number says whose it is.
      await claimed('S-2', 2);
      await settle({ sendId: 'S-2', row: 0, outcome: accepted('m-1') });
      await replies.indexIds();
      expect(await rowOf('m-1')).toBeUndefined();
      expect(await rowOf('m-1', numberOf(0))).toBe(0);
    });

    it('brings all into the index in steps, whatever is cut short, and not whoever was erased meanwhile', async () => {
      await claimed('S-1', MANY);
      const outcomes = Array.from({ length: MANY }, (_, row) => ({
        ...{ sendId: 'S-1', row, outcome: accepted(`m-${(row * 7_919) % MANY}`) },
      }));
      for (let from = 0; from < MANY; from += 500) await settle(...outcomes.slice(from, from + 500));
      // As in a crash after the first step.
      let steps = 0;
      const dying: Database = {
        ...database,
        transaction: (work) => {
          steps += 1;
          if (steps === 2) throw new Error('killed');
          return database.transaction(work);
        },
      };
      await expect(createReplyStore(dying, async () => []).indexIds()).rejects.toThrow('killed');
      const written = await rowsIn('message_ids');
      expect([written > 0, written < MANY, (await rowsIn('fresh_ids')) > 0]).toEqual([true, true, true]);
      await erase(database, numberOf(17), KEY, 4);
      // Two at once, as two replicas may.
      await Promise.all([replies.indexIds(), createReplyStore(database, async () => []).indexIds()]);
      expect([await rowsIn('message_ids'), await rowsIn('fresh_ids')]).toEqual([MANY - 1, 0]);
      for (const row of [0, 1, 1_250, MANY - 1]) expect(await rowOf(`m-${(row * 7_919) % MANY}`)).toBe(row);
      expect(await rowOf(`m-${(17 * 7_919) % MANY}`)).toBeUndefined();
    });
  });
}
