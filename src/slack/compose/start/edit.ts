import { LATE } from '../../../core/within.ts';
import { kindOf } from '../../../messages/kinds.ts';
import type { Send } from '../../../sends/send.ts';
import { openModal } from '../../kit/clicks/answering.ts';
import type { SlackClient } from '../../kit/clicks/arguments.ts';
import { findTemplate } from '../../kit/templates/find-template.ts';
import { TEMPLATE_FIELD } from '../../kit/templates/template-picker.ts';
import type { Compose } from '../compose.ts';
import { type ComposeForm, composeView } from '../form/form-view.ts';
import { commandOf } from '../line/help.ts';
import { counted } from '../list/counted.ts';
import { listInTime } from '../list/list.ts';
import { SCHEDULE_FIELD } from '../list/review-blocks.ts';
import * as say from '../sentences.ts';

/**
 * Opens the form of a bulk send that was taken back, holding all that it was asked for with. Submitting it makes a
 * new send. Returns a sentence when the form could not be opened.
 */
export async function openForEditing(
  send: Send,
  triggerId: string,
  client: Pick<SlackClient, 'views'>,
  compose: Compose,
): Promise<string | undefined> {
  const { kind, origin, audience, startAt } = send;
  const list = await listInTime({ audienceId: audience?.id }, compose);
  const filled = await formWithMessage(
    send,
    {
      channelId: origin.channelId,
      list,
      values: startAt === undefined ? {} : { [SCHEDULE_FIELD]: Math.floor(startAt / 1000) },
      notes: [list === undefined ? say.LIST_GONE : say.CHECK_LIST],
    },
    compose,
  );
  const { form, later } = await counted(filled, send.id, compose);
  const opened = await openModal(client, triggerId, composeView(form, compose));
  if (!opened.ok) return say.formDidNotOpen(commandOf(kind), opened.error);
  const { id: viewId = '', hash = '' } = opened.value;
  // Whoever has changed something since has had it counted by that. Nobody waits for it, or hears that it was not shown.
  const event = { viewId, hash, at: '0' };
  void later
    ?.then((full) => full && compose.views.refresh(client, event, async () => composeView(full, compose)))
    .catch(() => undefined);
  return undefined;
}

/** The form of a send, holding its message but for what is secret in it. */
export async function formWithMessage(
  { kind, message }: Send,
  { values, notes = [], ...form }: Omit<ComposeForm, 'kind' | 'template'>,
  compose: Compose,
): Promise<ComposeForm> {
  const { formValues, needsSecret } = kindOf(message);
  const { [TEMPLATE_FIELD]: name, ...held } = formValues(message);
  const template = await findTemplate(kind, name, compose);
  const isGone = template === undefined && typeof name === 'string';
  // The password may be anywhere in a text, so all of it was covered.
  const covered = needsSecret(message) ? { text: undefined } : {};
  return {
    ...form,
    kind,
    template: template === LATE ? undefined : template,
    values: { ...held, ...covered, ...values },
    notes: [
      ...(template === LATE ? [say.CATALOGUE_SLOW_ON_OPENING] : []),
      ...(isGone ? [say.templateGone(name)] : []),
      ...notes,
    ],
  };
}
