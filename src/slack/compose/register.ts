import type { App, BlockAction, ViewSubmitAction } from '@slack/bolt';
import { MESSAGE_KINDS } from '../../messages/message.ts';
import { FIELD_ACTION } from '../forms/input-block.ts';
import { handleFieldChanged, handleTemplateChosen, handleTemplateSuggestions } from './changes.ts';
import { handleComposeCommand } from './command.ts';
import type { ComposeDependencies } from './dependencies.ts';
import { commandOf } from './help.ts';
import { handleSubmission } from './submission.ts';
import { TEMPLATE_FIELD } from './template-picker.ts';
import { createViewUpdates } from './view-updates.ts';

/** Adds the send commands, their forms, and what happens in them. What a handler throws is the app's to tell. */
export function registerCompose(app: App, dependencies: ComposeDependencies): void {
  const compose = { ...dependencies, views: createViewUpdates(dependencies.clock, dependencies.logger) };
  for (const kind of MESSAGE_KINDS) {
    app.command(commandOf(kind), (args) => handleComposeCommand(kind, args, compose));
    app.view<ViewSubmitAction>(kind, (args) => handleSubmission(args, compose));
  }
  app.options(TEMPLATE_FIELD, (args) => handleTemplateSuggestions(args, compose));
  app.action<BlockAction>(TEMPLATE_FIELD, (args) => handleTemplateChosen(args, compose));
  app.action<BlockAction>(FIELD_ACTION, (args) => handleFieldChanged(args, compose));
}
