import type { ModalView } from '@slack/types';
import { classifyApiError } from '../../connection/api-error.ts';
import { answerClick, type SendClick } from './click.ts';

/** Opens a modal for whoever clicked, and tells them when Slack did not. */
export async function openModal(args: SendClick, view: ModalView): Promise<void> {
  try {
    await args.client.views.open({ trigger_id: args.body.trigger_id, view });
  } catch (error) {
    const failure = classifyApiError(error);
    const code = failure.kind === 'refused' ? failure.code : failure.kind;
    // The same click, delivered twice: the first has opened it.
    if (code === 'exchanged_trigger_id') return;
    await answerClick(args, `Slack did not open the window (${code}). Nothing was changed. Click once more.`);
  }
}
