import type { AnyBlock, ModalView } from '@slack/types';
import { given } from '../../../core/given.ts';
import { LATE, within } from '../../../core/within.ts';
import { ARRANGEMENTS, arrange } from '../../../messages/form/arrangement.ts';
import { KINDS } from '../../../messages/kinds.ts';
import { sampleForTemplate, sampleForText } from '../../../sends/audiences/csv-lines.ts';
import { markSentence, warningOf } from '../../../sends/templates/mark.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { plainText } from '../../kit/blocks/blocks.ts';
import { notify, openModal } from '../../kit/clicks/answering.ts';
import type { ClickArguments, OpenView } from '../../kit/clicks/arguments.ts';
import { formContext, leavesOf } from '../../kit/forms/form-blocks.ts';
import { asRecipient, filledFromColumns, type List } from '../../kit/forms/list-values.ts';
import { joinPath, parentOf, parseBlockId, valueAt } from '../../kit/forms/path.ts';
import { previewBlocks, withParts } from '../../kit/forms/preview-blocks.ts';
import { type FormValues, OWN_TEXT, readState } from '../../kit/forms/read-state.ts';
import { CATALOGUE_MS, findTemplate, markOf, searchTemplates } from '../../kit/templates/find-template.ts';
import { fitValues } from '../../kit/templates/fit-values.ts';
import { TEMPLATE_FIELD, templateOption } from '../../kit/templates/template-picker.ts';
import type { Compose } from '../compose.ts';
import { ARRANGE_ACTION } from '../form/field-blocks.ts';
import { revisionIn, templateMark, writeMetadata } from '../form/form-metadata.ts';
import {
  type ComposeForm,
  composeView,
  fieldsMark,
  isChoosing,
  over,
  submitLabel,
  withHidden,
} from '../form/form-view.ts';
import {
  counted,
  drawnAnew,
  inForm,
  messageValues,
  type OpenForm,
  redrawForm,
  suggesting,
} from '../form/open-form.ts';
import {
  audienceOption,
  NUMBERS_FIELD,
  RECIPIENTS_FIELD,
  type Source,
  sampleBlocks,
  sourceIn,
  withoutRecipients,
} from '../form/recipients.ts';
import { listBlocks } from '../list/list.ts';
import * as say from '../sentences.ts';

/*
 * People work in an open form before they submit it: the template picker is searched, a template is chosen, a
 * field that the preview shows is changed, parts are added, removed and moved, or a choice asks for other ones. What was
 * typed is never lost: what is not shown any more is set aside, and is there again when it is shown again.
 */

/** More saved audiences than this are more than a team keeps; a search looks through as many. */
const AUDIENCES_SEARCHED = 1000;

export function redrawn(
  changed: (open: OpenForm, compose: Compose, click: ClickArguments) => Promise<ComposeForm | undefined>,
) {
  return inForm(async (open, click, compose) => {
    const form = await changed(open, compose, click);
    if (form !== undefined) await redrawForm(click.client, open.event, form, compose);
  });
}

export const handleTemplateSuggestions = suggesting('the templates', async ({ query, kind }, compose) => {
  const found = kind ? await searchTemplates(kind, query, LIMITS.selectOptions, compose) : [];
  return found === LATE ? LATE : found.map(templateOption);
});

/** A template was chosen: shows exactly its fields. What belongs to every template is kept. */
export const handleTemplateChosen = redrawn(async (open, compose) => {
  const { kind, view, metadata } = open;
  // Without a suffix only the fields that every template has are read: the others belong to the template before.
  const { [TEMPLATE_FIELD]: chosen, ...values } = readState(view.state.values);
  const form = await drawnAnew({ ...open, values }, compose);
  const template = await findTemplate(kind, chosen, compose);
  if (template === LATE) return { ...form, notes: [say.CATALOGUE_SLOW_ON_OPENING] };
  if (template === undefined) {
    const notes = typeof chosen === 'string' ? [say.templateGone(chosen)] : [];
    return { ...form, notes };
  }
  const shown = templateMark(template) === metadata.shown;
  const fitted = shown ? { values: open.values, notes: [] } : fitValues(template, form.waiting ?? []);
  const chosenFor = { ...values, ...fitted.values };
  const filled = form.list ? filledFromColumns(chosenFor, template, form.list.audience.columns) : chosenFor;
  const marked = warningOf(await markOf(template, compose), compose.clock.now());
  const notes = [...(marked ? [markSentence(marked)] : []), ...fitted.notes];
  return { ...form, template, values: filled, notes };
});

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

export const handleNextRow = inForm(async (open, { action, client }, compose) => {
  const { view, metadata, event } = open;
  const form = await formAsShown(open, compose);
  if (form?.list === undefined) return;
  const place = Number(action.value);
  const { form: next } = await counted({ ...form, list: { ...form.list, place } }, view.id, compose);
  const private_metadata = writeMetadata({ ...metadata, place });
  await compose.views.redraw(client, event, { ...withNewCount(view, next, compose), private_metadata });
});

/** “Send a test to me”, above the review: the message for one number, as the recipient of the row shown will read it. */
export const handleTest = inForm(async (open, { body, client }, compose) => {
  const form = await formAsShown(open, compose);
  if (form?.list === undefined) return;
  const { kind, template, channelId, list } = form;
  const values = messageValues(asRecipient(form.values, list));
  const view = composeView(
    { kind, template, channelId, values, notes: [say.IS_A_TEST], focus: 'to' },
    compose,
  );
  const opened = await openModal(client, body.trigger_id, view, 'push');
  const to = { channelId, userId: body.user.id };
  if (!opened.ok) await notify(client, to, `${opened.error} ${say.NOTHING_SENT}`, compose.logger);
});

/** Reads an open form as it is shown; undefined when its template or its list is not there, or is another one by now. */
async function formAsShown(open: OpenForm, compose: Compose): Promise<ComposeForm | undefined> {
  const form = await drawnAnew(open, compose);
  const { shown, audienceId } = open.metadata;
  return fieldsMark(form) === shown && form.list?.audience.id === audienceId ? form : undefined;
}

/** The form as it stands, inputs and all, with another preview and another count. */
function withNewCount(view: OpenView, form: ComposeForm, compose: Compose): ModalView {
  const { kind, template, values, list } = form;
  const preview = previewBlocks(kind, template, values, { list, terms: compose.terms });
  const blocks = withParts(view.blocks, {
    preview,
    ...(list && { list: listBlocks(list, isChoosing(form)) }),
  });
  return { ...withBlocks(view, blocks), submit: plainText(submitLabel(form, compose), LIMITS.modalSubmit) };
}

/** The view as it stands, with other blocks: what Slack adds to a view is not part of a request. */
function withBlocks(view: OpenView, blocks: readonly AnyBlock[]): ModalView {
  return {
    type: 'modal',
    callback_id: view.callback_id,
    title: view.title,
    ...given({ submit: view.submit ?? undefined, close: view.close ?? undefined }),
    private_metadata: view.private_metadata,
    blocks: [...blocks],
  };
}

/**
 * Where the recipients come from was chosen, or at the last look that another list is wanted in the place of the one that was
 * read: asks for them there, and keeps all the rest.
 */
export const handleSourceChosen = redrawn(async (open, compose) => {
  const { view, values: typed } = open;
  const form = await drawnAnew(open, compose);
  const aside = await compose.setAside.get(view.id);
  const { to, [NUMBERS_FIELD]: numbers } = over(aside, typed);
  const before = given({ to, [NUMBERS_FIELD]: numbers });
  // No more of the form: a one-time password, wherever in it, is written nowhere.
  await compose.setAside.set(view.id, { ...aside, ...before });
  const values = { ...(form.list && inPlaceOf(form.list)), ...before, ...typed };
  const source = sourceIn(values);
  // One number is no list any more.
  const list = source === 'one' ? undefined : form.list;
  return { ...form, values, list, focus: source === 'one' ? 'to' : source };
});

/** Shows what was left out of a form, with what it holds. */
export const handleMore = redrawn(async (open, compose) => {
  const form = await drawnAnew(open, compose);
  return { ...form, values: withHidden(form, compose), more: true, focus: false };
});

/** Fills in where a list came from, and the numbers if they were pasted. */
function inPlaceOf({ audience, sample, leftOut }: List): Readonly<Record<string, string>> {
  const source: Source = audience.name === undefined ? audience.source : 'audience';
  if (source !== 'numbers') return { [RECIPIENTS_FIELD]: source };
  const rows = [...sample.map(({ row, number }) => ({ row, value: number })), ...leftOut];
  const numbers = rows.toSorted((one, other) => one.row - other.row).map(({ value }) => value);
  return { [RECIPIENTS_FIELD]: source, [NUMBERS_FIELD]: numbers.join('\n') };
}

export const handleAudienceSuggestions = suggesting('the audiences', async ({ query }, compose) => {
  const found = await within(compose.audiences.list(AUDIENCES_SEARCHED), CATALOGUE_MS, compose.clock);
  if (found === LATE) return LATE;
  const typed = query.toLowerCase();
  return found.filter(({ name }) => name?.toLowerCase().includes(typed)).map(audienceOption);
});

export const handleArrange = redrawn(async (form, compose, { action }) => {
  const { parts } = KINDS[form.kind];
  const does = ARRANGEMENTS.find((one) => action.action_id === ARRANGE_ACTION + one);
  if (parts === undefined || does === undefined) return undefined;
  const path = action.value ?? '';
  const next = await formWithOtherParts(form, (values) => arrange(values, { does, path }, parts), compose);
  const focus = does === 'add' ? newestIn(next.values, path) : does === 'open' && path;
  return { ...next, focus };
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
  const aside = withoutRecipients(await compose.setAside.get(view.id));
  const values = change(over(aside, shown));
  await compose.setAside.set(view.id, values);
  return { ...(await drawnAnew({ ...open, values }, compose)), revision: nextRevision(open) };
}

/** A form in another revision forgets what its inputs held. */
export function nextRevision({ metadata }: OpenForm): number {
  return (revisionIn(metadata.shown) ?? 1) + 1;
}

/** Sends a file that fits the message of a form to the person, who then has only its rows to replace. */
export const handleSample = inForm(async ({ kind, view, values, event }, { body, client }, compose) => {
  const found = await findTemplate(kind, values[TEMPLATE_FIELD], compose);
  const template = found === LATE ? undefined : found;
  const isReady = template !== undefined || KINDS[kind].textPath !== undefined;
  const content = template ? sampleForTemplate(template.placeholders) : sampleForText(JSON.stringify(values));
  const sentence = escapeMrkdwn(say.sampleSent(template?.label ?? KINDS[kind].title), LIMITS.sectionText);
  const file = { name: `${template?.name ?? kind}-sample.csv`, content: [content] };
  const sent = isReady && (await compose.files.sendTo(body.user.id, sentence, file));
  const why = sent && !sent.ok ? sent.error.sentence : say.SAMPLE_IS_THERE;
  const said = sent ? why : say.SAMPLE_WITHOUT_TEMPLATE;
  const blocks = withParts(view.blocks, { sample: sampleBlocks(said) });
  await compose.views.redraw(client, event, withBlocks(view, blocks));
});
