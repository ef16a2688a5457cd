import { LATE } from '../../../core/within.ts';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import type { Issue } from '../../../messages/submission.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { Origin } from '../../../sends/send.ts';
import type { OpenView, SubmissionAnswer, SubmissionArguments } from '../../kit/clicks/arguments.ts';
import { FILE_FIELD, NUMBER_COLUMN_FIELD } from '../../kit/files/file-inputs.ts';
import { errors } from '../../kit/forms/issues-to-errors.ts';
import type { List } from '../../kit/forms/list-values.ts';
import { type FormValues, readState } from '../../kit/forms/read-state.ts';
import { refusalFor } from '../../kit/people/refusal.ts';
import { findTemplate } from '../../kit/templates/find-template.ts';
import { TEMPLATE_FIELD } from '../../kit/templates/template-picker.ts';
import type { Compose } from '../compose.ts';
import { loadList, SCHEDULE_FIELD } from '../list/list.ts';
import * as say from '../sentences.ts';
import { DRAFT_NAME_FIELD, DRAFTS_BLOCK } from './draft-blocks.ts';
import { type FormMetadata, isMarkOf, readMetadata, templateMark } from './form-metadata.ts';
import { CHANNEL_FIELD, composeView } from './form-view.ts';
import { ANSWER_BY_FIELD, AUDIENCE_FIELD, NUMBERS_FIELD, RECIPIENTS_FIELD } from './recipients.ts';

/** A submitted form that can be read: it is of this Herald, the person may send, and its fields are its template's. */
export interface ReadForm {
  readonly kind: MessageKind;
  readonly metadata: FormMetadata;
  readonly values: FormValues;
  readonly template: Template | undefined;
  /** Undefined when the form asks for it and nothing was chosen. */
  readonly channelId: string | undefined;
}

type Read =
  | { readonly state: 'read'; readonly form: ReadForm }
  | { readonly state: 'refused'; readonly answer: SubmissionAnswer };

/** Reads a submitted form, up to its message: see `ReadForm`. */
export async function readForm(
  kind: MessageKind,
  body: SubmissionArguments['body'],
  compose: Compose,
): Promise<Read> {
  const { view, user } = body;
  const metadata = readMetadata(view.private_metadata);
  if (metadata === undefined) return refused(refuseAll(view, say.FORM_TOO_OLD));
  const { [CHANNEL_FIELD]: chosenChannel, ...values } = readState(view.state.values, metadata.shown);
  const channelId = metadata.channelId ?? (typeof chosenChannel === 'string' ? chosenChannel : undefined);
  const refusal = await refusalFor(kind, user.id, compose, { channelId, chosen: true });
  if (refusal !== undefined) return refused(refuseAll(view, refusal));
  const template = await findTemplate(kind, values[TEMPLATE_FIELD], compose);
  if (template === LATE) return refused(errorAt(TEMPLATE_FIELD, say.CATALOGUE_SLOW_ON_SUBMITTING, view));
  const gone = goneAnswer(kind, values[TEMPLATE_FIELD], template, view);
  if (gone) return refused(gone);
  if (template && templateMark(template) !== metadata.shown) {
    const list = await loadList(metadata, compose);
    if (list === LATE) return refused(refuseAll(view, say.LIST_SLOW));
    return refused(otherFields(kind, template, metadata, list, view, compose));
  }
  return { state: 'read', form: { kind, metadata, values, template, channelId } };
}

export function channelIssues(channelId: string | undefined): readonly Issue[] {
  return channelId === undefined ? [{ path: CHANNEL_FIELD, message: say.CHANNEL_MISSING }] : [];
}

/** Who pressed the button. */
export function personIn({ user, team, view }: SubmissionArguments['body']): Omit<Origin, 'channelId'> {
  return { teamId: team?.id ?? view.team_id, userId: user.id };
}

/** The values without those that say to whom and when. */
export function messageValues(values: FormValues): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([path]) => !NOT_OF_THE_MESSAGE.has(path)));
}

const NOT_OF_THE_MESSAGE: ReadonlySet<string> = new Set([
  ANSWER_BY_FIELD,
  RECIPIENTS_FIELD,
  NUMBERS_FIELD,
  FILE_FIELD,
  AUDIENCE_FIELD,
  NUMBER_COLUMN_FIELD,
  SCHEDULE_FIELD,
  DRAFT_NAME_FIELD,
  DRAFTS_BLOCK,
]);

/** Looked up again at every submission: the catalogue may have changed since the form was opened. */
function goneAnswer(
  kind: MessageKind,
  name: unknown,
  template: Template | undefined,
  view: OpenView,
): SubmissionAnswer | undefined {
  if (KINDS[kind].templateChannel === undefined || template !== undefined) return undefined;
  // Without a name the schema says that a template must be chosen.
  return typeof name === 'string' && name !== ''
    ? errorAt(TEMPLATE_FIELD, say.templateGone(name), view)
    : undefined;
}

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
  return {
    response_action: 'update',
    view: composeView({ ...carried, kind, template, values, list, notes }, compose),
  };
}

function refused(answer: SubmissionAnswer): Read {
  return { state: 'refused', answer };
}

/** For what no single field is to blame for: under the first one, where it is seen. */
export function refuseAll(view: OpenView, sentence: string): SubmissionAnswer {
  return errorAt('', sentence, view);
}

export function errorAt(path: string, message: string, view: OpenView): SubmissionAnswer {
  return errors([{ path, message }], view);
}
