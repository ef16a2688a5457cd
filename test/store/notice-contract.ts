import { beforeEach, describe, expect, it } from 'vitest';
import type { NoticeStore } from '../../src/sends/notices.ts';

const KEY = { name: 'key', what: 'The key is refused.', since: 1_000 };

/**
 * What every store must do with notices.
 *
 * @param open a fresh, empty store
 */
export function describeNoticeStore(name: string, open: () => Promise<NoticeStore>): void {
  describe(`${name} keeps notices`, () => {
    let store: NoticeStore;
    beforeEach(async () => {
      store = await open();
    });

    it('until they are told, and that they are over until that is told', async () => {
      await store.begin({ name: 'disk', what: 'Full.', since: 2_000 });
      await store.begin(KEY);
      expect(await store.untold()).toEqual([KEY, { name: 'disk', what: 'Full.', since: 2_000 }]);
      await store.told(KEY);
      await store.begin({ ...KEY, what: 'Again.', since: 3_000 });
      expect((await store.untold()).map(({ name: of }) => of)).toEqual(['disk']);
      await store.end('key', 1_000);
      expect(await store.untold()).toHaveLength(1);
      await store.end('key', 5_000);
      await store.end('key', 6_000);
      expect(await store.untold()).toContainEqual({ ...KEY, overAt: 5_000 });
      // Somebody else told the beginning a moment ago.
      await store.told(KEY);
      expect(await store.untold()).toContainEqual({ ...KEY, overAt: 5_000 });
      await store.told({ ...KEY, overAt: 5_000 });
      expect((await store.untold()).map(({ name: of }) => of)).toEqual(['disk']);
      await store.begin({ ...KEY, since: 7_000 });
      expect(await store.untold()).toContainEqual({ ...KEY, since: 7_000 });
    });

    it('as not over, when it comes back before its end was told', async () => {
      await store.begin(KEY);
      await store.told(KEY);
      await store.end('key', 5_000);
      await store.begin({ ...KEY, since: 6_000 });
      expect(await store.untold()).toEqual([]);
      // Whoever was about to tell the end a moment ago.
      await store.told({ ...KEY, overAt: 5_000 });
      await store.end('key', 7_000);
      expect(await store.untold()).toEqual([{ ...KEY, overAt: 7_000 }]);
    });
  });
}
