import type { MessageKind } from '../../messages/kinds.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { RecipientState } from '../../sends/send.ts';
import type { FormValues } from '../kit/forms/read-state.ts';
import type { SendingDependencies, SlackServices } from '../kit/services.ts';

/** What a step gives on to the workflow, as `feature.ts` declares it. */
export interface StepOutputs {
  readonly status: StepStatus;
  readonly meaning: string;
  readonly code?: string | undefined;
  readonly message_id?: string | undefined;
  readonly reference?: string;
}

/**
 * How a step ended, for a workflow to branch on: what became of the one recipient, or `refused` when Herald took
 * nothing (wrong inputs, no right to send), `awaiting_approval` for a bulk send that people decide on, `sending` when it
 * goes on after the step.
 */
type StepStatus =
  | Exclude<RecipientState, 'pending' | 'attempting'>
  | 'refused'
  | 'awaiting_approval'
  | 'sending';

export type WorkflowDependencies = SendingDependencies &
  Pick<SlackServices, 'sends' | 'standings' | 'stopping'>;

/** What a step shall send, before it is parsed by the kind's own form. */
export interface StepMessage {
  readonly kind: MessageKind;
  readonly template?: Template;
  /** By form path, without to whom. */
  readonly values: FormValues;
}

/** Who asks, where the result goes, and what names the run of the step: the same one twice sends once. */
export interface StepRun {
  readonly teamId: string;
  readonly userId: string;
  readonly channelId: string;
  readonly requestKey: string;
}

export function refused(meaning: string): StepOutputs {
  return { status: 'refused', meaning };
}
