import type { Issue } from '../../../messages/submission.ts';
import { isBlank } from '../../../messages/text.ts';
import type { ListResult } from '../../../sends/audiences/service.ts';
import { CSV_MAX_BYTES, fileIn, fileIssues, numberColumnIn } from '../../kit/files/file-inputs.ts';
import type { GivenFile } from '../../kit/files/files.ts';
import type { BulkDependencies } from '../../kit/services.ts';
import { AUDIENCE_FIELD, NUMBERS_FIELD, RECIPIENTS_FIELD, sourceIn } from '../form/recipients.ts';
import type { ReadForm } from '../form/submitted-form.ts';
import { AUDIENCE_MISSING, LIST_GONE, NUMBERS_MISSING } from '../sentences.ts';

/** What is missing of the list that a form names. */
export function sourceIssues(form: ReadForm): readonly Issue[] {
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
export async function readList(
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
