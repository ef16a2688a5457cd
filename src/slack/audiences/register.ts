import type { App, BlockButtonAction, ViewSubmitAction } from '@slack/bolt';
import {
  DELETE_ACTION,
  handleAudiencesCommand,
  handleDelete,
  handleLook,
  handleUploadButton,
  LOOK_ACTION,
  REPLACE_ACTION,
  UPLOAD_ACTION,
} from './audiences-command.ts';
import type { AudienceDependencies } from './dependencies.ts';
import { handleOptOutCommand } from './optout-command.ts';
import { handleUpload } from './upload.ts';
import { UPLOADS } from './upload-view.ts';

/** Adds `/audiences` and `/optout`, their forms and their buttons. */
export function registerAudiences(app: App, dependencies: AudienceDependencies): void {
  app.command('/audiences', (args) => handleAudiencesCommand(args, dependencies));
  app.command('/optout', (args) => handleOptOutCommand(args, dependencies));
  for (const upload of UPLOADS) {
    app.view<ViewSubmitAction>(upload, (args) => handleUpload(args, dependencies));
  }
  app.action<BlockButtonAction>(UPLOAD_ACTION, (args) => handleUploadButton(args));
  app.action<BlockButtonAction>(REPLACE_ACTION, (args) => handleUploadButton(args));
  app.action<BlockButtonAction>(LOOK_ACTION, (args) => handleLook(args, dependencies));
  app.action<BlockButtonAction>(DELETE_ACTION, (args) => handleDelete(args, dependencies));
}
