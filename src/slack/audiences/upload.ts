import type { KnownBlock, ModalView } from '@slack/types';
import { LATE } from '../../core/within.ts';
import { canCarry } from '../connection/carried.ts';
import { actions, saying } from '../kit/blocks/blocks.ts';
import { countLines, exclusionsButton } from '../kit/cards/list-words.ts';
import { rowsOf, shown } from '../kit/cards/words.ts';
import { notify } from '../kit/clicks/answering.ts';
import type { SubmissionHandler } from '../kit/clicks/arguments.ts';
import {
  CSV_MAX_BYTES,
  FILE_FIELD,
  fileIn,
  fileIssues,
  NUMBER_COLUMN_FIELD,
  numberColumnIn,
} from '../kit/files/file-inputs.ts';
import type { GivenFile } from '../kit/files/files.ts';
import { answerInTime } from '../kit/forms/answer-in-time.ts';
import { type FormValues, readState } from '../kit/forms/read-state.ts';
import { isShown } from '../kit/views/view-updates.ts';
import type { AudienceDependencies } from './dependencies.ts';
import * as say from './sentences.ts';
import {
  doneView,
  NAME_FIELD,
  REPLACE_FIELD,
  readUploadMetadata,
  UPLOADS,
  type Upload,
  type UploadForm,
  type UploadMetadata,
  uploadView,
} from './upload-view.ts';

/** What was submitted, once it is complete. */
interface Given {
  readonly upload: Upload;
  readonly name: string;
  readonly replace: boolean;
  readonly file: GivenFile;
  /** The same file, where it was not given in this form. */
  readonly posted: GivenFile | undefined;
  readonly numberColumn: string | undefined;
}

type UploadResult =
  | { readonly state: 'done'; readonly blocks: readonly KnownBlock[]; readonly told: string }
  | { readonly state: 'again'; readonly form: UploadForm }
  | { readonly state: 'refused'; readonly path: string; readonly sentence: string };

/**
 * A file was given as an audience or as opt-outs: it is read, and the window shows what was found. What is wrong
 * stands under its field where there is one and it is known in time, else on top of the form; where the form was closed
 * meanwhile the person is told directly.
 */
export const handleUpload: SubmissionHandler<AudienceDependencies> = async (
  { body, ack, client },
  dependencies,
) => {
  const { view, user } = body;
  const upload = UPLOADS.find((one) => one === view.callback_id);
  if (upload === undefined) throw new Error('A view that takes no file reached the handler of files.');
  const metadata = readUploadMetadata(view.private_metadata);
  const fallback = upload === 'audience_upload' ? NAME_FIELD : FILE_FIELD;
  if (metadata === undefined)
    return ack({ response_action: 'errors', errors: { [fallback]: say.FORM_TOO_OLD } });
  const given = readGiven(upload, metadata, readState(view.state.values));
  if ('errors' in given) return ack({ response_action: 'errors', errors: given.errors });
  const working = take(given, user.id, dependencies);
  const quick = await answerInTime(working, dependencies.clock);
  if (quick !== LATE && quick.state === 'refused') {
    const path = quick.path === FILE_FIELD && metadata.unclearFile ? NUMBER_COLUMN_FIELD : quick.path;
    if (path !== FILE_FIELD || metadata.posted === undefined)
      return ack({ response_action: 'errors', errors: { [path]: quick.sentence } });
  }
  if (quick !== LATE) return ack({ response_action: 'update', view: viewOf(upload, quick, given) });
  await ack({ response_action: 'update', view: doneView(upload, [saying(say.READING)]) });
  const result = await working;
  const { logger } = dependencies;
  const request = { view_id: view.id, view: viewOf(upload, result, given) };
  if (await isShown(client, request, logger)) return;
  const person = { userId: user.id, channelId: undefined };
  if (result.state === 'done') await notify(client, person, result.told, logger, [...result.blocks]);
  else await notify(client, person, result.state === 'again' ? say.CHOOSE_COLUMN : result.sentence, logger);
};

function readGiven(
  upload: Upload,
  { posted, unclearFile }: UploadMetadata,
  values: FormValues,
): Given | { readonly errors: Record<string, string> } {
  const name = String(values[NAME_FIELD] ?? '').trim();
  const file = posted ?? unclearFile?.file ?? fileIn(values);
  const numberColumn = numberColumnIn(values, unclearFile);
  const issues = posted && !unclearFile ? [] : fileIssues(values, unclearFile);
  const errors = {
    ...(upload === 'audience_upload' && name === '' ? { [NAME_FIELD]: say.NAME_MISSING } : {}),
    ...Object.fromEntries(issues.map(({ path, message }) => [path, message])),
  };
  if (file === undefined || Object.keys(errors).length > 0) return { errors };
  const replace = values[REPLACE_FIELD] === true;
  return { upload, name, replace, file, posted, numberColumn };
}

async function take(given: Given, by: string, dependencies: AudienceDependencies): Promise<UploadResult> {
  const { audiences, files, logger } = dependencies;
  const { upload, name, replace, file, posted, numberColumn } = given;
  try {
    const before = upload === 'audience_upload' ? await audiences.findByName(name) : undefined;
    if (before && !replace) return refused(NAME_FIELD, say.nameTaken(name, before.counts.valid));
    const downloaded = await files.download(file, CSV_MAX_BYTES);
    if (!downloaded.ok) return refused(FILE_FIELD, downloaded.error);
    const source = { name: file.name, bytes: downloaded.value, by, numberColumn };
    const result = await (upload === 'audience_upload'
      ? audiences.fromFile(source)
      : audiences.importOptOuts(source));
    switch (result.state) {
      case 'refused':
        return refused(FILE_FIELD, `${result.what} ${result.next}`);
      case 'choose_column': {
        const unclearFile = { file, columns: result.columns };
        if (!canCarry({ posted, unclearFile })) return refused(FILE_FIELD, say.COLUMN_UNCLEAR);
        return {
          state: 'again',
          form: { upload, name, replace, posted, note: say.CHOOSE_COLUMN, unclearFile },
        };
      }
      case 'imported':
        return done(
          `${shown(result.added)} added to the opt-out list, of ${rowsOf(result.read)}; ${shown(result.invalid)} invalid.`,
        );
      case 'ready': {
        const { audience } = result;
        if (audience.counts.valid === 0) return refused(FILE_FIELD, say.nobodyInIt(audience.counts.read));
        const saved = await audiences.save(audience.id, name);
        if (!saved.ok) return refused(NAME_FIELD, saved.error);
        const told = `The audience “${saved.value.name ?? name}” is saved.`;
        return done(told, [saying(countLines(saved.value)), ...actions(exclusionsButton(audience))]);
      }
    }
  } catch (error) {
    logger.warn({ error }, 'a file could not be read to its end');
    return refused(FILE_FIELD, say.UNREADABLE);
  }
}

function refused(path: string, said: string): UploadResult {
  return { state: 'refused', path, sentence: said };
}

function done(told: string, more: readonly KnownBlock[] = []): UploadResult {
  return { state: 'done', told, blocks: [saying(told), ...more] };
}

function viewOf(upload: Upload, result: UploadResult, { name, replace, posted }: Given): ModalView {
  switch (result.state) {
    case 'done':
      return doneView(upload, result.blocks);
    case 'again':
      return uploadView(result.form);
    case 'refused':
      return uploadView({ upload, name, replace, posted, note: result.sentence });
  }
}
