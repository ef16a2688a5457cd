import type { ViewErrorsResponseAction } from '@slack/bolt';
import type { Block } from '@slack/types';
import type { Issue } from '../../../messages/submission.ts';
import { isWithin, parseBlockId } from './path.ts';

/**
 * Leaves a submitted form open, with what is wrong under its fields, by the ids of the blocks it really shows. Slack drops
 * an error with an unknown id without a word, so an issue whose field is not shown stands under the nearest one that is: a
 * field below its path, else one beside it below the nearest parent, else the first input.
 *
 * Empty only when there are no issues or the view has no input at all.
 */
export function errors(
  issues: readonly Issue[],
  { blocks }: { readonly blocks: readonly Pick<Block, 'type' | 'block_id'>[] },
): ViewErrorsResponseAction {
  const inputs = blocks.flatMap((block) =>
    block.type === 'input' && block.block_id !== undefined
      ? [{ blockId: block.block_id, path: parseBlockId(block.block_id).path }]
      : [],
  );
  const sentences = new Map<string, Set<string>>();
  for (const issue of issues) {
    const place = nearest(issue.path, inputs);
    if (place === undefined) continue;
    sentences.set(place, (sentences.get(place) ?? new Set()).add(issue.message));
  }
  const said = [...sentences].map(([blockId, all]) => [blockId, [...all].join(' ')]);
  return { response_action: 'errors', errors: Object.fromEntries(said) };
}

function nearest(path: string, inputs: readonly { blockId: string; path: string }[]): string | undefined {
  const exact = inputs.find((input) => input.path === path);
  if (exact) return exact.blockId;
  const segments = path.split('.');
  for (let length = segments.length; length >= 0; length -= 1) {
    const ancestor = segments.slice(0, length).join('.');
    const found = inputs.find((input) => isWithin(input.path, ancestor));
    if (found) return found.blockId;
  }
  return undefined;
}
