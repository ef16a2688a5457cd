import type { ModalView } from '@slack/types';
import { PLACEHOLDERS_MAX } from '../../messages/limits.ts';
import type { Issue } from '../../messages/submission.ts';
import { type TemplateDifference, templateDifferences } from '../../messages/templates/differences.ts';
import {
  rowsIn,
  type TemplateFormContext,
  takesValues,
  templateFormValues,
  templateFromForm,
  templateKindOf,
  templateKinds,
} from '../../messages/templates/form.ts';
import { placeholderNumbers } from '../../messages/templates/placeholder.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { TemplateResult } from '../../sends/templates/service.ts';
import { HERALD_YML, type StoredTemplate } from '../../sends/templates/store.ts';
import { sayingView } from '../kit/blocks/blocks.ts';
import { writeKey } from '../kit/cards/look-button.ts';
import type { ClickArguments, ClickHandler, OpenView, SubmissionHandler } from '../kit/clicks/arguments.ts';
import { errors } from '../kit/forms/issues-to-errors.ts';
import { parseBlockId } from '../kit/forms/path.ts';
import { type FormValues, readState } from '../kit/forms/read-state.ts';
import { answerLate, showing } from '../kit/views/answer-late.ts';
import { AGREE_FIELD, MORE_ACTION, templateFormView } from './form-view.ts';
import { lookedAt, lookView } from './look.ts';
import * as say from './sentences.ts';
import {
  type Catalogue,
  channelOf,
  type FormMetadata,
  readForm,
  readKey,
  replace,
  showToEditors,
  whyNot,
} from './windows.ts';

const DIFFERENCES_CHARACTERS = 1_500;

/** The form of a template that is not there yet. */
export function newForm(channelId: string | undefined): ModalView {
  const metadata = { channelId, kind: 'chatapp/text', rows: 0, revision: 0 } as const;
  return templateFormView({ metadata, values: {} });
}

function filledForm(
  template: Template,
  metadata: Pick<FormMetadata, 'channelId' | 'key' | 'revision'>,
): ModalView {
  const kind = templateKindOf(template);
  const { name: _registered, ...values } = templateFormValues(template);
  return templateFormView({
    metadata: { ...metadata, kind, rows: template.placeholders.length },
    values,
  });
}

export const handleAdd: ClickHandler<Catalogue> = (args, catalogue) =>
  showToEditors(args, async () => newForm(channelOf(args)), catalogue);

export const handleEdit: ClickHandler<Catalogue> = (args, catalogue) =>
  showToEditors(args, () => formOf(args, catalogue, true), catalogue);

export const handleDuplicate: ClickHandler<Catalogue> = (args, catalogue) =>
  showToEditors(args, () => formOf(args, catalogue, false), catalogue);

/** The looked-at template as a form: to be changed, or as the start of a new one. */
async function formOf(args: ClickArguments, catalogue: Catalogue, edits: boolean): Promise<ModalView> {
  const looked = await lookedAt(args, catalogue);
  if (looked === undefined) return sayingView('Templates', say.GONE);
  const { stored, metadata } = looked;
  const { template, revision } = stored;
  return filledForm(template, {
    channelId: metadata.channelId,
    ...(edits ? { key: writeKey(template), revision } : { revision: 0 }),
  });
}

/** What is typed in an open form, and what it belongs to. */
function formIn(view: OpenView) {
  const metadata = readForm(view.private_metadata);
  const { [AGREE_FIELD]: _asked, ...values } = readState(view.state.values);
  return { metadata, values };
}

/** Another kind was chosen: its fields are shown, and what both have is kept. */
export const handleKind: ClickHandler<Catalogue> = async ({ body, client }, catalogue) => {
  if (body.view === undefined) return;
  const { metadata, values } = formIn(body.view);
  const kind = templateKinds().find((one) => one === values.variant) ?? metadata.kind;
  const view = templateFormView({ metadata: { ...metadata, kind }, values });
  await replace(client, body.view.id, view, catalogue);
};

/** A row more or less. A row that is taken away and comes back is as it was: Slack keeps what was typed. */
export const handleRows: ClickHandler<Catalogue> = async ({ body, action, client }, catalogue) => {
  if (body.view === undefined) return;
  const { metadata, values } = formIn(body.view);
  const rows = Math.min(
    Math.max(metadata.rows + (action.action_id === MORE_ACTION ? 1 : -1), 0),
    PLACEHOLDERS_MAX,
  );
  const view = templateFormView({ metadata: { ...metadata, rows }, values });
  await replace(client, body.view.id, view, catalogue);
};

/**
 * Save: what is wrong stands under its field; what somebody else changed meanwhile, and what would lose its
 * approval, is shown in the same form with all that was typed; else the template is saved and shown.
 */
export const handleForm: SubmissionHandler<Catalogue> = async (args, catalogue) => {
  const { body, ack, client } = args;
  const { view, user } = body;
  const { metadata, values } = formIn(view);
  const refusal = await whyNot(user.id, metadata.channelId, catalogue);
  if (refusal !== undefined) return ack(errors([{ path: '', message: refusal }], view));
  const grown = grownForm(metadata, values);
  if (grown !== undefined) return ack(showing(grown));
  const existing = readKey(metadata.key);
  const context: TemplateFormContext = { kind: metadata.kind, rows: rowsOf(metadata), existing };
  const parsed = templateFromForm(values, context);
  if (!parsed.ok) return ack(errors(parsed.error, view));
  const agrees = hasAgreed(view);
  if (metadata.sends !== undefined && !agrees)
    return ack(errors([{ path: AGREE_FIELD, message: say.AGREE_MISSING }], view));
  const saving = catalogue.templates.change({
    template: parsed.value,
    archived: false,
    expected: metadata.revision,
    userId: user.id,
    agreed: agrees ? (metadata.sends ?? []) : [],
  });
  const late = (result: TemplateResult) => afterSaving(result, { metadata, values }, parsed.value, catalogue);
  const inTime = async (result: TemplateResult) => {
    const next = await late(result);
    if (next.state === 'refused') return ack(errors(next.issues, view));
    if (next.state === 'again' || view.previous_view_id === null) return ack(showing(next.view));
    // Below the form stands what it was opened from: it shows the template as it now is.
    await ack();
    await replace(client, view.previous_view_id, next.view, catalogue);
  };
  const meanwhile = sayingView('Templates', say.TAKING_LONGER);
  await answerLate(args, saving, { inTime, meanwhile, late }, catalogue);
};

type Next =
  | { readonly state: 'saved' | 'again'; readonly view: ModalView }
  | { readonly state: 'refused'; readonly view: ModalView; readonly issues: readonly Issue[] };

async function afterSaving(
  result: TemplateResult,
  form: { readonly metadata: FormMetadata; readonly values: FormValues },
  template: Template,
  catalogue: Catalogue,
): Promise<Next> {
  const { metadata, values } = form;
  switch (result.state) {
    case 'saved':
    case 'unchanged': {
      const ids = result.state === 'saved' ? result.voided.map(({ id }) => id) : [];
      const note = result.state === 'saved' ? `${say.SAVED}${say.voided(ids)}` : say.UNCHANGED;
      const { channelId } = metadata;
      return { state: 'saved', view: await lookView({ key: template, channelId, note }, catalogue) };
    }
    case 'in_use':
      return { state: 'again', view: templateFormView({ metadata, values, sends: result.sends }) };
    case 'stale': {
      const { current } = result;
      if (metadata.key === undefined) {
        const message = current?.archived ? say.NAME_ARCHIVED : say.NAME_TAKEN;
        const view = templateFormView({ metadata, values, note: message });
        return { state: 'refused', view, issues: [{ path: 'name', message }] };
      }
      if (current === undefined) return { state: 'again', view: sayingView('Templates', say.GONE) };
      const note = say.changedMeanwhile(
        await whoChanged(current, catalogue),
        differencesTo(current, template),
      );
      const newer = { ...metadata, revision: current.revision };
      return { state: 'again', view: templateFormView({ metadata: newer, values, note }) };
    }
  }
}

async function whoChanged({ changedBy }: StoredTemplate, { names }: Catalogue): Promise<string> {
  return changedBy === HERALD_YML ? 'herald.yml' : names.nameOf(changedBy);
}

/** How it stands now beside what was typed. */
function differencesTo({ template, archived }: StoredTemplate, typed: Template): string {
  const said = templateDifferences(template, typed).map(
    ({ what, before, after }: TemplateDifference) => `${what}: it is now “${before}”, you typed “${after}”.`,
  );
  const state = archived ? ['It is archived now.'] : [];
  return [...state, ...said].join(' ').slice(0, DIFFERENCES_CHARACTERS).toWellFormed();
}

/** The form with a row for every placeholder that its text names; undefined when it has them. */
function grownForm(metadata: FormMetadata, values: FormValues): ModalView | undefined {
  const needed = rowsIn(values.text);
  if (!takesValues(metadata.kind) || metadata.kind === 'chatapp/otp' || needed <= metadata.rows)
    return undefined;
  // A gap in the numbers is the schema's to refuse.
  if (typeof values.text === 'string' && placeholderNumbers(values.text).length !== needed) return undefined;
  return templateFormView({ metadata: { ...metadata, rows: needed }, values, note: say.NAME_PLACEHOLDERS });
}

function rowsOf({ kind, rows }: FormMetadata): number {
  return takesValues(kind) ? rows : 0;
}

/** True when the box was ticked that names the sends of this form. */
function hasAgreed(view: OpenView): boolean {
  return Object.entries(view.state.values).some(
    ([blockId, elements]) =>
      parseBlockId(blockId).path === AGREE_FIELD &&
      Object.values(elements).some((element) => (element.selected_options ?? []).length > 0),
  );
}
