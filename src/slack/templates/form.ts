import { hash } from 'node:crypto';
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { PLACEHOLDERS_MAX } from '../../messages/limits.ts';
import type { Issue } from '../../messages/submission.ts';
import { templateDifferences } from '../../messages/templates/differences.ts';
import {
  rowsIn,
  type TemplateFormContext,
  takesValues,
  templateForm,
  templateKindOf,
  templateKinds,
} from '../../messages/templates/form.ts';
import { templateFormValues, templateFromForm } from '../../messages/templates/form-values.ts';
import { placeholderNumbers, withNumbers } from '../../messages/templates/placeholder.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { Send } from '../../sends/send.ts';
import type { TemplateResult } from '../../sends/templates/service.ts';
import { HERALD_YML, keyOf, type StoredTemplate } from '../../sends/templates/store.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { actions, button, context, input, option, sayingView } from '../kit/blocks/blocks.ts';
import type { ClickHandler, OpenView, SubmissionHandler } from '../kit/clicks/arguments.ts';
import { FIELD_ACTION, formBlocks } from '../kit/forms/form-blocks.ts';
import { blockIdOf } from '../kit/forms/path.ts';
import { errors, type FormValues, readState } from '../kit/forms/read-state.ts';
import { answerLate, showing } from '../kit/views/answer-late.ts';
import { lookView } from './look.ts';
import * as say from './sentences.ts';
import {
  aboveForEditors,
  type Carried,
  type Catalogue,
  carriedIn,
  carry,
  channelOf,
  inPlace,
  noteBlocks,
  ofLooked,
  replace,
  shell,
  voidsBlocks,
  whyNot,
} from './windows.ts';

export const FORM_VIEW = 'template_form';
export const KIND_ACTION = 'template_kind';
export const MORE_ACTION = 'template_more';
export const FEWER_ACTION = 'template_fewer';
const AGREE_FIELD = 'agree';
const KIND_FIELD = 'variant';

interface TemplateFormState {
  readonly metadata: Carried<'form'>;
  /** The values of the inputs, by form path. */
  readonly values: FormValues;
  readonly note?: string | undefined;
  /** Sends whose approvals saving it would void: the person is asked to agree. */
  readonly sends?: readonly Send[];
}

/** The form of a kind of template: exactly the fields that it has, and a row of them for every placeholder. */
export function templateFormView({ metadata, values, note, sends = [] }: TemplateFormState): ModalView {
  const about = contextOf(metadata);
  const { existing, kind, rows } = about;
  const fields = formBlocks(templateForm(about), { values });
  const place = fields.findIndex(({ block_id: id }) => id?.startsWith('placeholders.') === true);
  const buttons = takesValues(kind) ? rowButtons(rows) : [];
  const asked = sends.length > 0 ? sends.map(({ id }) => id) : undefined;
  return shell({
    callbackId: FORM_VIEW,
    title: existing === undefined ? 'New template' : 'Edit template',
    submit: 'Save',
    metadata: carry('form', { ...metadata, key: existing && keyOf(existing), sends: asked }),
    blocks: [
      ...noteBlocks(note),
      ...voidsBlocks(sends),
      ...(sends.length > 0 ? [agreementInput(sends)] : []),
      ...(existing === undefined ? [] : [context(`Registered as \`${escapeMrkdwn(keyOf(existing))}\``)]),
      ...withDispatch(place < 0 ? fields : fields.slice(0, place)),
      ...buttons,
      ...(place < 0 ? [] : fields.slice(place)),
    ],
  });
}

function contextOf({ kind, rows, key: existing }: Carried<'form'>): TemplateFormContext {
  return { kind, rows: takesValues(kind) ? rows : 0, existing };
}

/** Choosing another kind shows other fields. */
function withDispatch(fields: readonly InputBlock[]): InputBlock[] {
  return fields.map((block) =>
    block.block_id === KIND_FIELD
      ? { ...block, dispatch_action: true, element: { ...block.element, action_id: KIND_ACTION } }
      : block,
  ) as InputBlock[];
}

function rowButtons(rows: number): KnownBlock[] {
  const more = rows < PLACEHOLDERS_MAX ? [button(MORE_ACTION, 'Add a placeholder', 'more')] : [];
  const fewer = rows > 0 ? [button(FEWER_ACTION, 'Remove the last placeholder', 'fewer')] : [];
  return actions([...more, ...fewer], 'rows');
}

/** Names the sends that a yes is about: a yes to some is none to others. */
function agreementTo(sendIds: readonly string[]): string {
  return hash('sha256', sendIds.join('+')).slice(0, 8);
}

function agreementInput(sends: readonly Send[]): InputBlock {
  const text =
    sends.length === 1
      ? 'Void its approval and save'
      : `Void the approvals of ${sends.length} sends and save`;
  const field = blockIdOf(AGREE_FIELD, agreementTo(sends.map(({ id }) => id)));
  const box = { type: 'checkboxes' as const, action_id: FIELD_ACTION, options: [option(text, 'true')] };
  return input(field, 'Approvals', box, { optional: true });
}

const DIFFERENCES_CHARACTERS = 1_500;

export function newForm(channelId: string | undefined): ModalView {
  const metadata = { channelId, kind: 'chatapp/text', rows: 0, revision: 0 } as const;
  return templateFormView({ metadata, values: {} });
}

export const handleAdd = aboveForEditors(async (args) => newForm(channelOf(args)));
export const handleEdit = aboveForEditors(
  formOfLooked(({ template, revision }) => ({ key: template, revision })),
);
export const handleDuplicate = aboveForEditors(formOfLooked(() => ({ revision: 0 })));

/** The looked-at template as a form: to be changed, or as the start of a new one. */
function formOfLooked(made: (stored: StoredTemplate) => Pick<Carried<'form'>, 'key' | 'revision'>) {
  return ofLooked(({ stored, channelId }) => {
    const { template } = stored;
    const { name: _registered, ...values } = templateFormValues(template);
    const about = { channelId, kind: templateKindOf(template), rows: template.placeholders.length };
    return templateFormView({ metadata: { ...about, ...made(stored) }, values });
  });
}

/** The values that are typed in an open form, the template that they belong to, and whether the person agrees to void sends. */
function formIn(view: OpenView) {
  const metadata = carriedIn(view, 'form');
  const read = readState(view.state.values, agreementTo(metadata.sends ?? []));
  const { [AGREE_FIELD]: agrees, ...values } = read;
  return { metadata, values, agrees: agrees === true };
}

/** Draws an open form anew, with all that was typed. */
function redrawn(
  change: (form: ReturnType<typeof formIn>, actionId: string) => Partial<Carried<'form'>>,
): ClickHandler<Catalogue> {
  return inPlace(async ({ body, action }) => {
    if (body.view === undefined) return undefined;
    const form = formIn(body.view);
    const { metadata, values } = form;
    return templateFormView({ metadata: { ...metadata, ...change(form, action.action_id) }, values });
  });
}

/** Another kind was chosen: its fields are shown, and what both have is kept. */
export const handleKind = redrawn(({ metadata, values }) => ({
  kind: templateKinds().find((one) => one === values.variant) ?? metadata.kind,
}));

/** A row more or less. A row that is taken away and comes back is as it was: Slack keeps what was typed. */
export const handleRows = redrawn(({ metadata: { rows } }, actionId) => ({
  rows: Math.min(Math.max(rows + (actionId === MORE_ACTION ? 1 : -1), 0), PLACEHOLDERS_MAX),
}));

/**
 * Saves the template: what is wrong stands under its field; what somebody else changed meanwhile, and what would lose its
 * approval, is shown in the same form with all that was typed; else the saved template is shown.
 */
export const handleForm: SubmissionHandler<Catalogue> = async (args, catalogue) => {
  const { body, ack, client } = args;
  const { view, user } = body;
  const { metadata, values, agrees } = formIn(view);
  const refusal = await whyNot(user.id, metadata.channelId, catalogue);
  if (refusal !== undefined) return ack(errors([{ path: '', message: refusal }], view));
  const grown = grownForm(metadata, values);
  if (grown !== undefined) return ack(showing(grown));
  const parsed = templateFromForm(values, contextOf(metadata));
  if (!parsed.ok) return ack(errors(parsed.error, view));
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
    if (next.issues) return ack(errors(next.issues, view));
    if (next.state === 'again' || view.previous_view_id === null) return ack(showing(next.view));
    // Below the form stands what it was opened from: it shows the template as it now is.
    await ack();
    await replace(client, view.previous_view_id, next.view, catalogue);
  };
  const meanwhile = sayingView('Templates', say.TAKING_LONGER);
  await answerLate(args, saving, { inTime, meanwhile, late }, catalogue);
};

interface Next {
  readonly state: 'saved' | 'again';
  readonly view: ModalView;
  /** Under the fields of the form, where it is still open. */
  readonly issues?: readonly Issue[];
}

async function afterSaving(
  result: TemplateResult,
  { metadata, values }: { readonly metadata: Carried<'form'>; readonly values: FormValues },
  template: Template,
  catalogue: Catalogue,
): Promise<Next> {
  switch (result.state) {
    case 'saved':
    case 'unchanged': {
      const note = result.state === 'saved' ? `${say.SAVED}${say.voided(result.voided)}` : say.UNCHANGED;
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
        return { state: 'again', view, issues: [{ path: 'name', message }] };
      }
      if (current === undefined) return { state: 'again', view: sayingView('Templates', say.GONE) };
      const { changedBy } = current;
      const who = changedBy === HERALD_YML ? changedBy : await catalogue.names.nameOf(changedBy);
      const note = say.changedMeanwhile(who, differencesTo(current, template));
      const newer = { ...metadata, revision: current.revision };
      return { state: 'again', view: templateFormView({ metadata: newer, values, note }) };
    }
  }
}

function differencesTo({ template, archived }: StoredTemplate, typed: Template): string {
  const said = templateDifferences(template, typed).map(
    ({ what, before, after }) => `${what}: it is now “${before}”, you typed “${after}”.`,
  );
  const state = archived ? ['It is archived now.'] : [];
  return [...state, ...said].join(' ').slice(0, DIFFERENCES_CHARACTERS).toWellFormed();
}

/** The form with a row for every placeholder that its text names; undefined when it has them. */
function grownForm(metadata: Carried<'form'>, values: FormValues): ModalView | undefined {
  const needed = rowsIn(values.text);
  if (!takesValues(metadata.kind) || metadata.kind === 'chatapp/otp' || needed <= metadata.rows)
    return undefined;
  // A gap in the numbers is the schema's to refuse.
  if (typeof values.text === 'string' && placeholderNumbers(withNumbers(values.text)).length !== needed)
    return undefined;
  return templateFormView({ metadata: { ...metadata, rows: needed }, values, note: say.NAME_PLACEHOLDERS });
}
