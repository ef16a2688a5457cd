import type { Feature } from '../kit/feature/feature.ts';
import { handlerAsks, OPEN } from '../kit/feature/rights.ts';
import type { SlackServices } from '../kit/services.ts';
import { handleFlashStep, handleTemplateStep } from './run-step.ts';
import { offerLists, offerSenders, offerTemplates } from './step.ts';

type Step = NonNullable<Feature<SlackServices>['steps']>[string];

function input(is_required: boolean) {
  return (title: string, description: string) =>
    ({ type: 'string', title, description, is_required }) as const;
}
const needed = input(true);
const optional = input(false);

/** An input whose values are chosen from what another step gives. */
function chosen(from: string, ...inputs: readonly 'template'[]) {
  const more = inputs.map((name) => [name, { value: `{{input_parameters.${name}}}` }]);
  const asked = { query: { value: '{{client.query}}' }, builder: { value: '{{client.builder_context}}' } };
  return {
    dynamic_options: { function: `#/functions/${from}`, inputs: { ...asked, ...Object.fromEntries(more) } },
  } as const;
}

/** A step that nobody runs: Workflow Builder asks it what can be chosen. */
function offers(title: string, handle: Step['handle'], more: Step['inputs'] = {}): Step {
  return {
    ...OPEN,
    title,
    description: 'For Workflow Builder: what can be chosen in the steps that send',
    inputs: {
      builder: { ...needed('Person', 'Who builds the workflow'), type: 'slack#/types/user_context' },
      query: optional('Query', 'What was typed'),
      ...more,
    },
    outputs: { options: { ...needed('Choices', 'What fits'), type: 'slack#/types/options_select' } },
    handle,
  };
}

/** Every step takes these. Who asks cannot be chosen by a workflow's author: Slack fills it in with who ran it. */
const COMMON_INPUTS = {
  user_context: {
    ...needed('Person', 'Who runs the workflow: the message is sent in their name and by their rights'),
    type: 'slack#/types/user_context',
  },
  channel: { ...needed('Channel', 'Where the result is posted'), type: 'slack#/types/channel_id' },
  to: optional(
    'To',
    'One phone number; or several separated by commas, which wait for approval like any bulk send',
  ),
  list: {
    ...optional('Saved list', 'In place of numbers: everybody on it, after approval like any bulk send'),
    ...chosen('offer_lists'),
  },
} as const;

const SENDER = optional('Sender', 'Needed only where several senders are configured');
const LAST_INPUTS = {
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

export const workflowsFeature: Feature<SlackServices> = {
  steps: {
    send_template_message: {
      ...handlerAsks('send'),
      title: 'Send a template message',
      description: 'Send a template message to a customer',
      inputs: {
        ...COMMON_INPUTS,
        template: { ...needed('Template', 'Of Herald’s catalogue'), ...chosen('offer_templates') },
        values: optional(
          'Values',
          'One line for each placeholder, in order; then the link of the header or of each card, and its file name',
        ),
        sender: { ...SENDER, ...chosen('offer_senders', 'template') },
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
        sender: { ...SENDER, ...chosen('offer_senders') },
        ...LAST_INPUTS,
      },
      outputs: OUTPUTS,
      handle: handleFlashStep,
    },
    offer_templates: offers('Templates', offerTemplates),
    offer_senders: offers('Senders', offerSenders, { template: optional('Template', 'What is sent') }),
    offer_lists: offers('Saved lists', offerLists),
  },
};
