import { escapeMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { listTitle } from '../../kit/cards/list-words.ts';
import type { ClickArguments } from '../../kit/clicks/arguments.ts';
import { notify } from '../../kit/clicks/notify.ts';
import { openModal } from '../../kit/clicks/open-modal.ts';
import type { Compose } from '../compose.ts';
import { composeView } from '../form/form-view.ts';
import { commandOf } from '../line/help.ts';
import { CLOSED_FORM_GONE, formDidNotOpen, LIST_GONE } from '../sentences.ts';

/** Sends the rows that were left out, each with its cause, to the person who asks. */
export async function handleExclusions(
  { body, action, ack, client }: ClickArguments,
  { audiences, files, logger }: Compose,
): Promise<void> {
  await ack();
  const audienceId = action.value ?? '';
  const userId = body.user.id;
  const audience = await audiences.find(audienceId);
  if (audience === undefined) return notify(client, { channelId: userId, userId }, LIST_GONE, logger);
  const sentence = escapeMrkdwn(
    `Rows of ${listTitle(audience)} that are left out, each with its cause:`,
    LIMITS.sectionText,
  );
  const sent = await files.sendTo(userId, sentence, {
    name: 'excluded-rows.csv',
    content: () => audiences.exclusionsCsv(audienceId),
  });
  if (!sent.ok) await notify(client, { channelId: userId, userId }, sent.error, logger);
}

/** Opens a form again whose list was ready only after it was closed. */
export async function handleReopen(
  { body, action, ack, client }: ClickArguments,
  compose: Compose,
): Promise<void> {
  await ack();
  const userId = body.user.id;
  const form = compose.closedForms.get(action.value ?? '');
  if (form === undefined) {
    return notify(client, { channelId: userId, userId }, CLOSED_FORM_GONE, compose.logger);
  }
  const opened = await openModal(client, body.trigger_id, composeView(form, compose));
  if (!opened.ok) {
    const sentence = formDidNotOpen(commandOf(form.kind), opened.error);
    await notify(client, { channelId: userId, userId }, sentence, compose.logger);
  }
}
