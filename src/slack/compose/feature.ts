import { KINDS, MESSAGE_KINDS, type MessageKind } from '../../messages/kinds.ts';
import { LIKE_THIS_ACTION, SEND_AGAIN_ACTION, TO_AUDIENCE_ACTION } from '../kit/cards/again-buttons.ts';
import { ANSWER_ACTION } from '../kit/cards/answer-control.ts';
import { EXCLUSIONS_ACTION } from '../kit/cards/list-words.ts';
import type { CommandArguments } from '../kit/clicks/arguments.ts';
import type { Feature } from '../kit/feature/feature.ts';
import { handlerAsks, LOOK_AT_SEND, OPEN, WHOLE_NUMBERS } from '../kit/feature/rights.ts';
import { FIELD_ACTION } from '../kit/forms/form-blocks.ts';
import { NEXT_ROW_ACTION } from '../kit/forms/preview-blocks.ts';
import { TEMPLATE_FIELD } from '../kit/templates/template-picker.ts';
import * as change from './changes/changes.ts';
import * as drafts from './changes/drafts.ts';
import type { Compose } from './compose.ts';
import {
  ARRANGE_ACTION,
  COLUMN_ACTION,
  REMOVE_DRAFT_ACTION,
  SAVE_DRAFT_ACTION,
  USE_DRAFT_ACTION,
} from './form/field-blocks.ts';
import { MORE_ACTION } from './form/form-view.ts';
import { ANSWER_BY_FIELD, AUDIENCE_FIELD, RECIPIENTS_FIELD, SAMPLE_ACTION } from './form/recipients.ts';
import { handleSubmission } from './form/submission.ts';
import { handleSendCommand } from './line/command.ts';
import { OTHER_LIST_ACTION, SCHEDULE_FIELD, TEST_ACTION } from './list/list.ts';
import { handleExclusions, handleReopen, REOPEN_ACTION } from './list/review-list.ts';
import * as again from './start/again.ts';
import { handleAnswer, handleAnswerBy } from './start/answer.ts';
import * as start from './start/kind-choice.ts';

// The form or the line says which kind of message it is, so the handlers ask.
const SEND = handlerAsks('send');

/** One command for each kind that has one of its own. */
const COMMANDS = MESSAGE_KINDS.flatMap((kind: MessageKind) => {
  const { command } = KINDS[kind];
  if ('builds' in command) return [];
  const handle = (args: CommandArguments, compose: Compose) => handleSendCommand(kind, args, compose);
  return [[`/${kind}` as const, { ...command, ...SEND, handle }] as const];
});

/** The send commands, their forms, and the shortcuts that lead to them. */
export const composeFeature: Feature<Compose> = {
  commands: Object.fromEntries(COMMANDS),
  shortcuts: {
    send_message: {
      ...SEND,
      type: 'global',
      name: 'Send a message',
      description: 'Choose a kind of message and fill in its form',
      handle: start.handleSendShortcut,
    },
    send_this_as: {
      ...SEND,
      type: 'message',
      name: 'Send this as…',
      description: 'Begin a message to customers with the text of this one',
      handle: start.handleSendThisShortcut,
    },
    flash_this: {
      ...SEND,
      type: 'message',
      name: 'Flash SMS this',
      description: 'Begin a flash SMS with the text of this message',
      handle: start.handleFlashShortcut,
    },
  },
  views: {
    [start.KIND_CHOICE]: { ...SEND, handle: start.handleKindChosen },
    ...Object.fromEntries(MESSAGE_KINDS.map((kind) => [kind, { ...SEND, handle: handleSubmission }])),
  },
  // In a form that is open; submitting it asks.
  options: {
    [TEMPLATE_FIELD]: { ...OPEN, handle: change.handleTemplateSuggestions },
    [AUDIENCE_FIELD]: { ...OPEN, handle: change.handleAudienceSuggestions },
    [USE_DRAFT_ACTION]: { ...OPEN, handle: drafts.handleDraftSuggestions },
  },
  actions: {
    [TEMPLATE_FIELD]: { ...OPEN, handle: change.handleTemplateChosen },
    [FIELD_ACTION]: { ...OPEN, handle: change.handleFieldChanged },
    [COLUMN_ACTION]: { ...OPEN, handle: change.handleFieldChanged },
    [SCHEDULE_FIELD]: { ...OPEN, handle: change.handleFieldChanged },
    [NEXT_ROW_ACTION]: { ...OPEN, handle: change.handleNextRow },
    [ARRANGE_ACTION]: { ...OPEN, handle: change.handleArrange },
    [MORE_ACTION]: { ...OPEN, handle: change.handleMore },
    [RECIPIENTS_FIELD]: { ...OPEN, handle: change.handleSourceChosen },
    [TEST_ACTION]: { ...OPEN, handle: change.handleTest },
    [OTHER_LIST_ACTION]: { ...OPEN, handle: change.handleSourceChosen },
    [ANSWER_ACTION]: { ...SEND, handle: handleAnswer },
    [ANSWER_BY_FIELD]: { ...OPEN, handle: handleAnswerBy },
    [SAVE_DRAFT_ACTION]: { ...OPEN, handle: drafts.handleSaveDraft },
    [USE_DRAFT_ACTION]: { ...OPEN, handle: drafts.handleUseDraft },
    [REMOVE_DRAFT_ACTION]: { ...OPEN, handle: drafts.handleRemoveDraft },
    [SAMPLE_ACTION]: { ...OPEN, handle: change.handleSample },
    [REOPEN_ACTION]: { ...OPEN, handle: handleReopen },
    // Their forms say who may not send: what is asked for here is to see what they hold.
    [SEND_AGAIN_ACTION]: { ...WHOLE_NUMBERS, handle: again.handleSendAgain },
    [LIKE_THIS_ACTION]: { ...LOOK_AT_SEND, handle: again.handleLikeThis },
    [TO_AUDIENCE_ACTION]: { ...WHOLE_NUMBERS, handle: again.handleToAudience },
    [EXCLUSIONS_ACTION]: {
      needs: 'reports',
      right: async ({ value, userId }, { audiences }) => {
        const list = await audiences.find(value.split(' ', 1)[0] ?? '');
        return list === undefined || list.createdBy === userId ? undefined : { to: 'reports' };
      },
      handle: handleExclusions,
    },
  },
  scopes: { 'users:read': 'to name who is mentioned in a message that is sent on' },
};
