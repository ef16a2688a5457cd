import type { ModalView } from '@slack/types';
import { LATE, within } from '../../../core/within.ts';
import type { MessageKind } from '../../../messages/kinds.ts';
import { LIMITS } from '../../connection/limits.ts';
import type { ClickArguments, OpenView, SuggestionArguments } from '../../kit/clicks/arguments.ts';
import { previewBlocks, withPreview } from '../../kit/forms/preview-blocks.ts';
import { readState } from '../../kit/forms/read-state.ts';
import { CATALOGUE_MS, findTemplate, searchTemplates } from '../../kit/templates/find-template.ts';
import { fitValues } from '../../kit/templates/fit-values.ts';
import { TEMPLATE_FIELD, templateOption } from '../../kit/templates/template-picker.ts';
import { eventIn } from '../../kit/views/view-updates.ts';
import type { Compose } from '../compose.ts';
import { readMetadata } from '../form/form-metadata.ts';
import { composeView } from '../form/form-view.ts';
import { carriedOn, kindOf, withBlocks } from '../form/open-view.ts';
import { audienceOption, parkedOf, RECIPIENTS_FIELD, type Source } from '../form/recipients.ts';
import { templateMark } from '../form/template-mark.ts';
import { loadList } from '../list/list.ts';
import { CATALOGUE_SLOW_ON_OPENING, templateGone } from '../sentences.ts';
import { reshapes, viewWithOtherParts } from './arranging.ts';

/*
 * What happens in an open form before it is submitted: the template picker is searched, a template is chosen, a
 * field that the preview shows is changed.
 */

/** More saved audiences than this are more than a team keeps; a search looks through as many. */
const AUDIENCES_SEARCHED = 1000;

/** What was typed into the template picker → the templates that fit, best first, at most a hundred. */
export async function handleTemplateSuggestions(
  { body, ack }: SuggestionArguments,
  compose: Compose,
): Promise<void> {
  const kind = kindOf(body.view);
  const found = kind ? await searchTemplates(kind, body.value.trim(), LIMITS.selectOptions, compose) : [];
  if (found === LATE)
    compose.logger.warn({ kind }, 'the catalogue did not answer in time; no template was suggested');
  const templates = found === LATE ? [] : found.slice(0, LIMITS.selectOptions);
  await ack({ options: templates.map(templateOption) });
}

/** A template was chosen: shows exactly its fields. What belongs to every template is kept. */
export async function handleTemplateChosen(
  { body, action, ack, client }: ClickArguments,
  compose: Compose,
): Promise<void> {
  await ack();
  const { view } = body;
  const kind = kindOf(view);
  if (view === undefined || kind === undefined) return;
  await compose.views.redraw(client, eventIn(view, action), await viewForChoice(kind, view, compose));
}

async function viewForChoice(kind: MessageKind, view: OpenView, compose: Compose): Promise<ModalView> {
  const metadata = readMetadata(view.private_metadata);
  // Without a suffix only the fields that every template has are read: the others belong to the template before.
  const { [TEMPLATE_FIELD]: chosen, ...values } = readState(view.state.values);
  const list = await loadList(metadata?.audienceId, compose);
  const form = { kind, ...carriedOn(metadata), values, list: list === LATE ? undefined : list };
  const template = await findTemplate(kind, chosen, compose);
  if (template === LATE) return composeView({ ...form, notes: [CATALOGUE_SLOW_ON_OPENING] }, compose);
  if (template === undefined) {
    const notes = typeof chosen === 'string' ? [templateGone(chosen)] : [];
    return composeView({ ...form, notes }, compose);
  }
  const shown = templateMark(template) === metadata?.shown;
  const fitted = shown
    ? { values: readState(view.state.values, metadata?.shown), notes: [] }
    : fitValues(template, form.waiting ?? []);
  return composeView(
    { ...form, template, values: { ...values, ...fitted.values }, notes: fitted.notes },
    compose,
  );
}

/** A field was changed: redraws the preview and nothing else, unless other fields come and go with it. */
export async function handleFieldChanged(
  { body, action, ack, client }: ClickArguments,
  compose: Compose,
): Promise<void> {
  await ack();
  const { view } = body;
  const kind = kindOf(view);
  if (view === undefined || kind === undefined) return;
  if (reshapes(kind, view, action.block_id, compose)) {
    const next = await viewWithOtherParts(kind, view, (values) => values, compose);
    return compose.views.redraw(client, eventIn(view, action), next);
  }
  await compose.views.refresh(client, eventIn(view, action), async () => {
    const metadata = readMetadata(view.private_metadata);
    const values = readState(view.state.values, metadata?.shown);
    const template = await findTemplate(kind, values[TEMPLATE_FIELD], compose);
    if (template === LATE || (template && templateMark(template) !== metadata?.shown)) return undefined;
    const list = await loadList(metadata?.audienceId, compose);
    if (list === LATE) return undefined;
    const preview = previewBlocks(kind, template, values, { list, terms: compose.terms });
    return withBlocks(view, withPreview(view.blocks, preview));
  });
}

/** Where the recipients come from was chosen: asks for them there, and keeps all the rest. */
export async function handleSourceChosen(
  { body, action, ack, client }: ClickArguments,
  compose: Compose,
): Promise<void> {
  await ack();
  const { view } = body;
  const kind = kindOf(view);
  if (view === undefined || kind === undefined) return;
  await compose.views.redraw(
    client,
    eventIn(view, action),
    await viewForSource(kind, view, undefined, compose),
  );
}

/** Back from the last look at a list to the choice of one. */
export async function handleOtherList(
  { body, action, ack, client }: ClickArguments,
  compose: Compose,
): Promise<void> {
  await ack();
  const { view } = body;
  const kind = kindOf(view);
  if (view === undefined || kind === undefined) return;
  const list = await loadList(readMetadata(view.private_metadata)?.audienceId, compose);
  const source = list && list !== LATE && list.audience.source === 'numbers' ? 'numbers' : 'file';
  await compose.views.redraw(client, eventIn(view, action), await viewForSource(kind, view, source, compose));
}

async function viewForSource(
  kind: MessageKind,
  view: OpenView,
  source: Source | undefined,
  compose: Compose,
): Promise<ModalView> {
  const metadata = readMetadata(view.private_metadata);
  const typed = readState(view.state.values, metadata?.shown);
  const parked = parkedOf(typed, metadata?.parked);
  const values = { ...parked, ...typed, ...(source ? { [RECIPIENTS_FIELD]: source } : {}) };
  const template = await findTemplate(kind, typed[TEMPLATE_FIELD], compose);
  const { unclearFile: _answered, ...carried } = carriedOn(metadata);
  const form = { kind, ...carried, values, parked };
  return composeView(template === LATE || template === undefined ? form : { ...form, template }, compose);
}

/** What was typed into the audience picker → the saved audiences that fit, by name. */
export async function handleAudienceSuggestions(
  { body, ack }: SuggestionArguments,
  { audiences, clock, logger }: Compose,
): Promise<void> {
  const found = await within(audiences.list(AUDIENCES_SEARCHED), CATALOGUE_MS, clock);
  if (found === LATE) logger.warn({}, 'the audiences did not come in time; none was suggested');
  const query = body.value.trim().toLowerCase();
  const fitting = (found === LATE ? [] : found).filter(({ name }) => name?.toLowerCase().includes(query));
  await ack({ options: fitting.slice(0, LIMITS.selectOptions).map(audienceOption) });
}
