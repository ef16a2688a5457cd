import { LATE } from '../../../core/within.ts';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import type { Issue } from '../../../messages/submission.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { OpenView, SubmissionAnswer, SubmissionArguments } from '../../kit/clicks/arguments.ts';
import type { List } from '../../kit/forms/list-values.ts';
import { errors, type FormValues, readState } from '../../kit/forms/read-state.ts';
import { refusalFor } from '../../kit/people/access.ts';
import { findTemplate, templateSaid } from '../../kit/templates/find-template.ts';
import { TEMPLATE_FIELD } from '../../kit/templates/template-picker.ts';
import { showing } from '../../kit/views/answer-late.ts';
import type { Compose } from '../compose.ts';
import { loadList, NOTE_FIELD, SCHEDULE_FIELD } from '../list/list.ts';
import * as say from '../sentences.ts';
import { DRAFT_NAME_FIELD, DRAFTS_BLOCK } from './field-blocks.ts';
import { type FormMetadata, isMarkOf, readMetadata, templateMark } from './form-metadata.ts';
import { CHANNEL_FIELD, composeView, withHidden } from './form-view.ts';
import { ANSWER_BY_FIELD, CHOICE_OF_LIST, NUMBERS_FIELD } from './recipients.ts';

/** A submitted form that can be read: it is of this Herald, the person may send, and its fields are its template's. */
export interface ReadForm {
  readonly kind: MessageKind;
  readonly metadata: FormMetadata;
  readonly values: FormValues;
  readonly template: Template | undefined;
  /** Undefined when the form asks for it and nothing was chosen. */
  readonly channelId: string | undefined;
}

/** Reads a submitted form, up to its message: see `ReadForm`; or answers why it cannot be. */
export async function readForm(
  kind: MessageKind,
  body: SubmissionArguments['body'],
  compose: Compose,
): Promise<ReadForm | SubmissionAnswer> {
  const { view, user } = body;
  const metadata = readMetadata(view.private_metadata);
  if (metadata === undefined) return errorAt('', say.FORM_TOO_OLD, view);
  const { [CHANNEL_FIELD]: chosenChannel, ...values } = readState(view.state.values, metadata.shown);
  const channelId = metadata.channelId ?? (typeof chosenChannel === 'string' ? chosenChannel : undefined);
  const refusal = await refusalFor(kind, user.id, compose, { channelId, chosen: true });
  if (refusal !== undefined) return errorAt('', refusal, view);
  // Looked up again at every submission: the catalogue may have changed since the form was opened.
  const name = values[TEMPLATE_FIELD];
  const template = await findTemplate(kind, name, compose);
  if (template === LATE) return errorAt(TEMPLATE_FIELD, say.CATALOGUE_SLOW_ON_SUBMITTING, view);
  // Without a name the schema says that a template must be chosen.
  if (KINDS[kind].templateChannel && template === undefined && typeof name === 'string' && name !== '')
    return errorAt(TEMPLATE_FIELD, say.templateGone(name), view);
  if (template && templateMark(template) !== metadata.shown) {
    const list = await loadList(metadata, compose);
    if (list === LATE) return errorAt('', say.LIST_SLOW, view);
    return otherFields(kind, template, metadata, list, view, compose);
  }
  const said = await templateSaid(kind, values.text, compose);
  if (said) return errorAt(TEMPLATE_FIELD, say.textIsTemplate(said.template.label), view);
  const all = withHidden({ kind, template, values, answering: metadata.answering }, compose);
  return { kind, metadata, values: all, template, channelId };
}

export function channelIssues(channelId: string | undefined): readonly Issue[] {
  return channelId === undefined ? [{ path: CHANNEL_FIELD, message: say.CHANNEL_MISSING }] : [];
}

/** The values without those that say to whom and when. */
export function messageValues(values: FormValues): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([path]) => !NOT_OF_THE_MESSAGE.has(path)));
}

const NOT_OF_THE_MESSAGE: ReadonlySet<string> = new Set([
  ...CHOICE_OF_LIST,
  ANSWER_BY_FIELD,
  NUMBERS_FIELD,
  SCHEDULE_FIELD,
  NOTE_FIELD,
  DRAFT_NAME_FIELD,
  DRAFTS_BLOCK,
]);

/**
 * The template was chosen a moment before Send was pressed, or its definition changed: what was typed belongs to
 * fields that no longer exist. The right ones are shown; values of another definition of the same template are
 * kept for the person to check, those of another template are not.
 */
function otherFields(
  kind: MessageKind,
  template: Template,
  { shown, ...carried }: FormMetadata,
  list: List | undefined,
  view: OpenView,
  compose: Compose,
): SubmissionAnswer {
  const values = readState(view.state.values, isMarkOf(shown, template) ? shown : undefined);
  const notes = [say.fieldsBelongToAnother(template.label)];
  return showing(composeView({ ...carried, kind, template, values, list, notes }, compose));
}

/** What no single field is to blame for has no path: it stands under the first one, where it is seen. */
export function errorAt(path: string, message: string, view: OpenView): SubmissionAnswer {
  return errors([{ path, message }], view);
}
