import type { Feature, ParameterSurface } from '../kit/feature/feature.ts';
import { handlerAsks } from '../kit/feature/rights.ts';
import { handleFlashStep, handleTemplateStep } from './run-step.ts';
import type { WorkflowDependencies } from './step.ts';

type Inputs = Readonly<Record<string, ParameterSurface>>;

/** What every step takes. Who asks cannot be chosen by a workflow's author: Slack fills it in with who ran it. */
const COMMON_INPUTS = {
  user_context: {
    type: 'slack#/types/user_context',
    title: 'Person',
    description: 'Who runs the workflow: the message is sent in their name and by their rights',
    is_required: true,
  },
  channel: {
    type: 'slack#/types/channel_id',
    title: 'Channel',
    description: 'Where the result is posted',
    is_required: true,
  },
  to: {
    type: 'string',
    title: 'To',
    description:
      'One phone number; or several separated by commas, which wait for approval like any bulk send',
    is_required: true,
  },
} as const satisfies Inputs;

const LAST_INPUTS = {
  sender: {
    type: 'string',
    title: 'Sender',
    description: 'Needed only where several senders are configured',
    is_required: false,
  },
  stop_on_failure: {
    type: 'boolean',
    title: 'Stop the workflow on failure',
    description: 'Otherwise the workflow goes on, and can look at the status',
    is_required: false,
  },
} as const satisfies Inputs;

const OUTPUTS = {
  status: {
    type: 'string',
    title: 'Status',
    description: 'accepted, rejected, not_sent, unknown, skipped, refused, awaiting_approval or sending',
    is_required: true,
  },
  code: {
    type: 'string',
    title: 'Code',
    description: 'The code that the messaging service gave; empty without one',
    is_required: false,
  },
  meaning: {
    type: 'string',
    title: 'Meaning',
    description: 'What happened, whether anything was sent, and what to do next',
    is_required: true,
  },
  message_id: {
    type: 'string',
    title: 'Message id',
    description: 'The messaging service’s own; empty without one',
    is_required: false,
  },
  reference: {
    type: 'string',
    title: 'Reference',
    description: 'Herald’s own, for /sends; empty when nothing was begun',
    is_required: false,
  },
} as const satisfies Inputs;

/** The steps of Workflow Builder. */
export const workflowsFeature: Feature<WorkflowDependencies> = {
  steps: {
    send_template_message: {
      ...handlerAsks('send'),
      title: 'Send a template message',
      description: 'Send a chat-app or RCS template message to a customer',
      inputs: {
        ...COMMON_INPUTS,
        template: {
          type: 'string',
          title: 'Template',
          description: 'Its name in Herald’s catalogue',
          is_required: true,
        },
        kind: {
          type: 'string',
          title: 'Kind',
          description: 'chatapp or rcs; needed only where both have a template of this name',
          is_required: false,
        },
        values: {
          type: 'string',
          title: 'Values',
          description:
            'One line for each placeholder, in order; then the link of the header or of each card, and its file name',
          is_required: false,
        },
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
        text: { type: 'string', title: 'Text', description: 'What the phone shows', is_required: true },
        ...LAST_INPUTS,
      },
      outputs: OUTPUTS,
      handle: handleFlashStep,
    },
  },
};
