import type { KnownBlock } from '@slack/types';
import type { ControlGroup } from '../../../messages/form/arrangement.ts';
import { actions, button } from '../../kit/blocks/blocks.ts';
import { blockIdOf, isWithin, parseBlockId } from '../../kit/forms/path.ts';

const ARRANGE = 'arrange';

/** The buttons that add, remove and move parts of a form; what is done follows the colon, to what is their value. */
export const ARRANGE_ACTION = `${ARRANGE}:`;

/** The suffix of inputs whose form was rearranged so often. */
export function revisionMark(revision: number): string {
  return `r${revision}`;
}

/** The revision that a suffix names; undefined for the suffix of a template's fields. */
export function revisionIn(mark: string | undefined): number | undefined {
  const [, digits] = /^r(\d{1,6})$/.exec(mark ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

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
