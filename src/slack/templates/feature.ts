import { LOOK_ACTION } from '../kit/cards/look-button.ts';
import type { Feature } from '../kit/feature/feature.ts';
import { type Entrance, handlerAsks, LISTS, OPEN } from '../kit/feature/rights.ts';
import { ARCHIVE_VIEW, handleArchive, handleArchiveAnswer } from './archive.ts';
import { handleAdd, handleDuplicate, handleEdit, handleForm, handleKind, handleRows } from './form.ts';
import { FEWER_ACTION, FORM_VIEW, KIND_ACTION, MORE_ACTION } from './form-view.ts';
import { handleImport, handleImportAnswer, handleImportFile, IMPORT_VIEW, PLAN_VIEW } from './import.ts';
import * as list from './list.ts';
import * as look from './look.ts';
import { handleHistory, handleOlder, OLDER_ACTION } from './look.ts';
import { HELP, handleExport, handleTemplatesCommand } from './templates-command.ts';
import { handleTry, handleTryCheck, handleTryField, TRY_FIELD_ACTION, TRY_VIEW } from './try.ts';
import type { Catalogue } from './windows.ts';

// To change templates takes its own right, for which the windows ask; as a file they are a list as well.
const CHANGE = handlerAsks('templates');
const FILE: Entrance = { ...LISTS, needs: 'lists and templates' };

/** The catalogue of templates, and the buttons by which results lead to their templates. */
export const templatesFeature: Feature<Catalogue> = {
  commands: {
    '/templates': {
      needs: 'lists or templates',
      right: ({ text }) => (/^(export|import)$/i.test(text) ? { to: 'lists' } : undefined),
      description: 'The team’s catalogue of message templates',
      usageHint: '[words | look name | add | import | export] or help',
      examples: ['/templates', '/templates look order_update'],
      help: HELP,
      handle: handleTemplatesCommand,
    },
  },
  actions: {
    [list.EARLIER_ACTION]: { ...OPEN, handle: list.handlePage },
    [list.LATER_ACTION]: { ...OPEN, handle: list.handlePage },
    [list.ALL_ACTION]: { ...OPEN, handle: list.handleAll },
    [`templates_${list.QUERY_FIELD}`]: { ...OPEN, handle: list.handleFilter },
    [`templates_${list.CHANNEL_FIELD}`]: { ...OPEN, handle: list.handleFilter },
    [`templates_${list.STATE_FIELD}`]: { ...OPEN, handle: list.handleFilter },
    [list.EXPORT_ACTION]: { ...LISTS, handle: handleExport },
    [list.IMPORT_ACTION]: { ...FILE, handle: handleImport },
    [list.ADD_ACTION]: { ...CHANGE, handle: handleAdd },
    [LOOK_ACTION]: { ...OPEN, handle: look.handleLook },
    [look.EDIT_ACTION]: { ...CHANGE, handle: handleEdit },
    [look.TRY_ACTION]: { ...OPEN, handle: handleTry },
    [look.DUPLICATE_ACTION]: { ...CHANGE, handle: handleDuplicate },
    [look.ARCHIVE_ACTION]: { ...CHANGE, handle: handleArchive },
    [look.HISTORY_ACTION]: { ...OPEN, handle: handleHistory },
    [OLDER_ACTION]: { ...OPEN, handle: handleOlder },
    [KIND_ACTION]: { ...OPEN, handle: handleKind },
    [MORE_ACTION]: { ...OPEN, handle: handleRows },
    [FEWER_ACTION]: { ...OPEN, handle: handleRows },
    [TRY_FIELD_ACTION]: { ...OPEN, handle: handleTryField },
  },
  views: {
    [list.LIST_VIEW]: { ...OPEN, handle: list.handleSearch },
    [FORM_VIEW]: { ...CHANGE, handle: handleForm },
    [ARCHIVE_VIEW]: { ...CHANGE, handle: handleArchiveAnswer },
    [TRY_VIEW]: { ...OPEN, handle: handleTryCheck },
    [IMPORT_VIEW]: { ...FILE, handle: handleImportFile },
    [PLAN_VIEW]: { ...FILE, handle: handleImportAnswer },
  },
};
