import { expect, it } from 'vitest';
import { MOST_LOOKED_AT, repeatsIn, repeatsOf } from '../../../src/sends/bulk/repeats.ts';
import type { Got } from '../../../src/sends/outcome.ts';
import type { Send } from '../../../src/sends/send.ts';
import { repeatLines } from '../../../src/slack/kit/cards/words.ts';

const got = (reading: string, sendId: string, at?: number): Got => ({
  reading,
  sendId,
  userId: 'U',
  ...(at !== undefined && { at }),
});
const counted = (found: readonly Got[], recipients = 3) => repeatsIn(found, 3, recipients);

it('counts each person once, by the newest send that reached them, and names the one of most', () => {
  const which = expect.any(String);
  expect(counted([])).toBeUndefined();
  expect(counted([got('a', 'S-2', 9), got('a', 'S-1', 5), got('b', 'S-2', 8), got('c', 'S-1', 4)])).toEqual({
    ...{
      count: 3,
      recipients: 3,
      exact: true,
      reading: 'b',
      sendId: 'S-2',
      userId: 'U',
      at: 8,
      others: 1,
      which,
    },
  });
  // Who has got it is not about to.
  expect(counted([got('a', 'S-2', 9), got('a', 'S-3')])).toMatchObject({ sendId: 'S-2', at: 9, others: 0 });
  expect(counted([got('a', 'S-3')])).toEqual({
    ...{ count: 1, recipients: 3, exact: true, reading: 'a', sendId: 'S-3', userId: 'U', others: 0, which },
  });
});

it('is another repetition with each send more, whoever counts as its own', () => {
  const which = (...found: Got[]) => counted(found)?.which;
  const first = [got('a', 'S-1', 5), got('b', 'S-1', 5)];
  const known = which(...first);
  expect(known).toMatch(/^[\w-]{10}$/);
  // As it goes on, it reaches those who were about to get it, or fails for them.
  expect(which(got('a', 'S-1'), got('b', 'S-1', 5))).toBe(known);
  expect(which(got('b', 'S-1', 9))).toBe(known);
  // One more to somebody who has it counts for none of them.
  const more = which(...first, got('a', 'S-2'));
  expect(more).not.toBe(known);
  expect(which(got('a', 'S-2', 9), ...first)).toBe(more);
});

it('is said in one sentence, and of a sample with “about”', () => {
  const line = (found: readonly Got[], recipients?: number) =>
    repeatLines(counted(found, recipients), { inBrief: true })[0];
  const all = ['a', 'b', 'c'].map((person) => got(person, 'S-1', 5));
  expect(line(all)).toBe('All 3 got this very message (S-1).');
  expect(line(all.slice(1))).toBe('2 of 3 got this very message (S-1).');
  expect(line(all.slice(2), 3_000)).toBe('About 1,000 of 3,000 got this very message (S-1).');
  expect(line(all, 3_000)).toBe('About all 3,000 got this very message (S-1).');
  expect(line([got('a', 'S-1', 5)], 3)).toBe('1 of 3 got this very message (S-1).');
  expect(line([got('a', 'S-3')])).toBe('1 of 3 is to get this very message (S-3).');
  expect(line([got('a', 'S-3'), got('b', 'S-4')])).toBe(
    '2 of 3 are to get this very message (S-3 and 1 more).',
  );
  expect(repeatLines(counted(all))).toEqual([
    'All 3 got this very message <!date^0^{date_short_pretty} {time}|1970-01-01 00:00 UTC> (S-1, by <@U>).',
  ]);
  expect(line([got('a', 'S-3'), got('b', 'S-3'), got('c', 'S-1', 5)])).toBe(
    'All 3 got, or are to get, this very message (S-3 and 1 more).',
  );
  // Whose it is stands beside it where they ask again.
  const some = counted(all.slice(1));
  expect(repeatLines(some, { asker: 'U-OTHER' })[0]).toContain('(S-1, by <@U>)');
  expect(repeatLines(some, { asker: 'U' })[0]).toContain('(S-1)');
  expect(repeatLines(counted(all), { asker: 'U' })[0]).toContain('(S-1, by <@U>)');
  expect(repeatLines(undefined)).toEqual([]);
});

it.each([
  [MOST_LOOKED_AT, MOST_LOOKED_AT],
  [MOST_LOOKED_AT + 1, 52_000],
  [1_000_000, MOST_LOOKED_AT],
])('looks at all of %i recipients, or at %i from all over them', async (recipientCount, expected) => {
  const seen: number[] = [];
  const store = {
    gotBefore: async (_id: string, since: number, afterRow: number, limit: number) => {
      expect(since).toBe(1);
      const looked = Math.max(0, Math.min(limit, recipientCount - afterRow - 1));
      if (looked > 0) seen.push(afterRow);
      return { looked, lastRow: afterRow + looked, got: [got(`${afterRow}`, 'S-1', 5)].slice(0, looked) };
    },
  };
  const send = { id: 'S-9', recipientCount, counts: { skipped: 0 } } as Send;
  const found = await repeatsOf(send, { store, now: 24 * 3_600_000 + 1 });
  expect(seen).toHaveLength(Math.ceil(expected / 2_000));
  expect(found).toMatchObject({ recipients: recipientCount, exact: recipientCount <= MOST_LOOKED_AT });
});
