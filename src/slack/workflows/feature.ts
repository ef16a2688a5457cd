import type { Feature } from '../kit/feature/feature.ts';
import { handlerAsks } from '../kit/feature/rights.ts';
import { handleFlashStep, handleTemplateStep } from './run-step.ts';
import type { WorkflowDependencies } from './step.ts';

function needed(title: string, description: string) {
  return { type: 'string', title, description, is_required: true } as const;
}

function optional(title: string, description: string) {
  return { type: 'string', title, description, is_required: false } as const;
}

/** What every step takes. Who asks cannot be chosen by a workflow's author: Slack fills it in with who ran it. */
const COMMON_INPUTS = {
  user_context: {
    ...needed('Person', 'Who runs the workflow: the message is sent in their name and by their rights'),
    type: 'slack#/types/user_context',
  },
  channel: { ...needed('Channel', 'Where the result is posted'), type: 'slack#/types/channel_id' },
  to: needed(
    'To',
    'One phone number; or several separated by commas, which wait for approval like any bulk send',
  ),
} as const;

const LAST_INPUTS = {
  sender: optional('Sender', 'Needed only where several senders are configured'),
  stop_on_failure: {
    ...optional('Stop the workflow on failure', 'Otherwise the workflow goes on, and can look at the status'),
    type: 'boolean',
  },
} as const;

const OUTPUTS = {
  status: needed(
    'Status',
    'accepted, rejected, not_sent, unknown, skipped, refused, awaiting_approval or sending',
  ),
  code: optional('Code', 'The code that the messaging service gave; empty without one'),
  meaning: needed('Meaning', 'What happened, whether anything was sent, and what to do next'),
  message_id: optional('Message id', 'The messaging service’s own; empty without one'),
  reference: optional('Reference', 'Herald’s own, for /sends; empty when nothing was begun'),
};

/** The steps of Workflow Builder. */
export const workflowsFeature: Feature<WorkflowDependencies> = {
  steps: {
    send_template_message: {
      ...handlerAsks('send'),
      title: 'Send a template message',
      description: 'Send a chat-app or RCS template message to a customer',
      inputs: {
        ...COMMON_INPUTS,
        template: needed('Template', 'Its name in Herald’s catalogue'),
        kind: optional('Kind', 'chatapp or rcs; needed only where both have a template of this name'),
        values: optional(
          'Values',
          'One line for each placeholder, in order; then the link of the header or of each card, and its file name',
        ),
        ...LAST_INPUTS,
      },
      outputs: OUTPUTS,
      handle: handleTemplateStep,
    },
    send_flash_sms: {
      ...handlerAsks('send'),
      title: 'Send flash SMS',
      description: 'Send a flash SMS, shown at once and not kept',
      inputs: {
        ...COMMON_INPUTS,
        text: needed('Text', 'What the phone shows'),
        ...LAST_INPUTS,
      },
      outputs: OUTPUTS,
      handle: handleFlashStep,
    },
  },
};
