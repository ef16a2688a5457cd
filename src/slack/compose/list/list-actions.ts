import { LATE } from '../../../core/within.ts';
import { KINDS, type MessageKind } from '../../../messages/kinds.ts';
import type { Template } from '../../../messages/templates/template.ts';
import { sampleForTemplate, sampleForText } from '../../../sends/audiences/csv-lines.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { listTitle } from '../../kit/cards/list-words.ts';
import { notify, openModal } from '../../kit/clicks/answering.ts';
import type { ClickHandler } from '../../kit/clicks/arguments.ts';
import { withParts } from '../../kit/forms/preview-blocks.ts';
import type { FormValues } from '../../kit/forms/read-state.ts';
import { findTemplate } from '../../kit/templates/find-template.ts';
import { TEMPLATE_FIELD } from '../../kit/templates/template-picker.ts';
import type { Compose } from '../compose.ts';
import { inForm, withBlocks } from '../form/open-form.ts';
import { sampleBlocks } from '../form/recipients.ts';
import { commandOf } from '../line/help.ts';
import * as say from '../sentences.ts';

/** Sends the rows that were left out, each with its cause, to the person who asks. */
export const handleExclusions: ClickHandler<Compose> = async (
  { body, action, client },
  { audiences, files, logger },
) => {
  const audienceId = action.value ?? '';
  const userId = body.user.id;
  const audience = await audiences.find(audienceId);
  if (audience === undefined) return notify(client, { channelId: userId, userId }, say.LIST_GONE, logger);
  const sentence = escapeMrkdwn(
    `Rows of ${listTitle(audience)} that are left out, each with its cause:`,
    LIMITS.sectionText,
  );
  const sent = await files.sendTo(userId, sentence, {
    name: 'excluded-rows.csv',
    content: () => audiences.exclusionsCsv(audienceId),
  });
  if (!sent.ok) await notify(client, { channelId: userId, userId }, sent.error.sentence, logger);
};

/** Opens a form again whose list was ready only after it was closed. */
export const handleReopen: ClickHandler<Compose> = async ({ body, action, client }, compose) => {
  const userId = body.user.id;
  const form = compose.closedForms.get(action.value ?? '');
  if (form === undefined)
    return notify(client, { channelId: userId, userId }, say.CLOSED_FORM_GONE, compose.logger);
  const opened = await openModal(client, body.trigger_id, form.view);
  if (!opened.ok) {
    const sentence = say.formDidNotOpen(commandOf(form.kind), opened.error);
    await notify(client, { channelId: userId, userId }, sentence, compose.logger);
  }
};

/** Sends a file that fits the message of a form to the person, who then has only its rows to replace. */
export const handleSample = inForm(async ({ kind, view, values, event }, { body, client }, compose) => {
  const found = await findTemplate(kind, values[TEMPLATE_FIELD], compose);
  const template = found === LATE ? undefined : found;
  const isReady = template !== undefined || KINDS[kind].templateChannel === undefined;
  const said = isReady
    ? await sendSample(body.user.id, kind, template, values, compose)
    : say.SAMPLE_WITHOUT_TEMPLATE;
  const blocks = withParts(view.blocks, { sample: sampleBlocks(said) });
  await compose.views.redraw(client, event, withBlocks(view, blocks));
});

async function sendSample(
  userId: string,
  kind: MessageKind,
  template: Template | undefined,
  values: FormValues,
  { files }: Compose,
): Promise<string> {
  const content = template ? sampleForTemplate(template.placeholders) : sampleForText(JSON.stringify(values));
  const sentence = say.sampleSent(template?.label ?? KINDS[kind].title);
  const sent = await files.sendTo(userId, escapeMrkdwn(sentence, LIMITS.sectionText), {
    name: `${template?.name ?? kind}-sample.csv`,
    content: async function* () {
      yield content;
    },
  });
  return sent.ok ? say.SAMPLE_IS_THERE : sent.error.sentence;
}
