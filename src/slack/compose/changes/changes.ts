import type { ModalView } from '@slack/types';
import { LATE, within } from '../../../core/within.ts';
import { ARRANGEMENTS, arrange } from '../../../messages/form/arrangement.ts';
import { KINDS } from '../../../messages/kinds.ts';
import { LIMITS } from '../../connection/limits.ts';
import { plainText } from '../../kit/blocks/blocks.ts';
import type { OpenView } from '../../kit/clicks/arguments.ts';
import { formContext } from '../../kit/forms/form-context.ts';
import { leavesOf } from '../../kit/forms/leaves.ts';
import { filledFromColumns, type List } from '../../kit/forms/list-values.ts';
import { joinPath, parentOf, parseBlockId, valueAt } from '../../kit/forms/path.ts';
import { previewBlocks, withParts } from '../../kit/forms/preview-blocks.ts';
import { type FormValues, OWN_TEXT, readState } from '../../kit/forms/read-state.ts';
import { CATALOGUE_MS, findTemplate, searchTemplates } from '../../kit/templates/find-template.ts';
import { fitValues } from '../../kit/templates/fit-values.ts';
import { TEMPLATE_FIELD, templateOption } from '../../kit/templates/template-picker.ts';
import type { Compose } from '../compose.ts';
import { arrangementIn } from '../form/field-blocks.ts';
import { revisionIn, templateMark, writeMetadata } from '../form/form-metadata.ts';
import { type ComposeForm, isChoosing, submitLabel } from '../form/form-view.ts';
import {
  carriedOn,
  counted,
  drawnAnew,
  inForm,
  type OpenForm,
  redrawForm,
  suggesting,
  withBlocks,
} from '../form/open-form.ts';
import {
  audienceOption,
  NUMBERS_FIELD,
  parkedOf,
  RECIPIENTS_FIELD,
  type Source,
  sourceIn,
} from '../form/recipients.ts';
import { listBlocks, loadList } from '../list/list.ts';
import { CATALOGUE_SLOW_ON_OPENING, templateGone } from '../sentences.ts';

/*
 * What happens in an open form before it is submitted: the template picker is searched, a template is chosen, a
 * field that the preview shows is changed, parts are added, removed and moved, or a choice asks for other ones. What was
 * typed is never lost: what is not shown any more is set aside, and is there again when it is shown again.
 */

/** More saved audiences than this are more than a team keeps; a search looks through as many. */
const AUDIENCES_SEARCHED = 1000;

/** What was typed into the template picker → the templates that fit, best first. */
export const handleTemplateSuggestions = suggesting('the templates', async ({ query, kind }, compose) => {
  const found = kind ? await searchTemplates(kind, query, LIMITS.selectOptions, compose) : [];
  return found === LATE ? LATE : found.map(templateOption);
});

/** A template was chosen: shows exactly its fields. What belongs to every template is kept. */
export const handleTemplateChosen = inForm(async (form, { client }, compose) => {
  await redrawForm(client, form.event, await formForChoice(form, compose), compose);
});

async function formForChoice(open: OpenForm, compose: Compose): Promise<ComposeForm> {
  const { kind, view, metadata } = open;
  // Without a suffix only the fields that every template has are read: the others belong to the template before.
  const { [TEMPLATE_FIELD]: chosen, ...values } = readState(view.state.values);
  const form = await drawnAnew({ ...open, values }, compose);
  const template = await findTemplate(kind, chosen, compose);
  if (template === LATE) return { ...form, notes: [CATALOGUE_SLOW_ON_OPENING] };
  if (template === undefined) {
    const notes = typeof chosen === 'string' ? [templateGone(chosen)] : [];
    return { ...form, notes };
  }
  const shown = templateMark(template) === metadata.shown;
  const fitted = shown ? { values: open.values, notes: [] } : fitValues(template, form.waiting ?? []);
  const chosenFor = { ...values, ...fitted.values };
  const filled = form.list ? filledFromColumns(chosenFor, template, form.list.audience.columns) : chosenFor;
  return { ...form, template, values: filled, notes: fitted.notes };
}

/**
 * A field was changed: shows the preview and the count of the list anew and nothing else, unless other fields come and go
 * with it.
 */
export const handleFieldChanged = inForm(async (open, { action, client }, compose) => {
  const { view, event } = open;
  const { path } = parseBlockId(action.block_id);
  if (reshapes(open, path, compose)) {
    const next = await formWithOtherParts(open, (values) => values, compose);
    return redrawForm(client, event, { ...next, focus: parentOf(path) }, compose);
  }
  if (action.selected_option?.value === OWN_TEXT) {
    const form = await formAsShown(open, compose);
    return form && redrawForm(client, event, { ...form, ownText: path, focus: path }, compose);
  }
  await compose.views.refresh(client, event, async () => {
    const form = await formAsShown(open, compose);
    if (form === undefined) return undefined;
    const { form: now, later } = await counted(form, view.id, compose);
    const shown = (one: ComposeForm) => async () => withNewCount(view, one, compose);
    void later
      ?.then((full) => full && compose.views.refresh(client, event, shown(full)))
      .catch(() => undefined);
    return withNewCount(view, now, compose);
  });
});

/** The button below a preview: shows it for the next row of the list. */
export const handleNextRow = inForm(async (open, { action, client }, compose) => {
  const { view, metadata, event } = open;
  const form = await formAsShown(open, compose);
  if (form?.list === undefined) return;
  const place = Number(action.value);
  const { form: next } = await counted({ ...form, list: { ...form.list, place } }, view.id, compose);
  const private_metadata = writeMetadata({ ...metadata, place });
  await compose.views.redraw(client, event, { ...withNewCount(view, next, compose), private_metadata });
});

/** What an open form holds; undefined when its template is not there, or is another one than its fields are for. */
async function formAsShown(
  { kind, metadata, values }: OpenForm,
  compose: Compose,
): Promise<ComposeForm | undefined> {
  const template = await findTemplate(kind, values[TEMPLATE_FIELD], compose);
  if (template === LATE || (template && templateMark(template) !== metadata.shown)) return undefined;
  const list = await loadList(metadata, compose);
  return list === LATE ? undefined : { kind, ...carriedOn(metadata), template, values, list };
}

/** The form as it stands, inputs and all, with another preview and another count. */
function withNewCount(view: OpenView, form: ComposeForm, compose: Compose): ModalView {
  const { kind, template, values, list } = form;
  const preview = previewBlocks(kind, template, values, { list, terms: compose.terms });
  if (list === undefined) return withBlocks(view, withParts(view.blocks, { preview }));
  const blocks = withParts(view.blocks, { preview, list: listBlocks(list, isChoosing(form)) });
  return { ...withBlocks(view, blocks), submit: plainText(submitLabel(form, compose), LIMITS.modalSubmit) };
}

/**
 * Where the recipients come from was chosen, or at the last look that another list is wanted in the place of the one that was
 * read: asks for them there, and keeps all the rest.
 */
export const handleSourceChosen = inForm(async (form, { client }, compose) => {
  await redrawForm(client, form.event, await formForSource(form, compose), compose);
});

async function formForSource(open: OpenForm, compose: Compose): Promise<ComposeForm> {
  const { kind, metadata, values: typed } = open;
  const form = await drawnAnew(open, compose);
  const parked = parkedOf(typed, metadata.parked);
  const values = { ...(form.list && inPlaceOf(form.list)), ...parked, ...typed };
  const source = sourceIn(values);
  const template = await findTemplate(kind, typed[TEMPLATE_FIELD], compose);
  return {
    ...form,
    values,
    parked,
    // One number is no list any more.
    list: source === 'one' ? undefined : form.list,
    focus: source === 'one' ? 'to' : source,
    template: template === LATE ? undefined : template,
  };
}

/** Where a list came from, and, of pasted numbers, what was pasted. */
function inPlaceOf({ audience, sample, leftOut }: List): Readonly<Record<string, string>> {
  const source: Source = audience.name === undefined ? audience.source : 'audience';
  if (source !== 'numbers') return { [RECIPIENTS_FIELD]: source };
  const rows = [...sample.map(({ row, number }) => ({ row, value: number })), ...leftOut];
  const numbers = rows.toSorted((one, other) => one.row - other.row).map(({ value }) => value);
  return { [RECIPIENTS_FIELD]: source, [NUMBERS_FIELD]: numbers.join('\n') };
}

/** What was typed into the audience picker → the saved audiences that fit, by name. */
export const handleAudienceSuggestions = suggesting('the audiences', async ({ query }, compose) => {
  const found = await within(compose.audiences.list(AUDIENCES_SEARCHED), CATALOGUE_MS, compose.clock);
  if (found === LATE) return LATE;
  const typed = query.toLowerCase();
  return found.filter(({ name }) => name?.toLowerCase().includes(typed)).map(audienceOption);
});

/** A button that adds, removes or moves a part was pressed. */
export const handleArrange = inForm(async (form, { action, client }, compose) => {
  const { parts } = KINDS[form.kind];
  const does = ARRANGEMENTS.find((one) => one === arrangementIn(action.action_id));
  if (parts === undefined || does === undefined) return;
  const path = action.value ?? '';
  const next = await formWithOtherParts(form, (values) => arrange(values, { does, path }, parts), compose);
  const focus = does === 'add' ? newestIn(next.values, path) : does === 'open' && path;
  await redrawForm(client, form.event, { ...next, focus }, compose);
});

function newestIn(values: unknown, path: string): string {
  const list = valueAt(values, path);
  return joinPath(path, Array.isArray(list) ? list.length - 1 : 0);
}

/** True when other fields come and go with the one that was changed. */
function reshapes({ kind, values }: OpenForm, path: string, compose: Compose): boolean {
  if (KINDS[kind].parts === undefined) return false;
  const leaves = leavesOf(KINDS[kind].form({ ...formContext(compose), entered: values }));
  return leaves.some((leaf) => leaf.path === path && leaf.meta.reshapes);
}

/** The form after a change of its parts, in a new revision, with everything that was typed. */
async function formWithOtherParts(
  open: OpenForm,
  change: (values: FormValues) => FormValues,
  compose: Compose,
): Promise<ComposeForm> {
  const { view, values: shown } = open;
  const values = change(withSetAside(await compose.setAside.get(view.id), shown));
  await compose.setAside.set(view.id, values);
  return { ...(await drawnAnew({ ...open, values }, compose)), revision: nextRevision(open) };
}

/** A form in another revision forgets what its inputs held. */
export function nextRevision({ metadata }: OpenForm): number {
  return (revisionIn(metadata.shown) ?? 1) + 1;
}

/** What is shown, over what was set aside; of a list, what is shown is all of it. */
function withSetAside(aside: unknown, shown: FormValues): Record<string, unknown> {
  if (!isGroup(aside)) return { ...shown };
  const merged: Record<string, unknown> = { ...aside };
  for (const [key, value] of Object.entries(shown)) {
    merged[key] = isGroup(value) && isGroup(aside[key]) ? withSetAside(aside[key], value) : value;
  }
  return merged;
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
