import type { KnownBlock } from '@slack/types';
import { LATE } from '../../../core/within.ts';
import { KINDS } from '../../../messages/kinds.ts';
import { parseBulkMessage } from '../../../messages/parse-submission.ts';
import type { Issue } from '../../../messages/submission.ts';
import { isBlank } from '../../../messages/text.ts';
import type { Audience } from '../../../sends/audience.ts';
import type { ListResult } from '../../../sends/audiences/service.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { actions, button, sayingView, section } from '../../kit/blocks/blocks.ts';
import type { SubmissionArguments } from '../../kit/clicks/arguments.ts';
import {
  CSV_MAX_BYTES,
  FILE_FIELD,
  fileIn,
  fileIssues,
  numberColumnIn,
  type UnclearFile,
} from '../../kit/files/file-inputs.ts';
import type { GivenFile } from '../../kit/files/files.ts';
import { formContext } from '../../kit/forms/form-context.ts';
import { errors } from '../../kit/forms/issues-to-errors.ts';
import { filledFromColumns } from '../../kit/forms/list-values.ts';
import type { BulkDependencies } from '../../kit/services.ts';
import { answerLate, showing } from '../../kit/views/answer-late.ts';
import type { Compose } from '../compose.ts';
import { canCarryColumns } from '../form/form-metadata.ts';
import { type ComposeForm, composeView } from '../form/form-view.ts';
import { carriedOn, reviewFor } from '../form/open-form.ts';
import {
  AUDIENCE_FIELD,
  NUMBERS_FIELD,
  parkedOf,
  RECIPIENTS_FIELD,
  sourceIn,
  withoutRecipients,
} from '../form/recipients.ts';
import { channelIssues, messageValues, type ReadForm } from '../form/submitted-form.ts';
import * as say from '../sentences.ts';
import { AUDIENCE_MISSING, LIST_GONE, NUMBERS_MISSING } from '../sentences.ts';
import { listInTime, listOf } from './list.ts';

export const REOPEN_ACTION = 'reopen_form';

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
  const isPasted = sourceIn(values) === 'numbers';
  const recipients = isPasted ? ('many' as const) : ('many-unfilled' as const);
  const context = { ...formContext(compose, template), recipients };
  const parsed = parseBulkMessage(kind, context, messageValues(values), isPasted ? [] : undefined);
  const issues: readonly Issue[] = [
    ...(parsed.ok ? [] : parsed.error),
    ...channelIssues(channelId),
    ...sourceIssues(form),
  ];
  if (issues.length > 0 || channelId === undefined) return ack(errors(issues, view));

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
      // Whoever sees it may submit it before Slack has told Herald that it is shown.
      compose.reading.delete(view.id);
      const word = () => {
        compose.closedForms.set(view.id, { kind, view: next });
        return { sentence: say.LIST_READY, channelId: user.id, blocks: reopenBlocks(view.id) };
      };
      return { view: next, word };
    },
  };
  try {
    const reading = readSafely(form, user.id, compose);
    await answerLate({ body, ack, client }, reading, answers, compose, startedAt);
  } finally {
    compose.reading.delete(view.id);
  }
}

/** What reading the list came to, with where a refusal stands in the form. */
type ReadResult =
  | { readonly state: 'ready'; readonly audience: Audience; readonly sourceFile?: UnclearFile }
  | { readonly state: 'choose_column'; readonly sourceFile: UnclearFile }
  | { readonly state: 'refused'; readonly path: string; readonly sentence: string };

async function readSafely(form: ReadForm, userId: string, compose: Compose): Promise<ReadResult> {
  const source = sourceIn(form.values);
  const path = source === 'numbers' ? NUMBERS_FIELD : source;
  try {
    return judge(await readList(form, userId, compose), path, form);
  } catch (error) {
    compose.logger.warn({ error }, 'a list could not be read to its end');
    return { state: 'refused', path, sentence: say.LIST_UNREADABLE };
  }
}

function judge(
  { result, file }: Awaited<ReturnType<typeof readList>>,
  path: string,
  form: ReadForm,
): ReadResult {
  if (result.state === 'refused')
    return { state: 'refused', path, sentence: `${result.what} ${result.next}`.trim() };
  if (result.state === 'choose_column') {
    const sourceFile = file && { file, columns: result.columns };
    return sourceFile && canCarryColumns({ ...form.metadata, sourceFile })
      ? { state: 'choose_column', sourceFile }
      : { state: 'refused', path: FILE_FIELD, sentence: say.COLUMN_UNCLEAR };
  }
  const { counts, numberColumn = '', columns } = result.audience;
  if (counts.valid > 0)
    return { ...result, ...(file ? { sourceFile: { file, columns: [numberColumn, ...columns] } } : {}) };
  const causes = [
    ...(counts.invalid > 0 ? [`${counts.invalid} invalid`] : []),
    ...(counts.opted_out > 0 ? [`${counts.opted_out} opted out`] : []),
  ];
  return { state: 'refused', path, sentence: say.nobodyLeft(counts.read, causes) };
}

async function nextForm(
  { kind, metadata, template, values, channelId }: ReadForm,
  result: ReadResult,
  viewId: string,
  compose: Compose,
): Promise<ComposeForm> {
  const parked = parkedOf(values, metadata.parked);
  const base = { kind, template, ...carriedOn(metadata), channelId, parked };
  if (result.state === 'ready') {
    const { audience, sourceFile } = result;
    const filled = filledFromColumns(withoutRecipients(values), template, audience.columns);
    const list = await listOf(audience, compose);
    const form = { ...base, values: filled, list, sourceFile, notes: [say.CHECK_LIST] };
    return { ...form, list: { ...list, review: await reviewFor(form, viewId, compose) } };
  }
  // The one before, where another one was chosen in its place.
  const before = { ...base, values, list: await listInTime(metadata, compose) };
  return result.state === 'refused'
    ? { ...before, notes: [result.sentence] }
    : { ...before, sourceFile: result.sourceFile, notes: [say.CHOOSE_COLUMN] };
}

function reopenBlocks(closedViewId: string): KnownBlock[] {
  const reopen = button(REOPEN_ACTION, 'Open the form', closedViewId);
  return [section(escapeMrkdwn(say.LIST_READY)), ...actions([reopen])];
}

/** What is missing of the list that a form names. */
function sourceIssues(form: ReadForm): readonly Issue[] {
  const { values, metadata } = form;
  const issue = (path: string, message: string) => [{ path, message }];
  switch (sourceIn(values)) {
    case 'one':
      return issue(RECIPIENTS_FIELD, NUMBERS_MISSING);
    case 'numbers':
      return pastedNumbers(form) === undefined ? issue(NUMBERS_FIELD, NUMBERS_MISSING) : [];
    case 'file':
      return fileIssues(values, metadata.sourceFile);
    case 'audience':
      return chosenAudience(form) === undefined ? issue(AUDIENCE_FIELD, AUDIENCE_MISSING) : [];
  }
}

/** Reads the list that a form names; `file` is the one it was read from. */
async function readList(
  form: ReadForm,
  by: string,
  { audiences, files }: BulkDependencies,
): Promise<{ readonly result: ListResult; readonly file?: GivenFile }> {
  const text = pastedNumbers(form);
  const audienceId = chosenAudience(form);
  const { sourceFile } = form.metadata;
  const file = fileIn(form.values) ?? sourceFile?.file;
  const source = sourceIn(form.values);
  if (source === 'numbers' && text !== undefined) return { result: await audiences.fromNumbers(text, by) };
  if (source === 'audience' && audienceId !== undefined) {
    const audience = await audiences.find(audienceId);
    return { result: audience ? { state: 'ready', audience } : refused(LIST_GONE) };
  }
  if (source !== 'file' || file === undefined) throw new Error('A form without a list was read.');
  const downloaded = await files.download(file, CSV_MAX_BYTES);
  if (!downloaded.ok) return { result: refused(downloaded.error) };
  // What was chosen is a column of the file that was read before.
  const numberColumn = file.id === sourceFile?.file.id ? numberColumnIn(form.values, sourceFile) : undefined;
  const given = { name: file.name, bytes: downloaded.value, by, numberColumn };
  return { result: await audiences.fromFile(given), file };
}

function refused(sentence: string): ListResult {
  return { state: 'refused', what: sentence, next: '' };
}

function pastedNumbers({ values }: ReadForm): string | undefined {
  const text = values[NUMBERS_FIELD];
  return typeof text === 'string' && !isBlank(text) ? text : undefined;
}

function chosenAudience({ values }: ReadForm): string | undefined {
  const id = values[AUDIENCE_FIELD];
  return typeof id === 'string' && id !== '' ? id : undefined;
}
