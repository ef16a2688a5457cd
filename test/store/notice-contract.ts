import { beforeEach, describe, expect, it } from 'vitest';
import { kindOfMark } from '../../src/sends/posts.ts';
import type { Memory } from '../../src/store/stores.ts';
import type { Open } from './steps.ts';

const KEY = { name: 'key', what: 'The key is refused.', since: 1_000 };
const DISK = { name: 'disk', what: 'Full.', since: 2_000 };

/** Says what every store must do with notices. @param open fresh, empty stores */
export function describeNoticeStore(name: string, open: Open<'notices' | 'posts'>): void {
  describe(`${name} keeps notices`, () => {
    let store: Memory['notices'];
    let posts: Memory['posts'];
    beforeEach(async () => {
      ({ notices: store, posts } = await open());
    });

    /** What is to be shown, which then is, unless Slack is away. */
    async function wanted(isShown = true) {
      const claim = { now: 9_000, how: 'post', limit: 9, restingChannels: [], inFlight: [] } as const;
      const found = [];
      for (const { mark, subject, wanted: shown } of await posts.claim(claim)) {
        found.push([kindOfMark(mark), await store.find(subject)]);
        await posts.note({ mark, restMs: 0, ...(isShown && { shown }) }, 9_000);
      }
      return found;
    }

    it('and wants each shown once, and its end once', async () => {
      await store.begin(DISK);
      await store.begin(KEY);
      await store.begin({ ...KEY, what: 'Again.', since: 3_000 });
      expect(await wanted()).toEqual([
        ['notice', KEY],
        ['notice', DISK],
      ]);
      await store.begin({ ...KEY, since: 3_000 });
      await store.end('key', 1_000);
      await store.end('template', 5_000);
      expect(await wanted()).toEqual([]);
      await store.end('key', 5_000);
      await store.end('key', 6_000);
      expect(await wanted()).toEqual([['over', { ...KEY, overAt: 5_000 }]]);
      await store.begin({ ...KEY, since: 7_000 });
      expect(await wanted()).toEqual([['notice', { ...KEY, since: 7_000 }]]);
    });

    it('as not over, when it comes back before its end was shown', async () => {
      await store.begin(KEY);
      await wanted();
      await store.end('key', 5_000);
      expect(await wanted(false)).toEqual([['over', { ...KEY, overAt: 5_000 }]]);
      await store.begin({ ...KEY, since: 6_000 });
      expect(await wanted()).toEqual([
        ['notice', KEY],
        ['over', KEY],
      ]);
      await store.end('key', 7_000);
      expect(await wanted()).toEqual([['over', { ...KEY, overAt: 7_000 }]]);
    });
  });
}
