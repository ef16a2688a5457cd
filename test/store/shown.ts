import { kindOfMark, type PostResult, type PostStore } from '../../src/sends/posts.ts';
import type { StoredCustomerEvent } from '../../src/sends/replies/ports.ts';
import type { Memory } from '../../src/store/stores.ts';

/** Later than anything is due. */
const EVER = 1e14;

/** Notes whatever is wanted as shown, and what that wants in turn. */
export async function showAll(
  posts: PostStore,
  at: number,
  noted: (mark: string) => Partial<PostResult> | undefined = () => ({}),
): Promise<void> {
  for (const how of ['post', 'update', 'post', 'update'] as const) {
    const claim = { now: at, how, limit: 1_000, restingChannels: [], inFlight: [], early: EVER };
    for (const { mark, wanted: shown } of await posts.claim(claim)) {
      const more = noted(mark);
      // What is not shown is let go, or it would rest as what a process died of.
      const result = more === undefined ? { attempts: 0 } : { shown, ...more };
      await posts.note({ mark, restMs: 0, ...result }, at);
    }
  }
}

/** Shows answers of customers, all that wait, and gives them by their posts, the longest waiting first. */
export async function showAnswers(
  { posts, replies }: Pick<Memory, 'posts' | 'replies'>,
  at: number,
  noted: Partial<PostResult> = {},
): Promise<{ mark: string; subject: string; events: readonly StoredCustomerEvent[] }[]> {
  const shown = [];
  for (;;) {
    const claim = { now: EVER, how: 'post', limit: 1_000, restingChannels: [], inFlight: [] } as const;
    const waiting = (await posts.claim(claim)).filter(({ mark }) => kindOfMark(mark) === 'reply');
    if (waiting.length === 0) return shown;
    for (const { mark, subject, wanted } of waiting) {
      shown.push({ mark, subject, events: await replies.shownBy(mark) });
      await posts.note({ mark, shown: wanted, restMs: 0, ...noted }, at);
    }
  }
}
