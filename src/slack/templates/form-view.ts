import { createHash } from 'node:crypto';
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { PLACEHOLDERS_MAX } from '../../messages/limits.ts';
import { takesValues, templateForm } from '../../messages/templates/form.ts';
import type { Send } from '../../sends/send.ts';
import type { TemplateKey } from '../../sends/templates/store.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { LIMITS } from '../connection/limits.ts';
import { actions, button, context, plainText } from '../kit/blocks/blocks.ts';
import { writeKey } from '../kit/cards/look-button.ts';
import { formBlocks } from '../kit/forms/form-blocks.ts';
import { FIELD_ACTION } from '../kit/forms/input-block.ts';
import { blockIdOf } from '../kit/forms/path.ts';
import type { FormValues } from '../kit/forms/read-state.ts';
import { type FormMetadata, noteBlocks, readKey, shell, voidsBlocks } from './windows.ts';

export const FORM_VIEW = 'template_form';
export const KIND_ACTION = 'template_kind';
export const MORE_ACTION = 'template_more';
export const FEWER_ACTION = 'template_fewer';
export const AGREE_FIELD = 'agree';
const KIND_FIELD = 'variant';

/** A template's form in whatever state it is. */
export interface TemplateFormState {
  readonly metadata: FormMetadata;
  /** What the inputs hold, by form path. */
  readonly values: FormValues;
  readonly note?: string | undefined;
  /** Sends whose approvals saving it would void: the person is asked to agree. */
  readonly sends?: readonly Send[];
}

/** The form of a kind of template: exactly the fields that it has, and a row of them for every placeholder. */
export function templateFormView({ metadata, values, note, sends = [] }: TemplateFormState): ModalView {
  const existing = metadata.key === undefined ? undefined : readKey(metadata.key);
  const { kind } = metadata;
  const rows = takesValues(kind) ? metadata.rows : 0;
  const fields = formBlocks(templateForm({ kind, rows, existing }), { values });
  const { sends: _asked, ...rest } = metadata;
  const place = fields.findIndex(({ block_id: id }) => id?.startsWith('placeholders.') === true);
  const buttons = takesValues(kind) ? rowButtons(rows) : [];
  return shell({
    callbackId: FORM_VIEW,
    title: existing === undefined ? 'New template' : 'Edit template',
    submit: 'Save',
    metadata: {
      ...rest,
      sends: sends.length > 0 ? sends.map(({ id }) => id) : undefined,
    } satisfies FormMetadata,
    blocks: [
      ...noteBlocks(note),
      ...voidsBlocks(sends),
      ...(sends.length > 0 ? [agreementInput(sends)] : []),
      ...(existing === undefined ? [] : [nameLine(existing)]),
      ...withDispatch(place < 0 ? fields : fields.slice(0, place)),
      ...buttons,
      ...(place < 0 ? [] : fields.slice(place)),
    ],
  });
}

function nameLine(existing: TemplateKey): KnownBlock {
  return context(`Registered as \`${escapeMrkdwn(writeKey(existing))}\``);
}

/** Choosing another kind shows other fields. */
function withDispatch(fields: readonly InputBlock[]): InputBlock[] {
  return fields.map((block) =>
    block.block_id === KIND_FIELD
      ? { ...block, dispatch_action: true, element: { ...block.element, action_id: KIND_ACTION } }
      : block,
  ) as InputBlock[];
}

function rowButtons(rows: number): KnownBlock[] {
  const more = rows < PLACEHOLDERS_MAX ? [button(MORE_ACTION, 'Add a placeholder', 'more')] : [];
  const fewer = rows > 0 ? [button(FEWER_ACTION, 'Remove the last placeholder', 'fewer')] : [];
  return actions([...more, ...fewer], 'rows');
}

function fingerprint(sends: readonly Send[]): string {
  const ids = sends.map(({ id }) => id).join('+');
  return createHash('sha256').update(ids).digest('hex').slice(0, 8);
}

/** The box that says yes. Its id names the sends: a yes to some is none to others. */
function agreementInput(sends: readonly Send[]): InputBlock {
  const text =
    sends.length === 1
      ? 'Void its approval and save'
      : `Void the approvals of ${sends.length} sends and save`;
  return {
    type: 'input',
    block_id: blockIdOf(AGREE_FIELD, fingerprint(sends)),
    label: plainText('Approvals', LIMITS.inputLabel),
    optional: true,
    element: {
      type: 'checkboxes',
      action_id: FIELD_ACTION,
      options: [{ text: plainText(text, LIMITS.optionText), value: 'true' }],
    },
  };
}
