import type { KnownBlock } from '@slack/types';
import type { Clock } from '../../core/clock.ts';

/*
 * Blocks that a workspace may not take yet: Slack brings new ones to a workspace after the other, and answers `invalid_blocks`
 * where they are not known. What stands there in their place is shown then, and for a day at once.
 */

const REFUSED_MS = 24 * 60 * 60_000;

/** Keeps the blocks that stand in the place of a new one; copies of the block take it along, and Slack does not get it. */
const OLDER = Symbol('older');
type Block = KnownBlock & { readonly [OLDER]?: readonly KnownBlock[] };

/** Slack shows blocks in one of these. */
type Surface = 'message' | 'window';

/**
 * A block that Slack may not take. An alert is shown in windows, and anything else in messages; elsewhere `older` is.
 *
 * @param block as Slack's reference has it, also where its package of types does not know it yet
 * @param older shows the same; nothing where other words of the message say it
 */
export function newBlock(
  block: Readonly<Record<string, unknown>> & { readonly type: string },
  older: readonly KnownBlock[] = [],
): KnownBlock {
  return { ...block, [OLDER]: older } as unknown as KnownBlock;
}

/** The blocks without new ones, or without those that Slack shows `except` there. */
export function olderBlocks(blocks: readonly Block[], except?: Surface): KnownBlock[] {
  return blocks.flatMap((block) => {
    const surface = block.type === 'alert' ? 'window' : 'message';
    if (surface === except || block[OLDER] === undefined) return [block];
    // The block's id puts it in its place again, or finds it in a channel.
    const idOf = (index: number) =>
      block.block_id && { block_id: block.block_id + (index === 0 ? '' : `.${index}`) };
    return block[OLDER].map((older, index) => ({ ...older, ...idOf(index) }));
  });
}

export type NewBlocks = ReturnType<typeof createNewBlocks>;

/** Remembers whether Slack takes new blocks here, as far as it was seen. */
export function createNewBlocks(clock: Clock) {
  const refusedUntil = { message: Number.NEGATIVE_INFINITY, window: Number.NEGATIVE_INFINITY };
  return {
    /** Calls with the blocks for a surface, and without new ones where these are `refused`. */
    show: async <Answer>(
      surface: Surface,
      blocks: readonly Block[],
      call: (blocks: KnownBlock[]) => Promise<Answer>,
      refused: (error: unknown) => boolean,
    ): Promise<Answer> => {
      const shown: Block[] = olderBlocks(blocks, surface);
      const isKnown = clock.monotonic() < refusedUntil[surface] || !shown.some((block) => block[OLDER]);
      if (isKnown) return call(olderBlocks(blocks));
      try {
        return await call(shown);
      } catch (error) {
        if (!refused(error)) throw error;
        const answer = await call(olderBlocks(blocks));
        refusedUntil[surface] = clock.monotonic() + REFUSED_MS;
        return answer;
      }
    },
  };
}
