import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { given } from '../../core/given.ts';
import { paramFields } from '../../messages/templates/field.ts';
import type { Template } from '../../messages/templates/template.ts';
import { saying, sayingView } from '../kit/blocks/blocks.ts';
import { writeKey } from '../kit/cards/look-button.ts';
import type { ClickHandler, SubmissionHandler } from '../kit/clicks/arguments.ts';
import { formBlocks } from '../kit/forms/form-blocks.ts';
import { errors } from '../kit/forms/issues-to-errors.ts';
import { previewBlocks, withParts } from '../kit/forms/preview-blocks.ts';
import { type FormValues, readState } from '../kit/forms/read-state.ts';
import { lookedAt } from './look.ts';
import { GONE, VALUES_FIT } from './sentences.ts';
import {
  type Catalogue,
  type LookMetadata,
  noteBlocks,
  readKey,
  readLook,
  shell,
  showAbove,
} from './windows.ts';

export const TRY_VIEW = 'template_try';
export const TRY_FIELD_ACTION = 'template_try_field';

/** The values of a template, with nothing else of a send form. */
function valuesForm(template: Template) {
  return z.object({ params: paramFields(template, {}) });
}

/** The template's inputs, holding its examples, and what the phone shows. Nothing can be sent from here. */
function tryView(
  template: Template,
  channelId: string | undefined,
  values: FormValues,
  note?: string,
): ModalView {
  const hasValues = template.placeholders.length > 0 && template.variant !== 'otp';
  const inputs = hasValues ? formBlocks(valuesForm(template), { values }).map(listenedTo) : [];
  return shell({
    callbackId: TRY_VIEW,
    title: 'Try a template',
    ...given({ submit: hasValues ? 'Check' : undefined }),
    metadata: { channelId, key: writeKey(template) } satisfies LookMetadata,
    blocks: [
      ...noteBlocks(note),
      saying(`“${template.label}” with values of your choice. Nothing is sent from here.`, 'opening'),
      ...inputs,
      ...previewBlocks(template.channel, template, values),
    ],
  });
}

/** What is typed here is not for the handlers of send forms. */
function listenedTo(block: InputBlock): InputBlock {
  return { ...block, element: { ...block.element, action_id: TRY_FIELD_ACTION } } as InputBlock;
}

export const handleTry: ClickHandler<Catalogue> = async (args, catalogue) => {
  const looked = await lookedAt(args, catalogue);
  if (looked === undefined) return showAbove(args, sayingView('Templates', GONE), catalogue);
  const { template } = looked.stored;
  const params = template.placeholders.map(({ example }) => example ?? null);
  await showAbove(args, tryView(template, looked.metadata.channelId, { params }), catalogue);
};

async function templateIn(metadata: LookMetadata, { templates }: Catalogue): Promise<Template | undefined> {
  const key = readKey(metadata.key);
  return key && (await templates.look(key))?.template;
}

/** Something was typed: the preview follows. */
export const handleTryField: ClickHandler<Catalogue> = async ({ body, action, client }, catalogue) => {
  const { view } = body;
  if (view === undefined) return;
  const event = { viewId: view.id, hash: view.hash, at: action.action_ts };
  await catalogue.views.refresh(client, event, async () => {
    const metadata = readLook(view.private_metadata);
    const template = await templateIn(metadata, catalogue);
    if (template === undefined) return undefined;
    const values = readState(view.state.values);
    const shown = tryView(template, metadata.channelId, values);
    const preview = previewBlocks(template.channel, template, values);
    return { ...shown, blocks: withParts(view.blocks, { preview }) as ModalView['blocks'] };
  });
};

/** Check: every value is held to its rule, as when it is sent. */
export const handleTryCheck: SubmissionHandler<Catalogue> = async ({ body, ack }, catalogue) => {
  const { view } = body;
  const metadata = readLook(view.private_metadata);
  const template = await templateIn(metadata, catalogue);
  if (template === undefined) return ack({ response_action: 'update', view: sayingView('Templates', GONE) });
  const values = readState(view.state.values);
  const params = Array.isArray(values.params) ? values.params.map((value) => value ?? undefined) : [];
  const parsed = valuesForm(template).safeParse({ params });
  if (parsed.success) {
    const next = tryView(template, metadata.channelId, values, VALUES_FIT);
    return ack({ response_action: 'update', view: next });
  }
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  await ack(errors(issues, view));
};
