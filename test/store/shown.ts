import type { PostResult, PostStore } from '../../src/sends/posts.ts';

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
      if (more !== undefined) await posts.note({ mark, shown, restMs: 0, ...more }, at);
    }
  }
}
