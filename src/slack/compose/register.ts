import type {
  App,
  BlockAction,
  BlockButtonAction,
  BlockExternalSelectAction,
  GlobalShortcut,
  MessageShortcut,
  ViewSubmitAction,
} from '@slack/bolt';
import { createExpiringMap } from '../../core/expiring-map.ts';
import { MESSAGE_KINDS } from '../../messages/kinds.ts';
import type { Send } from '../../sends/send.ts';
import { EXCLUSIONS_ACTION } from '../kit/cards/exclusions-button.ts';
import { FIELD_ACTION } from '../kit/forms/input-block.ts';
import { TEMPLATE_FIELD } from '../kit/templates/template-picker.ts';
import { createViewUpdates } from '../kit/views/view-updates.ts';
import { handleArrange } from './changes/arranging.ts';
import {
  handleAudienceSuggestions,
  handleFieldChanged,
  handleOtherList,
  handleSourceChosen,
  handleTemplateChosen,
  handleTemplateSuggestions,
} from './changes/changes.ts';
import { ARRANGE_ACTION } from './changes/part-controls.ts';
import { createSetAside } from './changes/set-aside.ts';
import type { ComposeDependencies } from './dependencies.ts';
import { REMOVE_DRAFT_ACTION, SAVE_DRAFT_ACTION, USE_DRAFT_ACTION } from './drafts/draft-blocks.ts';
import {
  handleDraftSuggestions,
  handleRemoveDraft,
  handleSaveDraft,
  handleUseDraft,
} from './drafts/drafts.ts';
import type { ComposeForm } from './form/form-view.ts';
import { AUDIENCE_FIELD, RECIPIENTS_FIELD } from './form/recipients.ts';
import { handleSubmission } from './form/submission.ts';
import { handleSendCommand } from './line/builder-command.ts';
import { isBuilder } from './line/builders.ts';
import type { CommandClient } from './line/command-arguments.ts';
import { commandOf } from './line/help.ts';
import { handleExclusions, handleReopen } from './list/list-actions.ts';
import { OTHER_LIST_ACTION } from './list/review-blocks.ts';
import { REOPEN_ACTION } from './list/review-list.ts';
import { openForEditing } from './start/edit.ts';
import { handleKindChosen, KIND_CHOICE } from './start/kind-choice.ts';
import {
  handleFlashShortcut,
  handleSendShortcut,
  handleSendThisShortcut,
  openKindChoice,
  type ShortcutClient,
} from './start/shortcuts.ts';

const CLOSED_FORMS_KEPT_MS = 60 * 60_000;
const CLOSED_FORMS_KEPT = 200;

/** What others may ask of the forms. */
export interface Composing {
  /** Opens a bulk send that was taken back as a form again; returns a sentence when that failed. */
  openForEditing(
    send: Send,
    triggerId: string,
    client: Pick<CommandClient, 'views'>,
  ): Promise<string | undefined>;
  /** Opens the choice of a kind of message, and then its form. */
  openKindChoice(
    click: { readonly triggerId: string; readonly userId: string },
    client: ShortcutClient,
  ): Promise<void>;
}

/** Adds the send commands, their forms, and what happens in them. What a handler throws is the app's to tell. */
export function registerCompose(app: App, dependencies: ComposeDependencies): Composing {
  const { clock, logger } = dependencies;
  const compose = {
    ...dependencies,
    reading: new Set<string>(),
    views: createViewUpdates(clock, logger),
    closedForms: createExpiringMap<ComposeForm>(CLOSED_FORMS_KEPT_MS, CLOSED_FORMS_KEPT, clock),
    setAside: createSetAside(dependencies.notes),
  };
  for (const kind of MESSAGE_KINDS) {
    if (!isBuilder(kind)) app.command(commandOf(kind), (args) => handleSendCommand(kind, args, compose));
    app.view<ViewSubmitAction>(kind, (args) => handleSubmission(args, compose));
  }
  app.shortcut<GlobalShortcut>('send_message', (args) => handleSendShortcut(args, compose));
  app.shortcut<MessageShortcut>('send_this_as', (args) => handleSendThisShortcut(args, compose));
  app.shortcut<MessageShortcut>('flash_this', (args) => handleFlashShortcut(args, compose));
  app.view<ViewSubmitAction>(KIND_CHOICE, (args) => handleKindChosen(args, compose));
  app.options(TEMPLATE_FIELD, (args) => handleTemplateSuggestions(args, compose));
  app.action<BlockAction>(TEMPLATE_FIELD, (args) => handleTemplateChosen(args, compose));
  app.action<BlockAction>(FIELD_ACTION, (args) => handleFieldChanged(args, compose));
  app.action<BlockButtonAction>(ARRANGE_ACTION, (args) => handleArrange(args, compose));
  app.action<BlockButtonAction>(SAVE_DRAFT_ACTION, (args) => handleSaveDraft(args, compose));
  app.action<BlockExternalSelectAction>(USE_DRAFT_ACTION, (args) => handleUseDraft(args, compose));
  app.action<BlockButtonAction>(REMOVE_DRAFT_ACTION, (args) => handleRemoveDraft(args, compose));
  app.options(USE_DRAFT_ACTION, (args) => handleDraftSuggestions(args, compose));
  app.action<BlockAction>(RECIPIENTS_FIELD, (args) => handleSourceChosen(args, compose));
  app.action<BlockAction>(OTHER_LIST_ACTION, (args) => handleOtherList(args, compose));
  app.options(AUDIENCE_FIELD, (args) => handleAudienceSuggestions(args, compose));
  app.action<BlockButtonAction>(EXCLUSIONS_ACTION, (args) => handleExclusions(args, compose));
  app.action<BlockButtonAction>(REOPEN_ACTION, (args) => handleReopen(args, compose));
  return {
    openForEditing: (send, triggerId, client) => openForEditing(send, triggerId, client, compose),
    openKindChoice: (click, client) => openKindChoice(click, client, compose),
  };
}
