import type { App, BlockAction, BlockButtonAction, ViewSubmitAction } from '@slack/bolt';
import { LOOK_ACTION } from '../kit/cards/look-button.ts';
import { createViewUpdates } from '../kit/views/view-updates.ts';
import { ARCHIVE_VIEW, handleArchive, handleArchiveAnswer } from './archive.ts';
import type { Catalogue, ClickArguments, SubmitArguments, TemplatesDependencies } from './dependencies.ts';
import { handleAdd, handleDuplicate, handleEdit, handleForm, handleKind, handleRows } from './form.ts';
import { FEWER_ACTION, FORM_VIEW, KIND_ACTION, MORE_ACTION } from './form-view.ts';
import { handleHistory, handleOlder, OLDER_ACTION } from './history.ts';
import { handleImport, handleImportAnswer, handleImportFile, IMPORT_VIEW, PLAN_VIEW } from './import.ts';
import * as list from './list.ts';
import * as look from './look.ts';
import { handleExport, handleTemplatesCommand } from './templates-command.ts';
import { handleTry, handleTryCheck, handleTryField, TRY_FIELD_ACTION, TRY_VIEW } from './try.ts';

type Click = (args: ClickArguments, catalogue: Catalogue) => Promise<void>;
type Submit = (args: SubmitArguments, catalogue: Catalogue) => Promise<void>;

const BUTTONS: Readonly<Record<string, Click>> = {
  [list.EARLIER_ACTION]: list.handlePage,
  [list.LATER_ACTION]: list.handlePage,
  [list.ALL_ACTION]: list.handleAll,
  [LOOK_ACTION]: look.handleLook,
  [list.ADD_ACTION]: handleAdd,
  [list.IMPORT_ACTION]: handleImport,
  [list.EXPORT_ACTION]: handleExport,
  [look.EDIT_ACTION]: handleEdit,
  [look.TRY_ACTION]: handleTry,
  [look.DUPLICATE_ACTION]: handleDuplicate,
  [look.ARCHIVE_ACTION]: handleArchive,
  [look.HISTORY_ACTION]: handleHistory,
  [OLDER_ACTION]: handleOlder,
  [MORE_ACTION]: (args, catalogue) => handleRows(args, MORE_ACTION, catalogue),
  [FEWER_ACTION]: (args, catalogue) => handleRows(args, FEWER_ACTION, catalogue),
};

/** Menus and inputs that are listened to while they change. */
const FIELDS: Readonly<Record<string, Click>> = {
  [`templates_${list.QUERY_FIELD}`]: list.handleFilter,
  [`templates_${list.CHANNEL_FIELD}`]: list.handleFilter,
  [`templates_${list.STATE_FIELD}`]: list.handleFilter,
  [KIND_ACTION]: handleKind,
  [TRY_FIELD_ACTION]: handleTryField,
};

const VIEWS: Readonly<Record<string, Submit>> = {
  [list.LIST_VIEW]: list.handleSearch,
  [FORM_VIEW]: handleForm,
  [ARCHIVE_VIEW]: handleArchiveAnswer,
  [TRY_VIEW]: handleTryCheck,
  [IMPORT_VIEW]: handleImportFile,
  [PLAN_VIEW]: handleImportAnswer,
};

/** Adds `/templates`, its windows, and the buttons by which results lead to their templates. */
export function registerTemplates(app: App, dependencies: TemplatesDependencies): void {
  const catalogue: Catalogue = {
    ...dependencies,
    views: createViewUpdates(dependencies.clock, dependencies.logger),
  };
  app.command('/templates', (args) => handleTemplatesCommand(args, catalogue));
  for (const [action, handle] of Object.entries(BUTTONS))
    app.action<BlockButtonAction>(action, (args) => handle(args as ClickArguments, catalogue));
  for (const [action, handle] of Object.entries(FIELDS))
    app.action<BlockAction>(action, (args) => handle(args as ClickArguments, catalogue));
  for (const [view, handle] of Object.entries(VIEWS))
    app.view<ViewSubmitAction>(view, (args) => handle(args as SubmitArguments, catalogue));
}
