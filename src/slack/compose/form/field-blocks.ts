import type { InputBlock, KnownBlock } from '@slack/types';
import { columnsUsed, inBraces } from '../../../messages/columns.ts';
import type { ControlGroup } from '../../../messages/form/arrangement.ts';
import { isBlank } from '../../../messages/text.ts';
import { LIMITS } from '../../connection/limits.ts';
import { actions, button, option, select } from '../../kit/blocks/blocks.ts';
import { blockIdOf, isWithin, parseBlockId } from '../../kit/forms/path.ts';
import { OWN_TEXT } from '../../kit/forms/read-state.ts';

/* What is done to the blocks of a form's fields: the cursor, the choice of a column, the buttons that arrange parts. */

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

/** Other than that of a text: an input that changes from one to the other forgets what it held. */
export const COLUMN_ACTION = 'column';

/**
 * A value of a template as a choice of the list's columns: what is chosen reads `{{column}}`, as if it had been typed.
 * Undefined for a value that is a text of its own, and for a list with nothing to choose from.
 */
export function columnSelect(
  { hint: _ofText, ...block }: InputBlock,
  value: unknown,
  columns: readonly string[],
): InputBlock | undefined {
  const options = columns
    .map((column) => ({ column, value: inBraces(column) }))
    .filter(({ column, value: one }) => one.length <= LIMITS.optionValue && columnsUsed(one)[0] === column)
    .slice(0, LIMITS.selectOptions - 1)
    .map(({ column, value: one }) => option(column, one));
  const isText = typeof value === 'string' && !isBlank(value) && !options.some((one) => one.value === value);
  if (options.length === 0 || isText) return undefined;
  const ownText = option('✏️ A text that I write', OWN_TEXT);
  return {
    ...block,
    dispatch_action: true,
    element: select(COLUMN_ACTION, [...options, ownText], value, 'Choose a column'),
  };
}

const ARRANGE = 'arrange';

/** The buttons that add, remove and move parts of a form; what is done follows the colon, to what is their value. */
export const ARRANGE_ACTION = `${ARRANGE}:`;

/** What a pressed button does. */
export function arrangementIn(actionId: string): string {
  return actionId.slice(ARRANGE.length + 1);
}

/** The blocks with each group of controls below the last field it is about. */
export function withControls(
  blocks: readonly KnownBlock[],
  groups: readonly ControlGroup[],
  mark: string | undefined,
): KnownBlock[] {
  const below = new Map<number, KnownBlock[]>();
  for (const group of groups) {
    const place = blocks.findLastIndex(({ block_id: id }) =>
      isWithin(parseBlockId(id ?? '').path, group.after),
    );
    if (place >= 0) below.set(place, [...(below.get(place) ?? []), ...controlBlocks(group, mark)]);
  }
  return blocks.flatMap((block, index) => [block, ...(below.get(index) ?? [])]);
}

function controlBlocks({ after, controls }: ControlGroup, mark: string | undefined): KnownBlock[] {
  const buttons = controls.map(({ does, path, label }) => button(`${ARRANGE}:${does}`, label, path));
  return actions(buttons, blockIdOf(`${ARRANGE}.${after}`, mark));
}
