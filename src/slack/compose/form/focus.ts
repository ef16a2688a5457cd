import type { KnownBlock } from '@slack/types';
import { isWithin, parseBlockId } from '../../kit/forms/path.ts';

/**
 * The blocks with the cursor in the first empty value below a path: one that must be filled, or, of what was just added,
 * any. Slack takes one such element a view.
 */
export function withFocus(blocks: readonly KnownBlock[], within = ''): readonly KnownBlock[] {
  const empty = blocks.filter((block) => isEmptyWithin(block, within));
  const chosen = empty.find((block) => !isOptional(block)) ?? (within === '' ? undefined : empty[0]);
  return blocks.map((block) =>
    block === chosen && block.type === 'input'
      ? { ...block, element: { ...block.element, focus_on_load: true } }
      : block,
  ) as KnownBlock[];
}

function isOptional(block: KnownBlock): boolean {
  return block.type === 'input' && block.optional === true;
}

function isEmptyWithin(block: KnownBlock, within: string): boolean {
  if (block.type !== 'input' || !isWithin(parseBlockId(block.block_id ?? '').path, within)) return false;
  const { element } = block;
  // Slack gives a file input no focus.
  if (element.type === 'file_input') return false;
  return !Object.keys(element).some((key) => key.startsWith('initial_') || key.startsWith('default_'));
}
