import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { given } from '../../core/given.ts';
import { canCarry, readIfCarried } from '../connection/carried.ts';
import { actions, input, modal, option, saying, sayingView, textInput } from '../kit/blocks/blocks.ts';
import { countLines, exclusionsButton } from '../kit/cards/list-words.ts';
import { rowsOf, shown } from '../kit/cards/words.ts';
import { notify, openModal } from '../kit/clicks/answering.ts';
import type { MessageShortcutHandler, SubmissionHandler } from '../kit/clicks/arguments.ts';
import {
  CSV_MAX_BYTES,
  FILE_FIELD,
  fileIn,
  fileIssues,
  givenFiles,
  inputFile,
  NUMBER_COLUMN_FIELD,
  numberColumnIn,
  numberColumnInput,
} from '../kit/files/file-inputs.ts';
import type { GivenFile } from '../kit/files/files.ts';
import { type FormValues, readState } from '../kit/forms/read-state.ts';
import type { SlackServices } from '../kit/services.ts';
import { answerLate, showing } from '../kit/views/answer-late.ts';
import * as say from './sentences.ts';
import { NO_LIST_POSTED, SEVERAL_LISTS_POSTED } from './sentences.ts';

export type AudienceDependencies = Pick<
  SlackServices,
  'audiences' | 'files' | 'defaults' | 'clock' | 'logger'
>;

/** What a file is given for; also the callback_id of the form. */
export const UPLOADS = ['audience_upload', 'optout_import'] as const;
type Upload = (typeof UPLOADS)[number];

const NAME_FIELD = 'name';
const REPLACE_FIELD = 'replace';
/** The longest name that is taken; `sends/audiences` has the rule, this only bounds the input. */
const NAME_MAX = 80;

const fileSchema = z.strictObject({ id: z.string().min(1), name: z.string() });
const metadataSchema = z.strictObject({
  /** The file of a message, for which there is no input. */
  posted: fileSchema.optional(),
  unclearFile: z.strictObject({ file: fileSchema, columns: z.array(z.string()).readonly() }).exactOptional(),
});

type UploadMetadata = z.output<typeof metadataSchema>;

export interface UploadForm extends UploadMetadata {
  readonly upload: Upload;
  readonly name?: string | undefined;
  readonly replace?: boolean;
  readonly note?: string;
}

/** Undefined for what another version of Herald wrote. */
function readUploadMetadata(text: string): UploadMetadata | undefined {
  return readIfCarried(metadataSchema, text);
}

const WORDS: Readonly<Record<Upload, { title: string; submit: string }>> = {
  audience_upload: { title: 'Audience', submit: 'Save' },
  optout_import: { title: 'Opt-outs', submit: 'Import' },
};

export function uploadView(asked: UploadForm): ModalView {
  const { upload, name, replace, note, posted, unclearFile } = asked;
  const form = {
    callbackId: upload,
    ...WORDS[upload],
    metadata: JSON.stringify({ posted, ...given({ unclearFile }) } satisfies UploadMetadata),
    blocks: [
      ...(note === undefined ? [] : [saying(note)]),
      ...(upload === 'audience_upload' ? [nameInput(name)] : []),
      fileBlock(asked),
      ...(upload === 'audience_upload' ? [replaceInput(replace === true)] : []),
    ],
  };
  return modal(form, 'Close');
}

function fileBlock({ upload, posted, unclearFile }: UploadForm): KnownBlock {
  if (unclearFile) return numberColumnInput(unclearFile);
  if (posted) return saying(`File: ${posted.name}`);
  return upload === 'audience_upload' ? inputFile() : inputFile('Split a larger file.');
}

/** The window of a form that only says something. */
function doneView(upload: Upload, blocks: readonly KnownBlock[]): ModalView {
  return modal({ title: WORDS[upload].title, blocks });
}

function nameInput(name: string | undefined): InputBlock {
  const initial = name?.slice(0, NAME_MAX).toWellFormed();
  const element = textInput(NAME_FIELD, { maxLength: NAME_MAX, initial });
  return input(NAME_FIELD, 'Name', element, { hint: 'Everyone finds it under this name in the send forms.' });
}

function replaceInput(ticked: boolean): InputBlock {
  const replace = option('Replace the audience that has this name', 'true');
  const element = {
    type: 'checkboxes' as const,
    action_id: REPLACE_FIELD,
    options: [replace],
    ...given({ initial_options: ticked ? [replace] : undefined }),
  };
  const hint = 'Sends that were asked for with the old one keep it.';
  return input(REPLACE_FIELD, 'Replace', element, { hint, optional: true });
}

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
  const answers = {
    inTime: async (result: UploadResult) => {
      if (result.state === 'refused') {
        const path = result.path === FILE_FIELD && metadata.unclearFile ? NUMBER_COLUMN_FIELD : result.path;
        if (path !== FILE_FIELD || metadata.posted === undefined)
          return ack({ response_action: 'errors', errors: { [path]: result.sentence } });
      }
      return ack(showing(viewOf(upload, result, given)));
    },
    meanwhile: doneView(upload, [saying(say.READING)]),
    late: async (result: UploadResult) => ({
      view: viewOf(upload, result, given),
      word: () => wordOf(result),
    }),
  };
  await answerLate({ body, ack, client }, working, answers, dependencies);
};

function wordOf(result: UploadResult) {
  if (result.state === 'done') return { sentence: result.told, blocks: [...result.blocks] };
  return { sentence: result.state === 'again' ? say.CHOOSE_COLUMN : result.sentence };
}

function readGiven(
  upload: Upload,
  { posted, unclearFile }: UploadMetadata,
  values: FormValues,
): Given | { readonly errors: Record<string, string> } {
  const name = String(values[NAME_FIELD] ?? '')
    .toWellFormed()
    .trim();
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

const LIST_NAME = /\.(csv|tsv|txt)(\.gz)?$/i;

/** "Use file as an audience" on a message: the form of an upload, begun with the message's file, whose size no form bounds. */
export const handlePostedFile: MessageShortcutHandler<AudienceDependencies> = async (
  { shortcut, client },
  { logger },
) => {
  const { message, channel, user, trigger_id: triggerId } = shortcut;
  const [posted, ...others] = givenFiles(message.files).filter(({ name }) => LIST_NAME.test(name));
  const view =
    posted === undefined || others.length > 0
      ? sayingView('Audience', posted ? SEVERAL_LISTS_POSTED : NO_LIST_POSTED)
      : uploadView({ upload: 'audience_upload', name: posted.name.replace(LIST_NAME, ''), posted });
  const opened = await openModal(client, triggerId, view);
  if (opened.ok) return;
  const sentence = `${opened.error} Nothing was saved. Choose the shortcut again.`;
  await notify(client, { channelId: channel.id, userId: user.id }, sentence, logger);
};
