import type { ModalView } from '@slack/types';
import { fail, ok, type Result } from '../../../core/result.ts';
import { classifyApiError } from '../../connection/api-error.ts';
import type { ClickArguments, SlackClient } from './arguments.ts';
import { answerClick } from './click.ts';

/**
 * Opens a window, or puts it above the one that is open. Fails with a sentence that says why Slack did not; the caller
 * adds whether anything was sent and what to do.
 */
export async function openModal(
  client: Pick<SlackClient, 'views'>,
  triggerId: string,
  view: ModalView,
  how: 'open' | 'push' = 'open',
): Promise<Result<{ readonly id?: string; readonly hash?: string }, string>> {
  try {
    return ok((await client.views[how]({ trigger_id: triggerId, view })).view ?? {});
  } catch (error) {
    const failure = classifyApiError(error);
    if (failure.kind === 'ambiguous') return fail('Slack did not say whether it opened the form.');
    const code = failure.kind === 'refused' ? failure.code : failure.kind;
    // The same command or click was delivered before: its window is open already.
    if (code === 'exchanged_trigger_id') return ok({});
    return fail(
      code === 'expired_trigger_id'
        ? 'The form could not be opened in the three seconds that Slack allows.'
        : `Slack did not open the form (${code}).`,
    );
  }
}

/** Opens a window for whoever clicked, and says it to them when Slack did not. */
export async function openForClick(
  { client, body, respond }: ClickArguments,
  view: ModalView,
): Promise<void> {
  const opened = await openModal(client, body.trigger_id, view);
  if (!opened.ok) await answerClick({ respond }, `${opened.error} Nothing was changed. Click again.`);
}
