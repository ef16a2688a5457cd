import { describe, expect, it } from 'vitest';
import type { Notes } from '../../src/sends/notes.ts';

const LONG = 60_000;

/** Says what every store of notes must do, on the machine's own clock. */
export function describeNotes(name: string, open: () => Promise<Notes>): void {
  describe(`${name} keeps notes`, () => {
    it('as they were, the newer one in the place of the older, and others apart', async () => {
      const notes = await open();
      expect(await notes.find('a')).toBeUndefined();
      const value = { text: 'Zeile\u0000 ½ 🙂', list: [1, { deep: null }] };
      await notes.put('a', value, LONG);
      await notes.put('b', 'other', LONG);
      expect(await notes.find('a')).toEqual(value);
      await notes.put('a', ['newer'], LONG);
      expect([await notes.find('a'), await notes.find('b')]).toEqual([['newer'], 'other']);
    });

    it('for their time and no longer', async () => {
      const notes = await open();
      await notes.put('short', 1, 60);
      await notes.put('long', 2, LONG);
      await expect.poll(() => notes.find('short')).toBeUndefined();
      expect(await notes.find('long')).toBe(2);
    });

    it('and lets one of many be the first, again when the time is over', async () => {
      const notes = await open();
      const asked = await Promise.all(Array.from({ length: 20 }, () => notes.claim('k', LONG)));
      expect(asked.filter(Boolean)).toHaveLength(1);
      expect(await notes.claim('k', LONG)).toBe(false);
      expect(await notes.claim('other', 60)).toBe(true);
      await expect.poll(() => notes.claim('other', LONG)).toBe(true);
    });

    it('many at once, while old ones go', async () => {
      const notes = await open();
      await Promise.all(Array.from({ length: 50 }, (_, n) => notes.put(`old-${n}`, n, 1)));
      await Promise.all(Array.from({ length: 50 }, (_, n) => notes.put(`new-${n}`, n, LONG)));
      const kept = await Promise.all(Array.from({ length: 50 }, (_, n) => notes.find(`new-${n}`)));
      expect(kept).toEqual(Array.from({ length: 50 }, (_, n) => n));
    });
  });
}
