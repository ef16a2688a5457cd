import { createExpiringMap } from '../../../core/expiring-map.ts';
import type { StoppableSurroundings } from '../../../core/surroundings.ts';
import type { Announcement } from '../../../sends/send.ts';
import type { StoreTrouble } from '../../../sends/store-trouble.ts';
import type { Card } from '../cards/send-card.ts';
import { attempt } from './attempt.ts';
import { type Pace, UPDATE } from './pace.ts';
import type { PlacingSurroundings } from './place-post.ts';

/** The ordinary way has shown it by then, if the store takes that much. */
const WAIT_MS = 3_000;
/** A post that was not shown for so long is shown by another process, or not under way. */
const KEPT_MS = 2 * 60_000;
const KEPT = 1_000;

/** A post of what is under way, as this process has shown it last. */
interface Shown {
  readonly place: Announcement;
  /** The card for when the store takes nothing any more. */
  readonly stalled: Card;
  isOverwritten?: true;
}

export type Stalled = ReturnType<typeof createStalled>;

interface StalledDependencies extends StoppableSurroundings, Pick<PlacingSurroundings, 'client'> {
  readonly storeTrouble: Pick<StoreTrouble, 'since' | 'onChange'>;
}

/** Says that nothing goes on although the store, which takes no note of anything, cannot be asked what that is. */
export function createStalled(dependencies: StalledDependencies, updates: Pace) {
  const { client, storeTrouble, clock, logger, stopping } = dependencies;
  const underWay = createExpiringMap<Shown>(KEPT_MS, KEPT, clock);

  async function showAll(): Promise<void> {
    await clock.sleep(WAIT_MS, stopping);
    for (const [, one] of underWay.entries()) {
      await updates.turn(UPDATE);
      if (storeTrouble.since() === undefined || stopping.aborted) return;
      if (one.isOverwritten) continue;
      const { channelId: channel, ts } = one.place;
      const { state } = await attempt(
        one.stalled,
        (body) => client.chat.update({ channel, ts, ...body }),
        logger,
      );
      if (state === 'done') one.isOverwritten = true;
    }
  }

  storeTrouble.onChange(() => {
    if (storeTrouble.since() !== undefined) void showAll();
  });

  return {
    /** @param stalled absent: it is not under way any more, or says so already */
    shown: (mark: string, place: Announcement, stalled: Card | undefined): void => {
      if (stalled === undefined) underWay.delete(mark);
      else underWay.set(mark, { place, stalled });
    },
    /** It shows something else than the store knows. */
    isOverwritten: (mark: string) => underWay.get(mark)?.isOverwritten === true,
  };
}
