import { classifyApiError } from '../../connection/api-error.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { listTitle } from '../../kit/cards/list-words.ts';
import { type TellClient, tell } from '../../kit/clicks/tell.ts';
import type { Compose } from '../compose.ts';
import { composeView } from '../form/form-view.ts';
import type { CommandClient } from '../line/command-arguments.ts';
import { commandOf } from '../line/help.ts';
import { CLOSED_FORM_GONE, formDidNotOpen, LIST_GONE } from '../sentences.ts';

/** What the handler of a button uses of what Bolt hands it. */
export interface ButtonArguments {
  readonly body: { readonly user: { readonly id: string }; readonly trigger_id: string };
  readonly action: { readonly value?: string };
  readonly ack: () => Promise<void>;
  readonly client: TellClient & CommandClient;
}

/** Sends the rows that were left out, each with its cause, to the person who asks. */
export async function handleExclusions(
  { body, action, ack, client }: ButtonArguments,
  { audiences, files, logger }: Compose,
): Promise<void> {
  await ack();
  const audienceId = action.value ?? '';
  const userId = body.user.id;
  const audience = await audiences.find(audienceId);
  if (audience === undefined) return tell(client, { channelId: userId, userId }, LIST_GONE, logger);
  const sentence = escapeMrkdwn(
    `Rows of ${listTitle(audience)} that are left out, each with its cause:`,
    LIMITS.sectionText,
  );
  const sent = await files.sendTo(userId, sentence, {
    name: 'excluded-rows.csv',
    content: () => audiences.exclusionsCsv(audienceId),
  });
  if (!sent.ok) await tell(client, { channelId: userId, userId }, sent.error, logger);
}

/** Opens a form again whose list was ready only after it was closed. */
export async function handleReopen(
  { body, action, ack, client }: ButtonArguments,
  compose: Compose,
): Promise<void> {
  await ack();
  const userId = body.user.id;
  const form = compose.closedForms.get(action.value ?? '');
  if (form === undefined) {
    return tell(client, { channelId: userId, userId }, CLOSED_FORM_GONE, compose.logger);
  }
  try {
    await client.views.open({ trigger_id: body.trigger_id, view: composeView(form, compose) });
  } catch (error) {
    const failure = classifyApiError(error);
    const code = failure.kind === 'refused' ? failure.code : failure.kind;
    await tell(
      client,
      { channelId: userId, userId },
      formDidNotOpen(commandOf(form.kind), code),
      compose.logger,
    );
  }
}
