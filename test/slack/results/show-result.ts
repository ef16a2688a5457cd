import type { Post } from '../../../src/sends/posts.ts';
import type { SendReport } from '../../../src/sends/send.ts';
import { createPace } from '../../../src/slack/kit/posting/pace.ts';
import {
  type Placed,
  type PlacingSurroundings,
  placePost,
} from '../../../src/slack/kit/posting/place-post.ts';
import { renderResultOfOne } from '../../../src/slack/results/result-of-one.ts';
import { NO_ANSWERS } from '../../fakes/answers.ts';

type Surroundings = Omit<PlacingSurroundings, 'pace'> & Partial<Parameters<typeof renderResultOfOne>[0]>;

/** Shows results of one person as the outbox does, and remembers as it does what was lost. */
export function showsResults(surroundings: Surroundings) {
  let lost = 0;
  const pace = createPace(surroundings.clock);
  return async (report: SendReport, known: Partial<Post> = {}): Promise<Placed> => {
    const { id, createdAt, announcement } = report.send;
    const place = announcement && { place: announcement };
    const start = { mark: `send:${id}`, subject: id, wanted: 1, since: createdAt };
    const post: Post = { ...start, attempts: 0, lost, tries: 0, ...place, ...known };
    const render = renderResultOfOne({
      catalogue: { find: async () => undefined, search: async () => [], mark: async () => undefined },
      answers: NO_ANSWERS,
      ...surroundings,
      store: {
        find: async () => report.send,
        recipients: async () => [report.recipient],
        retriesOf: async () => [],
      },
    });
    const toShow = await render(post);
    if (toShow === 'nothing' || !('render' in toShow)) throw new Error('There is nothing to show.');
    const placed = await placePost(post, toShow, { ...surroundings, pace });
    if (placed.state === 'later' && placed.lost) lost += 1;
    return placed;
  };
}
