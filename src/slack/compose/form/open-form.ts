import type { Option } from '@slack/types';
import { given } from '../../../core/given.ts';
import type { Result } from '../../../core/result.ts';
import { LATE, within } from '../../../core/within.ts';
import { KINDS, MESSAGE_KINDS, type Message, type MessageKind } from '../../../messages/kinds.ts';
import { parseBulkMessage } from '../../../messages/parse-submission.ts';
import type { Issue } from '../../../messages/submission.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { Audience } from '../../../sends/audience.ts';
import { NOBODY, type Send } from '../../../sends/send.ts';
import { LIMITS } from '../../connection/limits.ts';
import type {
  ClickArguments,
  ClickHandler,
  OpenView,
  SlackClient,
  SubmissionAnswer,
  SubmissionArguments,
  SuggestionHandler,
} from '../../kit/clicks/arguments.ts';
import { decisionFacts } from '../../kit/decide/facts.ts';
import { formContext } from '../../kit/forms/form-blocks.ts';
import type { Reviewed } from '../../kit/forms/list-values.ts';
import { errors, type FormValues, readState } from '../../kit/forms/read-state.ts';
import { refusalFor } from '../../kit/people/access.ts';
import { findTemplate, templateSaid } from '../../kit/templates/find-template.ts';
import { TEMPLATE_FIELD } from '../../kit/templates/template-picker.ts';
import { showing } from '../../kit/views/answer-late.ts';
import { eventIn, type ViewEvent } from '../../kit/views/view-updates.ts';
import type { Compose } from '../compose.ts';
import { listInTime, loadList, NOTE_FIELD, noteIn, SCHEDULE_FIELD, startIn } from '../list/list.ts';
import * as say from '../sentences.ts';
import { DRAFT_NAME_FIELD, DRAFTS_BLOCK } from './field-blocks.ts';
import {
  carriedIn,
  type FormMetadata,
  isMarkOf,
  readMetadata,
  revisionIn,
  templateMark,
} from './form-metadata.ts';
import { CHANNEL_FIELD, type ComposeForm, composeView, withHidden } from './form-view.ts';
import { ANSWER_BY_FIELD, CHOICE_OF_LIST, NUMBERS_FIELD } from './recipients.ts';

/** The kind whose form this is; undefined for views that belong to something else. */
function kindOf(view: Pick<OpenView, 'callback_id'> | undefined): MessageKind | undefined {
  return MESSAGE_KINDS.find((kind) => kind === view?.callback_id);
}

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
  { view, user }: SubmissionArguments['body'],
  compose: Compose,
): Promise<ReadForm | SubmissionAnswer> {
  const kind = kindOf(view);
  if (kind === undefined)
    throw new Error('A view that is no form of a message reached its submission handler.');
  const metadata = readMetadata(view.private_metadata);
  if (metadata === undefined) return errorAt('', say.FORM_TOO_OLD, view);
  const { shown, ...carried } = metadata;
  const { [CHANNEL_FIELD]: chosenChannel, ...values } = readState(view.state.values, shown);
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
  if (template && templateMark(template) !== shown) {
    // It was chosen a moment before Send was pressed, or defined anew: what was typed belongs to fields that are no more.
    // Values of another definition are kept for the person to check, those of another template are not.
    const list = await loadList(metadata, compose);
    if (list === LATE) return errorAt('', say.LIST_SLOW, view);
    const kept = readState(view.state.values, isMarkOf(shown, template) ? shown : undefined);
    const notes = [say.fieldsBelongToAnother(template.label)];
    return showing(composeView({ ...carried, kind, template, values: kept, list, notes }, compose));
  }
  const said = await templateSaid(kind, values.text, compose);
  if (said) return errorAt(TEMPLATE_FIELD, say.textIsTemplate(said.template.label), view);
  const all = withHidden({ kind, template, values, answering: metadata.answering }, compose);
  return { kind, metadata, values: all, template, channelId };
}

/** What no single field is to blame for has no path: it stands under the first one, where it is seen. */
export function errorAt(path: string, message: string, view: OpenView): SubmissionAnswer {
  return errors([{ path, message }], view);
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

/** The form of a message, open, in which somebody did something. Its metadata are empty where another version of Herald wrote them. */
export interface OpenForm extends Pick<ReadForm, 'kind' | 'metadata' | 'values'> {
  readonly view: OpenView;
  readonly event: ViewEvent;
}

type Handle = (form: OpenForm, click: ClickArguments, compose: Compose) => Promise<void>;

/** Answers to a click in the form of a message; in any other window nothing happens. */
export function inForm(handle: Handle): ClickHandler<Compose> {
  return async (click, compose) => {
    const open = openFormOf(click);
    if (open !== undefined) await handle(open, click, compose);
  };
}

/** The form that something was clicked in; undefined elsewhere. */
export function openFormOf({ body: { view }, action }: ClickArguments): OpenForm | undefined {
  const kind = kindOf(view);
  if (view === undefined || kind === undefined) return undefined;
  const metadata = readMetadata(view.private_metadata) ?? {};
  const values = readState(view.state.values, metadata.shown);
  return { kind, view, metadata, values, event: eventIn(view, action) };
}

/** The typed words, without outer spaces, with the kind of the form they were typed in; undefined for another window. */
type Searched = { readonly query: string; readonly kind: MessageKind | undefined; readonly userId: string };

/** Answers what is typed into a menu with what fits, at most a hundred; with nothing where that does not come in time. */
export function suggesting(
  what: string,
  search: (searched: Searched, compose: Compose) => Promise<readonly Option[] | typeof LATE>,
): SuggestionHandler<Compose> {
  return async ({ body, ack }, compose) => {
    const kind = kindOf(body.view);
    const found = await search({ query: body.value.trim(), kind, userId: body.user.id }, compose);
    if (found === LATE) compose.logger.warn({ kind }, `${what} did not come in time; none was suggested`);
    await ack({ options: found === LATE ? [] : found.slice(0, LIMITS.selectOptions) });
  };
}

export async function drawnAnew(
  { kind, metadata, values }: OpenForm,
  compose: Compose,
): Promise<ComposeForm> {
  const template = await findTemplate(kind, values[TEMPLATE_FIELD], compose);
  const known = template === LATE ? undefined : template;
  return {
    ...carriedOn(metadata),
    kind,
    values,
    template: known,
    list: await listInTime(metadata, compose),
  };
}

export function carriedOn(metadata: FormMetadata) {
  return { ...carriedIn(metadata), revision: revisionIn(metadata.shown) };
}

/** A form whose list takes longer shows first that it is being counted. */
const SOON_MS = 1_000;

export function messageFor(
  { kind, template, values = {} }: Pick<ComposeForm, 'kind' | 'template' | 'values'>,
  { columns }: Pick<Audience, 'columns'>,
  compose: Compose,
): Result<Message, readonly Issue[]> {
  const context = { ...formContext(compose, template), recipients: 'many' as const };
  const all = withHidden({ kind, template, values }, compose);
  return parseBulkMessage(kind, context, messageValues(all), columns);
}

/**
 * The count for a form, with all that whoever approves will see: the send is made up as it would be asked for now. Undefined
 * while its message is not complete, or without a list.
 */
export async function reviewFor(
  form: ComposeForm,
  viewId: string,
  compose: Compose,
): Promise<Reviewed | undefined> {
  if (form.list === undefined) return undefined;
  const { kind, template, values = {}, channelId = '', replaces } = form;
  const { audience } = form.list;
  const parsed = messageFor(form, audience, compose);
  if (!parsed.ok) return undefined;
  const message = parsed.value;
  const asked = { message, audienceId: audience.id, ...given({ replaces }), ...startIn(values) };
  const review = await compose.counting(viewId, asked);
  if (review === undefined) return undefined;
  const { recipients, causes, survey, sample, measured, needed, repeats } = review;
  const skipped = causes.reduce((sum, { count }) => sum + count, 0);
  const send: Send = {
    id: '',
    kind,
    message,
    ...(template && { template }),
    origin: { teamId: '', userId: '', channelId },
    state: 'awaiting_approval',
    recipientCount: recipients + skipped,
    createdAt: compose.clock.now(),
    counts: { ...NOBODY, pending: recipients, skipped },
    audience: { id: audience.id, columns: audience.columns },
    survey,
    approval: { needed, expiresAt: 0 },
    ...given({ note: noteIn(values) }),
    ...startIn(values),
  };
  const rows = sample.map((row) => ({ ...row, sendId: '', state: 'pending' as const }));
  const known = { send, template, audience, failures: causes, sample: rows, repeats };
  return { ...review, facts: await decisionFacts(known, measured, compose) };
}

/** A form with the count of its list, or with `counting` where that takes longer; `later` is then the form with the count. */
export async function counted(
  form: ComposeForm,
  viewId: string,
  compose: Compose,
): Promise<{ readonly form: ComposeForm; readonly later?: Promise<ComposeForm | undefined> }> {
  const { list } = form;
  if (list === undefined) return { form };
  const withCount = (review: Reviewed | 'counting' | undefined) => ({ ...form, list: { ...list, review } });
  const counting = reviewFor(form, viewId, compose);
  const soon = await within(counting, SOON_MS, compose.clock);
  if (soon !== LATE) return { form: withCount(soon) };
  // When the count comes, the person is elsewhere in the form: the cursor stays where it is.
  const later = counting.then((review) => review && { ...withCount(review), focus: false as const });
  return { form: withCount('counting'), later };
}

/** Draws an open form anew with the count of its list, and once more where counting takes longer. */
export async function redrawForm(
  client: Pick<SlackClient, 'views'>,
  event: ViewEvent,
  form: ComposeForm,
  compose: Compose,
): Promise<void> {
  const { form: now, later } = await counted(form, event.viewId, compose);
  await compose.views.redraw(client, event, composeView(now, compose));
  const full = await later;
  if (full !== undefined) await compose.views.redraw(client, event, composeView(full, compose));
}
