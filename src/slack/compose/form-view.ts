import type { InputBlock, KnownBlock, ModalView, View } from '@slack/types';
import { KINDS } from '../../messages/kinds.ts';
import type { MessageKind } from '../../messages/message.ts';
import type { Template } from '../../messages/template.ts';
import { showInvisible } from '../blocks/escape.ts';
import { LIMITS } from '../blocks/limits.ts';
import { formBlocks } from '../forms/form-blocks.ts';
import { plainText } from '../forms/input-block.ts';
import { leavesOf } from '../forms/leaves.ts';
import { type ComposeDependencies, formContext } from './dependencies.ts';
import { type FormMetadata, writeMetadata } from './form-metadata.ts';
import { previewBlocks } from './preview-blocks.ts';
import { templateMark } from './template-mark.ts';
import { TEMPLATE_FIELD, templatePicker } from './template-picker.ts';

/** The block where a form without a channel of its own asks for one. */
export const CHANNEL_FIELD = 'channel';

export interface ComposeForm {
  readonly kind: MessageKind;
  readonly template?: Template | undefined;
  /** What the inputs hold, by form path. Fields that are not in it hold their own initial values. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Where the form was asked for; without it the form asks. */
  readonly channelId?: string | undefined;
  readonly waiting?: FormMetadata['waiting'];
  /** Sentences on top. */
  readonly notes?: readonly string[];
}

/** The form of a kind: exactly the fields that it and the chosen template need, and a preview. */
export function composeView(form: ComposeForm, dependencies: ComposeDependencies): ModalView {
  const { kind, template, channelId, waiting, notes = [] } = form;
  const { title } = KINDS[kind];
  const metadata: FormMetadata = {
    ...(channelId ? { channelId } : {}),
    ...(template ? { shown: templateMark(template) } : {}),
    ...(waiting && waiting.length > 0 ? { waiting } : {}),
  };
  return {
    type: 'modal',
    callback_id: kind,
    title: plainText(title, LIMITS.modalTitle),
    submit: plainText('Send', LIMITS.modalSubmit),
    close: plainText('Cancel', LIMITS.modalClose),
    private_metadata: writeMetadata(metadata),
    blocks: [
      ...noteBlocks(notes),
      ...fieldBlocks(form, dependencies),
      ...(channelId ? [] : [channelBlock()]),
    ],
  };
}

function fieldBlocks(form: ComposeForm, dependencies: ComposeDependencies): KnownBlock[] {
  const { kind, template, values = {} } = form;
  const { form: schemaOf, templateChannel } = KINDS[kind];
  const schema = schemaOf(formContext(dependencies, template));
  const common = new Set(leavesOf(schemaOf(formContext(dependencies))).map((leaf) => leaf.path));
  const mark = template && templateMark(template);
  const pickerMeta = leavesOf(schema).find((leaf) => leaf.path === TEMPLATE_FIELD)?.meta;
  const fields: InputBlock[] = formBlocks(schema, {
    values,
    omit: [TEMPLATE_FIELD],
    suffixOf: (path) => (common.has(path) ? undefined : mark),
  });
  return [
    ...(pickerMeta ? [templatePicker(pickerMeta, template)] : []),
    ...fields,
    ...previewBlocks(kind, template, values, templateChannel !== undefined),
  ];
}

/** Three thousand characters of notes are more than anybody reads; the most important ones come first. */
function noteBlocks(notes: readonly string[]): KnownBlock[] {
  if (notes.length === 0) return [];
  const text = plainText(showInvisible([...new Set(notes)].join(' ')), LIMITS.sectionText);
  return [{ type: 'section', block_id: 'notes', text }];
}

function channelBlock(): KnownBlock {
  return {
    type: 'input',
    block_id: CHANNEL_FIELD,
    label: plainText('Channel', LIMITS.inputLabel),
    hint: plainText('Where the result is posted.', LIMITS.inputHint),
    element: {
      type: 'conversations_select',
      action_id: CHANNEL_FIELD,
      default_to_current_conversation: true,
      filter: { include: ['public', 'private'], exclude_bot_users: true },
    },
  };
}

/** A view that only says something. */
export function sentenceView(kind: MessageKind, sentence: string): View {
  return {
    type: 'modal',
    title: plainText(KINDS[kind].title, LIMITS.modalTitle),
    close: plainText('Close', LIMITS.modalClose),
    blocks: [{ type: 'section', text: plainText(sentence, LIMITS.sectionText) }],
  };
}
