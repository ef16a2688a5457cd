import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { given } from '../../core/given.ts';
import { readIfCarried } from '../connection/carried.ts';
import { input, modal, option, saying, textInput } from '../kit/blocks/blocks.ts';
import { inputFile, numberColumnInput } from '../kit/files/file-inputs.ts';

/** What a file is given for; also the callback_id of the form. */
export const UPLOADS = ['audience_upload', 'optout_import'] as const;
export type Upload = (typeof UPLOADS)[number];

export const NAME_FIELD = 'name';
export const REPLACE_FIELD = 'replace';
/** The longest name that is taken; `sends/audiences` has the rule, this only bounds the input. */
const NAME_MAX = 80;

const fileSchema = z.strictObject({ id: z.string().min(1), name: z.string() });
const metadataSchema = z.strictObject({
  /** The file of a message, for which there is no input. */
  posted: fileSchema.optional(),
  unclearFile: z.strictObject({ file: fileSchema, columns: z.array(z.string()).readonly() }).exactOptional(),
});

export type UploadMetadata = z.output<typeof metadataSchema>;

export interface UploadForm extends UploadMetadata {
  readonly upload: Upload;
  readonly name?: string | undefined;
  readonly replace?: boolean;
  readonly note?: string;
}

/** Undefined for what another version of Herald wrote. */
export function readUploadMetadata(text: string): UploadMetadata | undefined {
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
export function doneView(upload: Upload, blocks: readonly KnownBlock[]): ModalView {
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
