import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { LIMITS } from '../connection/limits.ts';
import { inputFile, numberColumnInput } from '../kit/files/file-inputs.ts';
import { plainText } from '../kit/forms/input-block.ts';

/** What a file is given for; also the callback_id of the form. */
export const UPLOADS = ['audience_upload', 'optout_import'] as const;
export type Upload = (typeof UPLOADS)[number];

export const NAME_FIELD = 'name';
export const REPLACE_FIELD = 'replace';
/** The longest name that is taken; `sends/audiences` has the rule, this only bounds the input. */
const NAME_MAX = 80;

const metadataSchema = z.strictObject({
  unclearFile: z
    .strictObject({
      file: z.strictObject({ id: z.string().min(1), name: z.string() }),
      columns: z.array(z.string()).readonly(),
    })
    .exactOptional(),
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
  try {
    const parsed = metadataSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** True when the columns to choose from fit into what a form can carry. */
export function canCarry(metadata: UploadMetadata): boolean {
  return JSON.stringify(metadata).length <= LIMITS.privateMetadata;
}

const WORDS: Readonly<Record<Upload, { title: string; submit: string }>> = {
  audience_upload: { title: 'Audience', submit: 'Save' },
  optout_import: { title: 'Opt-outs', submit: 'Import' },
};

export function uploadView({ upload, name, replace, note, unclearFile }: UploadForm): ModalView {
  return {
    ...shell(upload),
    callback_id: upload,
    submit: plainText(WORDS[upload].submit, LIMITS.modalSubmit),
    private_metadata: JSON.stringify({ ...(unclearFile ? { unclearFile } : {}) } satisfies UploadMetadata),
    blocks: [
      ...(note === undefined ? [] : [sentence(note)]),
      ...(upload === 'audience_upload' ? [nameInput(name)] : []),
      unclearFile === undefined ? inputFile() : numberColumnInput(unclearFile),
      ...(upload === 'audience_upload' ? [replaceInput(replace === true)] : []),
    ],
  };
}

/** A form that only says something. */
export function sayingView(upload: Upload, blocks: readonly KnownBlock[]): ModalView {
  return { ...shell(upload), blocks: [...blocks] };
}

export function sentence(text: string): KnownBlock {
  return { type: 'section', text: plainText(text, LIMITS.sectionText) };
}

function shell(upload: Upload) {
  return {
    type: 'modal' as const,
    title: plainText(WORDS[upload].title, LIMITS.modalTitle),
    close: plainText('Close', LIMITS.modalClose),
  };
}

function nameInput(name: string | undefined): InputBlock {
  return {
    type: 'input',
    block_id: NAME_FIELD,
    label: plainText('Name', LIMITS.inputLabel),
    hint: plainText('Everyone finds it under this name in the send forms.', LIMITS.inputHint),
    element: {
      type: 'plain_text_input',
      action_id: NAME_FIELD,
      max_length: NAME_MAX,
      ...(name ? { initial_value: name.slice(0, NAME_MAX).toWellFormed() } : {}),
    },
  };
}

function replaceInput(ticked: boolean): InputBlock {
  const option = {
    text: plainText('Replace the audience that has this name', LIMITS.optionText),
    value: 'true',
  };
  return {
    type: 'input',
    block_id: REPLACE_FIELD,
    label: plainText('Replace', LIMITS.inputLabel),
    hint: plainText('Sends that were asked for with the old one keep it.', LIMITS.inputHint),
    optional: true,
    element: {
      type: 'checkboxes',
      action_id: REPLACE_FIELD,
      options: [option],
      ...(ticked ? { initial_options: [option] } : {}),
    },
  };
}
