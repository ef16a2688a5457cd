import type { InputBlock, KnownBlock } from '@slack/types';
import { columnsUsed, inBraces } from '../../../messages/columns.ts';
import type { ControlGroup } from '../../../messages/form/arrangement.ts';
import type { Issue } from '../../../messages/submission.ts';
import { isBlank } from '../../../messages/text.ts';
import { DRAFT_NAME_MAX_CHARACTERS } from '../../../sends/drafts.ts';
import { LIMITS } from '../../connection/limits.ts';
import {
  actions,
  button,
  input,
  option,
  plainText,
  saying,
  searchedSelect,
  select,
  textInput,
} from '../../kit/blocks/blocks.ts';
import { blockIdOf, isWithin, parseBlockId } from '../../kit/forms/path.ts';
import { OWN_TEXT } from '../../kit/forms/read-state.ts';

/* Blocks around a form's fields: the cursor, the choice of a column, the buttons that arrange parts, and its drafts. */

/**
 * The blocks with the cursor in what is wrong, or else in the first empty value below a path: one that must be filled, or, of
 * what was just added, any. Slack takes one such element a view.
 */
export function withFocus(
  blocks: readonly KnownBlock[],
  within: string | false = '',
  wrong?: string,
): readonly KnownBlock[] {
  if (within === false) return blocks;
  const inputs = blocks.filter(canHaveFocus);
  const empty = inputs.filter((block) => isEmptyWithin(block, within));
  const atFault = inputs.find((block) => pathOf(block) === wrong);
  const chosen =
    atFault ?? empty.find(({ optional }) => optional !== true) ?? (within === '' ? undefined : empty[0]);
  return blocks.map((block) =>
    block === chosen ? { ...block, element: { ...chosen.element, focus_on_load: true } } : block,
  ) as KnownBlock[];
}

/** Slack gives a file input no focus. */
function canHaveFocus(block: KnownBlock): block is InputBlock {
  return block.type === 'input' && block.element.type !== 'file_input';
}

export function pathOf({ block_id: id = '' }: KnownBlock): string {
  return parseBlockId(id).path;
}

/** Puts what is wrong under its field, in place of the hint, and says what has no field here. */
export function withIssues(issues: readonly Issue[], blocks: readonly KnownBlock[]) {
  const isAt = (issue: Issue, block: KnownBlock) => block.type === 'input' && pathOf(block) === issue.path;
  return {
    unplaced: issues.filter((issue) => !blocks.some((block) => isAt(issue, block))),
    blocks: blocks.map((block) => {
      const messages = issues.filter((issue) => isAt(issue, block)).map(({ message }) => message);
      const hint = plainText(`⚠️ ${messages.join(' ')}`, LIMITS.inputHint);
      return messages.length === 0 ? block : { ...block, hint };
    }) as KnownBlock[],
  };
}

function isEmptyWithin(block: InputBlock, within: string): boolean {
  const isFilled = Object.keys(block.element).some((key) => /^(initial|default)_/.test(key));
  return isWithin(pathOf(block), within) && !isFilled;
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

/** The buttons that add, remove and move parts of a form; what is done follows the colon, to what is their value. */
export const ARRANGE_ACTION = 'arrange:';

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
  const buttons = controls.map(({ does, path, label }) => button(`${ARRANGE_ACTION}${does}`, label, path));
  return actions(buttons, blockIdOf(`arrange.${after}`, mark));
}

export const DRAFT_NAME_FIELD = 'draftName';
/** The block of the picker and the buttons; Slack reports what the picker holds under it. */
export const DRAFTS_BLOCK = 'drafts';
export const SAVE_DRAFT_ACTION = 'save_draft';
export const USE_DRAFT_ACTION = 'use_draft';
export const REMOVE_DRAFT_ACTION = 'remove_draft';

/**
 * At the end of a form: the name to keep it under, and the drafts there are.
 *
 * @param name what the name's input holds
 * @param draft the draft that was put into the form, which can then be deleted
 * @param note what became of the last click, below the buttons
 */
export function draftBlocks(
  name: unknown,
  draft: string | undefined,
  mark: string | undefined,
  note: string | undefined,
): KnownBlock[] {
  const element = textInput(DRAFT_NAME_FIELD, { initial: name });
  const hint = `Keeps this message for yourself, without its recipients. At most ${DRAFT_NAME_MAX_CHARACTERS} characters.`;
  return [
    input(blockIdOf(DRAFT_NAME_FIELD, mark), 'Draft name', element, { hint, optional: true }),
    ...actions(
      [
        button(SAVE_DRAFT_ACTION, 'Save draft', 'save'),
        searchedSelect(USE_DRAFT_ACTION, undefined, 'Use a draft'),
        ...(draft === undefined ? [] : [removeButton(draft)]),
      ],
      blockIdOf(DRAFTS_BLOCK, mark),
    ),
    ...(note === undefined ? [] : [saying(note, 'draft:note')]),
  ];
}

function removeButton(draft: string) {
  return button(REMOVE_DRAFT_ACTION, 'Delete this draft', 'delete', {
    style: 'danger',
    question: {
      title: 'Delete the draft?',
      text: `“${draft}” is deleted. The form keeps what it holds.`,
      yes: 'Delete',
    },
  });
}
