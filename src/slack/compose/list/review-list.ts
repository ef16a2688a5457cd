import { pages } from '../../../core/pages.ts';
import { LATE } from '../../../core/within.ts';
import { KINDS, type Message } from '../../../messages/kinds.ts';
import { parseBulkMessage } from '../../../messages/parse-submission.ts';
import type { Issue } from '../../../messages/submission.ts';
import { isBlank } from '../../../messages/text.ts';
import type { Audience } from '../../../sends/audience.ts';
import { csvLine } from '../../../sends/audiences/csv-lines.ts';
import type { ListResult } from '../../../sends/audiences/service.ts';
import { leftOutFor } from '../../../sends/bulk/warnings.ts';
import type { RecipientRow } from '../../../sends/send.ts';
import { canCarry } from '../../connection/carried.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { actions, button, sayingView, section } from '../../kit/blocks/blocks.ts';
import { listTitle } from '../../kit/cards/list-words.ts';
import { notify, openModal } from '../../kit/clicks/answering.ts';
import type { ClickHandler, SubmissionArguments } from '../../kit/clicks/arguments.ts';
import {
  CSV_MAX_BYTES,
  FILE_FIELD,
  fileIn,
  fileIssues,
  type GivenFile,
  numberColumnIn,
  type UnclearFile,
} from '../../kit/files/file-inputs.ts';
import { formContext } from '../../kit/forms/form-blocks.ts';
import { filledFromColumns } from '../../kit/forms/list-values.ts';
import { errors } from '../../kit/forms/read-state.ts';
import { answerLate, showing } from '../../kit/views/answer-late.ts';
import type { Compose } from '../compose.ts';
import { type ComposeForm, composeView } from '../form/form-view.ts';
import {
  carriedOn,
  channelIssues,
  drawnAnew,
  messageFor,
  messageValues,
  openFormOf,
  type ReadForm,
  reviewFor,
} from '../form/open-form.ts';
import {
  AUDIENCE_FIELD,
  NUMBERS_FIELD,
  RECIPIENTS_FIELD,
  sourceIn,
  withoutRecipients,
} from '../form/recipients.ts';
import { commandOf } from '../line/help.ts';
import * as say from '../sentences.ts';
import { listInTime, listOf, startIn } from './list.ts';

export const REOPEN_ACTION = 'reopen_form';
/** Recipients read from the store at a time. */
const PAGE = 5_000;

/**
 * A form that names a list was submitted: its message is checked, then its list read, and the form is shown once
 * more with what was found. Nothing is asked for yet. What is wrong with the list stands under its field when that is
 * known in time, and on top of the form otherwise.
 */
export async function reviewList(
  form: ReadForm,
  startedAt: number,
  { body, ack, client }: SubmissionArguments,
  compose: Compose,
): Promise<void> {
  const { kind, template, values, channelId } = form;
  const { view, user } = body;
  const source = sourceOf(form, user.id, compose);
  const isPasted = source.path === NUMBERS_FIELD;
  const recipients = isPasted ? ('many' as const) : ('many-unfilled' as const);
  const context = { ...formContext(compose, template), recipients };
  const parsed = parseBulkMessage(kind, context, messageValues(values), isPasted ? [] : undefined);
  const issues: readonly Issue[] = [
    ...(parsed.ok ? [] : parsed.error),
    ...channelIssues(channelId),
    ...(source.issues ?? []),
  ];
  if (!parsed.ok || issues.length > 0 || channelId === undefined || !source.read)
    return ack(errors(issues, view));

  const meanwhile = sayingView(KINDS[kind].title, say.READING_LIST);
  if (compose.reading.has(view.id)) return ack(showing(meanwhile));
  compose.reading.add(view.id);
  const answers = {
    // Another view in between makes Slack forget what the inputs held, so that filled-in values are shown.
    inTime: async (result: ReadResult) =>
      result.state === 'refused'
        ? ack(errors([{ path: result.path, message: result.sentence }], view))
        : LATE,
    meanwhile,
    late: async (result: ReadResult) => {
      const next = composeView(await nextForm(form, result, view.id, compose), compose);
      // Whoever sees it may submit it before Slack has confirmed that it is shown.
      compose.reading.delete(view.id);
      const word = () => {
        compose.closedForms.set(view.id, { kind, view: next });
        const reopen = actions([button(REOPEN_ACTION, 'Open the form', view.id)]);
        const blocks = [section(escapeMrkdwn(say.LIST_READY)), ...reopen];
        return { sentence: say.LIST_READY, channelId: user.id, blocks };
      };
      return { view: next, word };
    },
  };
  try {
    const result = readSafely(form, parsed.value, source, source.read, compose);
    await answerLate({ body, ack, client }, result, answers, compose, startedAt);
  } finally {
    compose.reading.delete(view.id);
  }
}

/** A list was read, or not; a refusal says in which field it stands. */
type ReadResult =
  | { readonly state: 'ready'; readonly audience: Audience; readonly sourceFile?: UnclearFile }
  | { readonly state: 'choose_column'; readonly sourceFile: UnclearFile }
  | { readonly state: 'refused'; readonly path: string; readonly sentence: string };

async function readSafely(
  form: ReadForm,
  message: Message,
  source: ListSource,
  reading: () => Promise<ListResult>,
  compose: Compose,
): Promise<ReadResult> {
  const { path } = source;
  try {
    const checking = compose.checkMedia(message);
    const read = await reading();
    const unfit = (await checking).issues[0];
    return unfit
      ? { state: 'refused', path: unfit.path, sentence: unfit.message }
      : judge(read, source, form);
  } catch (error) {
    compose.logger.warn({ error }, 'a list could not be read to its end');
    return { state: 'refused', path, sentence: say.LIST_UNREADABLE };
  }
}

function judge(result: ListResult, { path, file }: ListSource, form: ReadForm): ReadResult {
  if (result.state === 'refused')
    return { state: 'refused', path, sentence: `${result.what} ${result.next}`.trim() };
  if (result.state === 'choose_column') {
    const sourceFile = file && { file, columns: result.columns };
    return sourceFile && canCarry({ ...form.metadata, sourceFile, audienceId: undefined })
      ? { state: 'choose_column', sourceFile }
      : { state: 'refused', path: FILE_FIELD, sentence: say.COLUMN_UNCLEAR };
  }
  const { counts, numberColumn = '', columns } = result.audience;
  if (counts.valid > 0)
    return { ...result, ...(file ? { sourceFile: { file, columns: [numberColumn, ...columns] } } : {}) };
  const why = leftOutFor({ ...result, failures: [] })?.why;
  return { state: 'refused', path, sentence: say.nobodyLeft(counts.read, why) };
}

async function nextForm(
  { kind, metadata, template, values, channelId }: ReadForm,
  result: ReadResult,
  viewId: string,
  compose: Compose,
): Promise<ComposeForm> {
  const base = { kind, template, ...carriedOn(metadata), channelId };
  if (result.state === 'ready') {
    const { audience, sourceFile } = result;
    const filled = filledFromColumns(withoutRecipients(values), template, audience.columns);
    const list = await listOf(audience, compose);
    const form = { ...base, values: filled, list, sourceFile };
    return { ...form, list: { ...list, review: await reviewFor(form, viewId, compose) } };
  }
  // The one before, where another one was chosen in its place.
  const before = { ...base, values, list: await listInTime(metadata, compose) };
  return result.state === 'refused'
    ? { ...before, wrong: [{ path: result.path, message: result.sentence }] }
    : { ...before, sourceFile: result.sourceFile, notes: [say.CHOOSE_COLUMN] };
}

interface ListSource {
  /** The path of the field that names it. */
  readonly path: string;
  readonly file?: GivenFile;
  /** Absent where the form names none: `issues` then say what is missing. */
  readonly read?: () => Promise<ListResult>;
  readonly issues?: readonly Issue[];
}

function sourceOf({ values, metadata }: ReadForm, by: string, { audiences, files }: Compose): ListSource {
  const missing = (path: string, message: string) => ({ path, issues: [{ path, message }] });
  switch (sourceIn(values)) {
    case 'one':
    case 'group':
      return missing(RECIPIENTS_FIELD, say.NUMBERS_MISSING);
    case 'numbers': {
      const text = textOf(values[NUMBERS_FIELD]);
      if (text === undefined) return missing(NUMBERS_FIELD, say.NUMBERS_MISSING);
      return { path: NUMBERS_FIELD, read: () => audiences.fromNumbers(text, by) };
    }
    case 'audience': {
      const id = textOf(values[AUDIENCE_FIELD]);
      if (id === undefined) return missing(AUDIENCE_FIELD, say.AUDIENCE_MISSING);
      const read = async () => {
        const audience = await audiences.find(id);
        return audience ? ({ state: 'ready', audience } as const) : refused(say.LIST_GONE);
      };
      return { path: AUDIENCE_FIELD, read };
    }
    case 'file': {
      const { sourceFile } = metadata;
      const issues = fileIssues(values, sourceFile);
      const file = fileIn(values) ?? sourceFile?.file;
      if (issues.length > 0 || file === undefined) return { path: FILE_FIELD, issues };
      // The chosen column is one of the file that was read before.
      const numberColumn = file.id === sourceFile?.file.id ? numberColumnIn(values, sourceFile) : undefined;
      const read = async () => {
        const downloaded = await files.download(file, CSV_MAX_BYTES);
        if (!downloaded.ok) return refused(downloaded.error);
        return audiences.fromFile({ name: file.name, bytes: downloaded.value, by, numberColumn });
      };
      return { path: FILE_FIELD, file, read };
    }
  }
}

function refused(sentence: string): ListResult {
  return { state: 'refused', what: sentence, next: '' };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && !isBlank(value) ? value : undefined;
}

/** Sends the rows that were left out of a list, and by the message of a send or of the form around, to the person who asks. */
export const handleExclusions: ClickHandler<Compose> = async (click, compose) => {
  const { audiences, bulkSends, files, logger, store } = compose;
  const { id: userId } = click.body.user;
  const [id = '', sendId] = (click.action.value ?? '').split(' ');
  const audience = await audiences.find(id);
  const answer = (sentence: string) => notify(click.client, { channelId: userId, userId }, sentence, logger);
  if (audience === undefined) return answer(say.LIST_GONE);
  const skippedRows = async () => {
    if (sendId) return pages((last?: RecipientRow) => store.recipients(sendId, last?.row ?? -1, PAGE));
    const open = openFormOf(click);
    const form = open && (await drawnAnew(open, compose));
    const parsed = form && messageFor(form, audience, compose);
    const asked = { audienceId: id, ...startIn(form?.values) };
    return parsed?.ok ? bulkSends.leftOut({ message: parsed.value, ...asked }) : [];
  };
  const skipped = await skippedRows();
  async function* content() {
    yield* audiences.exclusionsCsv(id);
    for await (const rows of skipped)
      for (const { row, number, state, failure } of rows)
        if (state === 'skipped') yield csvLine([row, number, failure?.short, failure?.what]);
  }
  const title = `Rows of ${listTitle(audience)} that are left out, each with its cause:`;
  const file = { name: 'excluded-rows.csv', content: content() };
  const sent = await files.sendTo(userId, escapeMrkdwn(title, LIMITS.sectionText), file);
  if (!sent.ok) await answer(sent.error.sentence);
};

/** Opens a form again whose list was ready only after it was closed. */
export const handleReopen: ClickHandler<Compose> = async ({ body, action, client }, compose) => {
  const { id: userId } = body.user;
  const form = compose.closedForms.get(action.value ?? '');
  const opened = form && (await openModal(client, body.trigger_id, form.view));
  if (opened?.ok) return;
  const why = form && opened && say.formDidNotOpen(commandOf(form.kind), opened.error);
  await notify(client, { channelId: userId, userId }, why ?? say.CLOSED_FORM_GONE, compose.logger);
};
