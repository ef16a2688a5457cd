import { LOOK_ACTION } from '../kit/cards/template-of.ts';
import type { Feature } from '../kit/feature/feature.ts';
import { type Entrance, handlerAsks, LISTS, OPEN } from '../kit/feature/rights.ts';
import { ARCHIVE_VIEW, handleArchive, handleArchiveAnswer } from './archive.ts';
import * as form from './form.ts';
import { handleImport, handleImportAnswer, handleImportFile, IMPORT_VIEW, PLAN_VIEW } from './import.ts';
import * as list from './list.ts';
import * as look from './look.ts';
import { handleExport, handleTemplatesCommand, TEMPLATES_SUBCOMMANDS } from './templates-command.ts';
import type { Catalogue } from './windows.ts';

// To change templates takes its own right, for which the windows ask; as a file they are a list as well.
const CHANGE = handlerAsks('templates');
const FILE: Entrance = { ...LISTS, needs: 'lists and templates' };

/** The catalogue of templates, and the buttons by which results lead to their templates. */
export const templatesFeature: Feature<Catalogue> = {
  commands: {
    '/templates': {
      needs: 'lists or templates',
      description: 'The team’s catalogue of message templates',
      usageHint: '[words | look name | add | import | export] or help',
      examples: ['/templates'],
      help: [
        '`/templates` shows the catalogue, `/templates order` what fits “order”.',
        'Changing a template voids the approvals of sends that use it and have not begun; you are asked before.',
      ],
      handle: handleTemplatesCommand,
      subcommands: TEMPLATES_SUBCOMMANDS,
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
    [list.ADD_ACTION]: { ...CHANGE, handle: form.handleAdd },
    [LOOK_ACTION]: { ...OPEN, handle: look.handleLook },
    [look.EDIT_ACTION]: { ...CHANGE, handle: form.handleEdit },
    [look.TRY_ACTION]: { ...OPEN, handle: look.handleTry },
    [look.DUPLICATE_ACTION]: { ...CHANGE, handle: form.handleDuplicate },
    [look.ARCHIVE_ACTION]: { ...CHANGE, handle: handleArchive },
    [look.APPROVED_ACTION]: { ...CHANGE, handle: look.handleApproved },
    [look.HISTORY_ACTION]: { ...OPEN, handle: look.handleHistory },
    [look.OLDER_ACTION]: { ...OPEN, handle: look.handleOlder },
    [form.KIND_ACTION]: { ...OPEN, handle: form.handleKind },
    [form.MORE_ACTION]: { ...OPEN, handle: form.handleRows },
    [form.FEWER_ACTION]: { ...OPEN, handle: form.handleRows },
    [look.TRY_FIELD_ACTION]: { ...OPEN, handle: look.handleTryField },
  },
  views: {
    [list.LIST_VIEW]: { ...OPEN, handle: list.handleSearch },
    [form.FORM_VIEW]: { ...CHANGE, handle: form.handleForm },
    [ARCHIVE_VIEW]: { ...CHANGE, handle: handleArchiveAnswer },
    [look.TRY_VIEW]: { ...OPEN, handle: look.handleTryCheck },
    [IMPORT_VIEW]: { ...FILE, handle: handleImportFile },
    [PLAN_VIEW]: { ...FILE, handle: handleImportAnswer },
  },
};
