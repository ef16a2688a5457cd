import { beforeEach, describe, expect, it } from 'vitest';
import type { DraftStore, SavedDraft } from '../../src/sends/drafts.ts';

const DRAFT: SavedDraft = {
  owner: 'U0ASHA',
  kind: 'interactive',
  name: 'Delivery “today” 🚚',
  values: { from: '+919876543210', interactive: { type: 'list', action: { sections: [{ rows: [{}] }] } } },
  savedAt: 5,
};

/** Says what every store must do with drafts. @param open a fresh, empty store */
export function describeDraftStore(name: string, open: () => Promise<DraftStore>): void {
  describe(`${name} keeps drafts`, () => {
    let store: DraftStore;
    beforeEach(async () => {
      store = await open();
    });

    it('as they were given, for their owner and kind alone', async () => {
      expect(await store.save(DRAFT)).toBe('added');
      expect(await store.find(DRAFT)).toEqual(DRAFT);
      expect(await store.find({ ...DRAFT, owner: 'U0RAVI' })).toBeUndefined();
      expect(await store.find({ ...DRAFT, kind: 'address' })).toBeUndefined();
      expect(await store.names('U0RAVI', 'interactive')).toEqual([]);
    });

    it('one of a name: the later one', async () => {
      await store.save(DRAFT);
      const later = { ...DRAFT, values: { from: null }, savedAt: 9 };
      expect(await store.save(later)).toBe('replaced');
      expect(await store.find(DRAFT)).toEqual(later);
      expect(await store.names('U0ASHA', 'interactive')).toEqual([DRAFT.name]);
    });

    it('and names them, the one saved last first', async () => {
      for (const [place, one] of ['b', 'a', 'c'].entries())
        await store.save({ ...DRAFT, name: one, savedAt: place });
      await store.save({ ...DRAFT, kind: 'address', name: 'other', savedAt: 9 });
      expect(await store.names('U0ASHA', 'interactive')).toEqual(['c', 'a', 'b']);
    });

    it('until they are removed', async () => {
      await store.save(DRAFT);
      expect(await store.remove({ ...DRAFT, owner: 'U0RAVI' })).toBe(false);
      expect(await store.remove(DRAFT)).toBe(true);
      expect(await store.remove(DRAFT)).toBe(false);
      expect(await store.find(DRAFT)).toBeUndefined();
    });
  });
}
