import type { KnownBlock } from '@slack/types';
import { DRAFT_NAME_MAX_CHARACTERS } from '../../../sends/drafts.ts';
import { actions, button, input, saying, searchedSelect, textInput } from '../../kit/blocks/blocks.ts';
import { blockIdOf } from '../../kit/forms/path.ts';

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
  const hint = `To keep this message, without its recipients, for yourself: at most ${DRAFT_NAME_MAX_CHARACTERS} characters.`;
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
