import type { AnyBlock, ModalView, Option } from '@slack/types';
import { given } from '../../../core/given.ts';
import type { Result } from '../../../core/result.ts';
import { LATE, within } from '../../../core/within.ts';
import { MESSAGE_KINDS, type Message, type MessageKind } from '../../../messages/kinds.ts';
import { parseBulkMessage } from '../../../messages/parse-submission.ts';
import type { Issue } from '../../../messages/submission.ts';
import type { Audience } from '../../../sends/audience.ts';
import type { ListReview } from '../../../sends/bulk.ts';
import { LIMITS } from '../../connection/limits.ts';
import type {
  ClickArguments,
  ClickHandler,
  OpenView,
  SlackClient,
  SuggestionHandler,
} from '../../kit/clicks/arguments.ts';
import { formContext } from '../../kit/forms/form-context.ts';
import { valueAt } from '../../kit/forms/path.ts';
import { type FormValues, readState } from '../../kit/forms/read-state.ts';
import { eventIn, type ViewEvent } from '../../kit/views/view-updates.ts';
import type { Compose } from '../compose.ts';
import { listInTime, SCHEDULE_FIELD } from '../list/list.ts';
import { type FormMetadata, readMetadata, revisionIn } from './form-metadata.ts';
import { type ComposeForm, composeView } from './form-view.ts';
import { messageValues } from './submitted-form.ts';

/** The kind whose form this is; undefined for views that belong to something else. */
export function kindOf(view: Pick<OpenView, 'callback_id'> | undefined): MessageKind | undefined {
  return MESSAGE_KINDS.find((kind) => kind === view?.callback_id);
}

/** The view as it stands, with other blocks: what Slack adds to a view is not part of a request. */
export function withBlocks(view: OpenView, blocks: readonly AnyBlock[]): ModalView {
  return {
    type: 'modal',
    callback_id: view.callback_id,
    title: view.title,
    ...given({ submit: view.submit ?? undefined, close: view.close ?? undefined }),
    private_metadata: view.private_metadata,
    blocks: [...blocks],
  };
}

/** The form of a message, open, in which somebody did something. */
export interface OpenForm {
  readonly kind: MessageKind;
  readonly view: OpenView;
  /** Empty where another version of Herald wrote it. */
  readonly metadata: FormMetadata;
  /** What its inputs hold. */
  readonly values: FormValues;
  readonly event: ViewEvent;
}

type Handle = (form: OpenForm, click: ClickArguments, compose: Compose) => Promise<void>;

/** Answers to a click in the form of a message; in any other window nothing happens. */
export function inForm(handle: Handle): ClickHandler<Compose> {
  return async (click, compose) => {
    const { view } = click.body;
    const kind = kindOf(view);
    if (view === undefined || kind === undefined) return;
    const metadata = readMetadata(view.private_metadata) ?? {};
    const values = readState(view.state.values, metadata.shown);
    await handle({ kind, view, metadata, values, event: eventIn(view, click.action) }, click, compose);
  };
}

interface Searched {
  /** What was typed, without outer spaces. */
  readonly query: string;
  /** Of the form that it was typed in; undefined for another window. */
  readonly kind: MessageKind | undefined;
  readonly userId: string;
}

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

/** An open form, to be drawn anew. */
export async function drawnAnew(
  { kind, metadata, values }: OpenForm,
  compose: Compose,
): Promise<ComposeForm> {
  return { kind, ...carriedOn(metadata), values, list: await listInTime(metadata, compose) };
}

/** What a form carries on when it is drawn anew. */
export function carriedOn(metadata: FormMetadata) {
  const { channelId, waiting, sourceFile, parked, draft, again, answering, shown } = metadata;
  const revision = revisionIn(shown);
  return { channelId, waiting, sourceFile, parked, revision, draft, again, answering };
}

/** Of a list that takes longer, the form shows first that it is being counted. */
const SOON_MS = 1_000;

/** The message of a form for the list that it is about. */
export function messageFor(
  { kind, template, values = {} }: Pick<ComposeForm, 'kind' | 'template' | 'values'>,
  { columns }: Audience,
  compose: Compose,
): Result<Message, readonly Issue[]> {
  const context = { ...formContext(compose, template), recipients: 'many' as const };
  return parseBulkMessage(kind, context, messageValues(values), columns);
}

/** When a form says that the send starts, in milliseconds since the epoch. */
export function startIn(values: unknown): { readonly startAt?: number } {
  const seconds = valueAt(values, SCHEDULE_FIELD);
  return typeof seconds === 'number' ? { startAt: seconds * 1000 } : {};
}

/** The count for a form; undefined while its message is not complete, or without a list. */
export async function reviewFor(
  form: ComposeForm,
  viewId: string,
  compose: Compose,
): Promise<ListReview | undefined> {
  if (form.list === undefined) return undefined;
  const { audience } = form.list;
  const message = messageFor(form, audience, compose);
  if (!message.ok) return undefined;
  return compose.counting(viewId, {
    message: message.value,
    audienceId: audience.id,
    ...startIn(form.values),
  });
}

/** A form with the count of its list, or with `counting` where that takes longer; `later` is then the form with the count. */
export async function counted(
  form: ComposeForm,
  viewId: string,
  compose: Compose,
): Promise<{ readonly form: ComposeForm; readonly later?: Promise<ComposeForm | undefined> }> {
  const { list } = form;
  if (list === undefined) return { form };
  const withCount = (review: ListReview | 'counting' | undefined) => ({ ...form, list: { ...list, review } });
  const counting = reviewFor(form, viewId, compose);
  const soon = await within(counting, SOON_MS, compose.clock);
  if (soon !== LATE) return { form: withCount(soon) };
  // By then the person is somewhere else in it.
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
