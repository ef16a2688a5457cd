import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { given } from '../../core/given.ts';
import { fail, ok } from '../../core/result.ts';
import { canCarry, readIfCarried } from '../connection/carried.ts';
import { actions, input, modal, option, saying, sayingView, textInput } from '../kit/blocks/blocks.ts';
import { countLines, exclusionsButton } from '../kit/cards/list-words.ts';
import { people, rowsOf, shown } from '../kit/cards/words.ts';
import { ephemeral, notify, openModal } from '../kit/clicks/answering.ts';
import type { CommandArguments, MessageShortcutHandler, SubmissionHandler } from '../kit/clicks/arguments.ts';
import {
  CSV_MAX_BYTES,
  FILE_FIELD,
  fileIn,
  fileIssues,
  givenFileSchema,
  givenFiles,
  inputFile,
  NUMBER_COLUMN_FIELD,
  numberColumnIn,
  numberColumnInput,
  unclearFileSchema,
} from '../kit/files/file-inputs.ts';
import { type FormValues, readState } from '../kit/forms/read-state.ts';
import type { SlackServices } from '../kit/services.ts';
import { answerLate, showing } from '../kit/views/answer-late.ts';

/** A file is given for one of these; also the callback_id of the form. */
export const UPLOADS = ['audience_upload', 'optout_import'] as const;
type Upload = (typeof UPLOADS)[number];

const NAME_FIELD = 'name';
const REPLACE_FIELD = 'replace';
/** The longest name that is taken; `sends/audiences` has the rule, this only bounds the input. */
const NAME_MAX = 80;

const metadataSchema = z.strictObject({
  /** The file of a message, for which there is no input. */
  posted: givenFileSchema.optional(),
  unclearFile: unclearFileSchema.exactOptional(),
});

type UploadMetadata = z.output<typeof metadataSchema>;

interface UploadForm extends UploadMetadata {
  readonly upload: Upload;
  readonly name?: string | undefined;
  readonly replace?: boolean;
  readonly note?: string;
}

const WORDS: Readonly<Record<Upload, { title: string; submit: string }>> = {
  audience_upload: { title: 'Audience', submit: 'Save' },
  optout_import: { title: 'Opt-outs', submit: 'Import' },
};

function uploadView(asked: UploadForm): ModalView {
  const { upload, name, replace = false, note, posted, unclearFile } = asked;
  const initial = name?.slice(0, NAME_MAX).toWellFormed();
  const named = input(NAME_FIELD, 'Name', textInput(NAME_FIELD, { maxLength: NAME_MAX, initial }), {
    hint: 'Everyone finds it under this name in the send forms.',
  });
  const options = [option('Replace the audience that has this name', 'true')];
  const ticks = { type: 'checkboxes' as const, action_id: REPLACE_FIELD, options };
  const ticked = input(REPLACE_FIELD, 'Replace', replace ? { ...ticks, initial_options: options } : ticks, {
    hint: 'Sends that were asked for with the old one keep it.',
    optional: true,
  });
  const isAudience = upload === 'audience_upload';
  const form = {
    callbackId: upload,
    ...WORDS[upload],
    metadata: JSON.stringify({ posted, ...given({ unclearFile }) } satisfies UploadMetadata),
    blocks: [
      ...(note === undefined ? [] : [saying(note)]),
      ...(isAudience ? [named] : []),
      fileBlock(asked),
      ...(isAudience ? [ticked] : []),
    ],
  };
  return modal(form, 'Close');
}

function fileBlock({ upload, posted, unclearFile }: UploadForm): KnownBlock {
  if (unclearFile) return numberColumnInput(unclearFile);
  if (posted) return saying(`File: ${posted.name}`);
  return upload === 'audience_upload' ? inputFile() : inputFile('Split a larger file.');
}

function doneView(upload: Upload, blocks: readonly KnownBlock[]): ModalView {
  return modal({ title: WORDS[upload].title, blocks });
}

/** The window that shows what became of a file, and the words for somebody who has closed it. */
interface UploadResult {
  readonly view: ModalView;
  readonly sentence: string;
  readonly blocks?: KnownBlock[];
  /** The field that was refused. */
  readonly path?: string;
}

/**
 * A file was given as an audience or as opt-outs: it is read, and the window shows what was found. What is wrong
 * stands under its field where there is one and it is known in time, else on top of the form; where the form was closed
 * meanwhile the person is notified directly.
 */
export const handleUpload: SubmissionHandler<SlackServices> = async ({ body, ack, client }, services) => {
  const { view, user } = body;
  const upload = UPLOADS.find((one) => one === view.callback_id);
  if (upload === undefined) throw new Error('A view that takes no file reached the handler of files.');
  const refuse = (errors: Record<string, string>) => ack({ response_action: 'errors', errors });
  const metadata = readIfCarried(metadataSchema, view.private_metadata);
  if (metadata === undefined)
    return refuse({ [upload === 'audience_upload' ? NAME_FIELD : FILE_FIELD]: FORM_TOO_OLD });
  const read = readGiven(upload, metadata, readState(view.state.values));
  if (!read.ok) return refuse(read.error);
  const answers = {
    inTime: async ({ path, sentence, view }: UploadResult) => {
      const field = path === FILE_FIELD && metadata.unclearFile ? NUMBER_COLUMN_FIELD : path;
      const hasInput = field !== FILE_FIELD || metadata.posted === undefined;
      return field && hasInput ? refuse({ [field]: sentence }) : ack(showing(view));
    },
    meanwhile: doneView(upload, [saying(READING)]),
    late: async ({ view, sentence, blocks }: UploadResult) => ({
      view,
      word: () => given({ sentence, blocks }),
    }),
  };
  await answerLate({ body, ack, client }, take(read.value, user.id, services), answers, services);
};

/** Reads a submitted form, once it is complete; else sentences by field. */
function readGiven(upload: Upload, { posted, unclearFile }: UploadMetadata, values: FormValues) {
  const name = String(values[NAME_FIELD] ?? '')
    .toWellFormed()
    .trim();
  const file = posted ?? unclearFile?.file ?? fileIn(values);
  const numberColumn = numberColumnIn(values, unclearFile);
  const issues = posted && !unclearFile ? [] : fileIssues(values, unclearFile);
  const errors: Record<string, string> = {
    ...(upload === 'audience_upload' && name === '' ? { [NAME_FIELD]: NAME_MISSING } : {}),
    ...Object.fromEntries(issues.map(({ path, message }) => [path, message])),
  };
  if (file === undefined || Object.keys(errors).length > 0) return fail(errors);
  const replace = values[REPLACE_FIELD] === true;
  return ok({ upload, name, replace, file, posted, numberColumn });
}

type Given = Extract<ReturnType<typeof readGiven>, { ok: true }>['value'];

async function take(asked: Given, by: string, services: SlackServices): Promise<UploadResult> {
  const { audiences, files, logger } = services;
  const { upload, name, replace, file, posted, numberColumn } = asked;
  const form = { upload, name, replace, posted };
  const refused = (path: string, sentence: string) => ({
    view: uploadView({ ...form, note: sentence }),
    ...{ sentence, path },
  });
  const done = (sentence: string, more: readonly KnownBlock[] = []) => {
    const blocks = [saying(sentence), ...more];
    return { view: doneView(upload, blocks), sentence, blocks };
  };
  try {
    const before = upload === 'audience_upload' ? await audiences.findByName(name) : undefined;
    if (before && !replace) return refused(NAME_FIELD, nameTaken(name, before.counts.valid));
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
        if (!canCarry({ posted, unclearFile })) return refused(FILE_FIELD, COLUMN_UNCLEAR);
        const sentence = CHOOSE_COLUMN;
        return { view: uploadView({ ...form, note: sentence, unclearFile }), sentence };
      }
      case 'imported':
        return done(
          `${shown(result.added)} added to the opt-out list, of ${rowsOf(result.read)}; ${shown(result.invalid)} invalid.`,
        );
      case 'ready': {
        const { audience } = result;
        if (audience.counts.valid === 0) return refused(FILE_FIELD, nobodyInIt(audience.counts.read));
        const saved = await audiences.save(audience.id, name);
        if (!saved.ok) return refused(NAME_FIELD, saved.error);
        const counts = [saying(countLines(saved.value)), ...actions(exclusionsButton(audience))];
        return done(`The audience “${saved.value.name ?? name}” is saved.`, counts);
      }
    }
  } catch (error) {
    logger.warn({ error }, 'a file could not be read to its end');
    return refused(FILE_FIELD, UNREADABLE);
  }
}

const LIST_NAME = /\.(csv|tsv|txt)(\.gz)?$/i;

/** "Use file as an audience" on a message: the form of an upload, begun with the message's file, whose size no form bounds. */
export const handlePostedFile: MessageShortcutHandler<SlackServices> = async (
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

interface Opening extends Pick<CommandArguments, 'client' | 'respond'> {
  readonly command: { readonly trigger_id: string };
}

/** @param undone says that nothing was done, and what to type again, where Slack did not open the form */
export async function openUpload(
  { command, client, respond }: Opening,
  form: UploadForm,
  undone = 'Nothing was saved. Type /audiences upload again.',
): Promise<void> {
  const opened = await openModal(client, command.trigger_id, uploadView(form));
  if (!opened.ok) await respond(ephemeral(`${opened.error} ${undone}`));
}

/* Nothing is ever sent here, so none of these says so. */

const NAME_MISSING = 'Enter a name.';
const CHOOSE_COLUMN = 'Nothing was saved yet. Choose which column of the file has the numbers.';
const COLUMN_UNCLEAR =
  'Herald cannot see which column has the numbers, and there are too many to choose from here. Name that column “phone” and choose the file again.';
const NO_LIST_POSTED =
  'This message has no CSV file. Choose this on a message with a file whose name ends in .csv or .csv.gz.';
const SEVERAL_LISTS_POSTED =
  'This message has more than one CSV file. Post the one that you mean in a message of its own.';
const READING = 'The file is being read. This window then shows what was found.';
const UNREADABLE = 'The file could not be read to its end. Nothing was saved. Choose it again.';
const FORM_TOO_OLD = 'This form was opened with another version of Herald. Nothing was saved. Open it again.';

function nameTaken(name: string, rows: number): string {
  return `There is an audience “${name}” already, of ${people(rows)}. Choose another name, or tick “Replace”.`;
}
export function nobodyInIt(read: number): string {
  const none = read === 1 ? 'The only row has no number' : `None of the ${rowsOf(read)} has a number`;
  return `${none} that can be sent to. Nothing was saved. Choose another file.`;
}
