import type { ModalView } from '@slack/types';
import { LATE, within } from '../../../core/within.ts';
import type { MessageKind } from '../../../messages/kinds.ts';
import { LIMITS } from '../../connection/limits.ts';
import { plainText } from '../../kit/blocks/blocks.ts';
import type { ClickHandler, OpenView, SuggestionHandler } from '../../kit/clicks/arguments.ts';
import { filledFromColumns, type List } from '../../kit/forms/list-values.ts';
import { parentOf, parseBlockId } from '../../kit/forms/path.ts';
import { previewBlocks, withParts } from '../../kit/forms/preview-blocks.ts';
import { OWN_TEXT, readState } from '../../kit/forms/read-state.ts';
import { CATALOGUE_MS, findTemplate, searchTemplates } from '../../kit/templates/find-template.ts';
import { fitValues } from '../../kit/templates/fit-values.ts';
import { TEMPLATE_FIELD, templateOption } from '../../kit/templates/template-picker.ts';
import { eventIn } from '../../kit/views/view-updates.ts';
import type { Compose } from '../compose.ts';
import { readMetadata, writeMetadata } from '../form/form-metadata.ts';
import { type ComposeForm, isChoosing, submitLabel } from '../form/form-view.ts';
import { carriedOn, kindOf, withBlocks } from '../form/open-view.ts';
import {
  audienceOption,
  NUMBERS_FIELD,
  parkedOf,
  RECIPIENTS_FIELD,
  type Source,
  sourceIn,
} from '../form/recipients.ts';
import { templateMark } from '../form/template-mark.ts';
import { counted, redrawForm } from '../list/counted.ts';
import { loadList } from '../list/list.ts';
import { listBlocks } from '../list/review-blocks.ts';
import { CATALOGUE_SLOW_ON_OPENING, templateGone } from '../sentences.ts';
import { formWithOtherParts, reshapes } from './arranging.ts';

/*
 * What happens in an open form before it is submitted: the template picker is searched, a template is chosen, a
 * field that the preview shows is changed.
 */

/** More saved audiences than this are more than a team keeps; a search looks through as many. */
const AUDIENCES_SEARCHED = 1000;

/** What was typed into the template picker → the templates that fit, best first, at most a hundred. */
export const handleTemplateSuggestions: SuggestionHandler<Compose> = async ({ body, ack }, compose) => {
  const kind = kindOf(body.view);
  const found = kind ? await searchTemplates(kind, body.value.trim(), LIMITS.selectOptions, compose) : [];
  if (found === LATE)
    compose.logger.warn({ kind }, 'the catalogue did not answer in time; no template was suggested');
  const templates = found === LATE ? [] : found.slice(0, LIMITS.selectOptions);
  await ack({ options: templates.map(templateOption) });
};

/** A template was chosen: shows exactly its fields. What belongs to every template is kept. */
export const handleTemplateChosen: ClickHandler<Compose> = async ({ body, action, client }, compose) => {
  const { view } = body;
  const kind = kindOf(view);
  if (view === undefined || kind === undefined) return;
  await redrawForm(client, eventIn(view, action), await formForChoice(kind, view, compose), compose);
};

async function formForChoice(kind: MessageKind, view: OpenView, compose: Compose): Promise<ComposeForm> {
  const metadata = readMetadata(view.private_metadata);
  // Without a suffix only the fields that every template has are read: the others belong to the template before.
  const { [TEMPLATE_FIELD]: chosen, ...values } = readState(view.state.values);
  const list = await loadList(metadata ?? {}, compose);
  const form = { kind, ...carriedOn(metadata), values, list: list === LATE ? undefined : list };
  const template = await findTemplate(kind, chosen, compose);
  if (template === LATE) return { ...form, notes: [CATALOGUE_SLOW_ON_OPENING] };
  if (template === undefined) {
    const notes = typeof chosen === 'string' ? [templateGone(chosen)] : [];
    return { ...form, notes };
  }
  const shown = templateMark(template) === metadata?.shown;
  const fitted = shown
    ? { values: readState(view.state.values, metadata?.shown), notes: [] }
    : fitValues(template, form.waiting ?? []);
  const chosenFor = { ...values, ...fitted.values };
  const filled = form.list ? filledFromColumns(chosenFor, template, form.list.audience.columns) : chosenFor;
  return { ...form, template, values: filled, notes: fitted.notes };
}

/**
 * A field was changed: shows the preview and the count of the list anew and nothing else, unless other fields come and go
 * with it.
 */
export const handleFieldChanged: ClickHandler<Compose> = async ({ body, action, client }, compose) => {
  const { view } = body;
  const kind = kindOf(view);
  if (view === undefined || kind === undefined) return;
  const event = eventIn(view, action);
  if (reshapes(kind, view, action.block_id, compose)) {
    const next = await formWithOtherParts(kind, view, (values) => values, compose);
    const focus = parentOf(parseBlockId(action.block_id ?? '').path);
    return redrawForm(client, event, { ...next, focus }, compose);
  }
  const ownText = action.selected_option?.value === OWN_TEXT ? parseBlockId(action.block_id).path : undefined;
  if (ownText !== undefined) {
    const form = await formAsShown(kind, view, compose);
    return form && redrawForm(client, event, { ...form, ownText, focus: ownText }, compose);
  }
  await compose.views.refresh(client, event, async () => {
    const form = await formAsShown(kind, view, compose);
    if (form === undefined) return undefined;
    const { form: now, later } = await counted(form, view.id, compose);
    const shown = (one: ComposeForm) => async () => withNewCount(view, one, compose);
    void later?.then((full) => full && compose.views.refresh(client, event, shown(full)));
    return withNewCount(view, now, compose);
  });
};

/** The button below a preview: shows it for the next row of the list. */
export const handleNextRow: ClickHandler<Compose> = async ({ body, action, client }, compose) => {
  const { view } = body;
  const kind = kindOf(view);
  const form = view && kind && (await formAsShown(kind, view, compose));
  if (form?.list === undefined || view === undefined) return;
  const place = Number(action.value);
  const { form: next } = await counted({ ...form, list: { ...form.list, place } }, view.id, compose);
  const private_metadata = writeMetadata({ ...readMetadata(view.private_metadata), place });
  const shown = { ...withNewCount(view, next, compose), private_metadata };
  await compose.views.redraw(client, eventIn(view, action), shown);
};

/** What an open form holds; undefined when its template is not there, or is another one than its fields are for. */
async function formAsShown(
  kind: MessageKind,
  view: OpenView,
  compose: Compose,
): Promise<ComposeForm | undefined> {
  const metadata = readMetadata(view.private_metadata);
  const values = readState(view.state.values, metadata?.shown);
  const template = await findTemplate(kind, values[TEMPLATE_FIELD], compose);
  if (template === LATE || (template && templateMark(template) !== metadata?.shown)) return undefined;
  const list = await loadList(metadata ?? {}, compose);
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
export const handleSourceChosen: ClickHandler<Compose> = async ({ body, action, client }, compose) => {
  const { view } = body;
  const kind = kindOf(view);
  if (view === undefined || kind === undefined) return;
  await redrawForm(client, eventIn(view, action), await formForSource(kind, view, compose), compose);
};

async function formForSource(kind: MessageKind, view: OpenView, compose: Compose): Promise<ComposeForm> {
  const metadata = readMetadata(view.private_metadata);
  const typed = readState(view.state.values, metadata?.shown);
  const parked = parkedOf(typed, metadata?.parked);
  const loaded = await loadList(metadata ?? {}, compose);
  const list = loaded === LATE ? undefined : loaded;
  const values = { ...(list && inPlaceOf(list)), ...parked, ...typed };
  const source = sourceIn(values);
  const template = await findTemplate(kind, typed[TEMPLATE_FIELD], compose);
  return {
    kind,
    ...carriedOn(metadata),
    values,
    parked,
    // One number is no list any more.
    list: source === 'one' ? undefined : list,
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
export const handleAudienceSuggestions: SuggestionHandler<Compose> = async (
  { body, ack },
  { audiences, clock, logger },
) => {
  const found = await within(audiences.list(AUDIENCES_SEARCHED), CATALOGUE_MS, clock);
  if (found === LATE) logger.warn({}, 'the audiences did not come in time; none was suggested');
  const query = body.value.trim().toLowerCase();
  const fitting = (found === LATE ? [] : found).filter(({ name }) => name?.toLowerCase().includes(query));
  await ack({ options: fitting.slice(0, LIMITS.selectOptions).map(audienceOption) });
};
