import { z } from 'zod';
import { fail, ok, type Result } from '../../core/result.ts';
import { LATE } from '../../core/within.ts';
import { KINDS, MESSAGE_KINDS, type MessageKind } from '../../messages/kinds.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { RecipientState } from '../../sends/send.ts';
import type { FormValues } from '../kit/forms/read-state.ts';
import { slackPieces, typedText } from '../kit/message-text/command-text.ts';
import type { SendingDependencies, SlackServices } from '../kit/services.ts';
import { findTemplate } from '../kit/templates/find-template.ts';
import { fitValues } from '../kit/templates/fit-values.ts';
import { CHECK_MEDIA } from '../kit/templates/sentences.ts';
import { TEMPLATE_FIELD } from '../kit/templates/template-picker.ts';
import * as say from './sentences.ts';

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

/** What a workflow leaves open comes as null, empty or not at all; what it gives, in Slack's notation. */
const text = z
  .string()
  .nullish()
  .transform((value) => typedText(slackPieces(value ?? '')).trim());

const common = {
  user_context: z.looseObject({ id: z.string().min(1) }),
  channel: z.string().min(1),
  to: text,
  sender: text,
  stop_on_failure: z
    .boolean()
    .nullish()
    .transform((value) => value ?? false),
};

/**
 * The inputs of "Send a template message", as `feature.ts` declares them. Texts come trimmed, and empty where the
 * workflow gives none; what they must be is for the form of the message to say.
 */
export const templateInputs = z.object({
  ...common,
  template: text,
  kind: text,
  values: text,
});

/** The inputs of "Send flash SMS". */
export const flashInputs = z.object({ ...common, text });

export type CommonInputs = Pick<z.output<typeof flashInputs>, keyof typeof common>;
export type TemplateInputs = z.output<typeof templateInputs>;
export type FlashInputs = z.output<typeof flashInputs>;

/** The message of "Send flash SMS". */
export function flashMessage({ text, sender }: FlashInputs): StepMessage {
  return { kind: 'flash', values: { text, ...senderValue('flash', sender) } };
}

/** The message of "Send a template message": its template looked up, its values in their places; or why there is none. */
export async function templateMessage(
  inputs: TemplateInputs,
  dependencies: WorkflowDependencies,
): Promise<Result<StepMessage, string>> {
  const found = await namedTemplate(inputs, dependencies);
  if (!found.ok) return found;
  const { kind, template } = found.value;
  const lines = inputs.values === '' ? [] : inputs.values.split(/\r\n|\r|\n/);
  const words = lines.map((line) => ({ text: line.trim(), quoted: true, doubtful: false, newLine: false }));
  const { values, notes } = fitValues(template, words);
  // A person would be shown where a link was put and check it; a workflow's author has decided that beforehand.
  const problems = notes.filter((note) => note !== CHECK_MEDIA);
  if (problems.length > 0) return fail(say.inputsRefused(problems));
  const { sender } = inputs;
  return ok({
    kind,
    template,
    values: { [TEMPLATE_FIELD]: template.name, ...values, ...senderValue(kind, sender) },
  });
}

interface NamedTemplate {
  readonly kind: MessageKind;
  readonly template: Template;
}

async function namedTemplate(
  { template: name, kind: wanted }: TemplateInputs,
  dependencies: WorkflowDependencies,
): Promise<Result<NamedTemplate, string>> {
  const possible = MESSAGE_KINDS.filter(
    (kind) => KINDS[kind].templateChannel !== undefined && (wanted === '' || wanted === kind),
  );
  if (possible.length === 0) return fail(say.KIND_WRONG);
  const found: NamedTemplate[] = [];
  for (const kind of possible) {
    const template = await findTemplate(kind, name, dependencies);
    if (template === LATE) return fail(say.CATALOGUE_SLOW);
    if (template !== undefined) found.push({ kind, template });
  }
  const [first, ...others] = found;
  if (first === undefined) return fail(say.templateMissing(name));
  return others.length === 0 ? ok(first) : fail(say.templateAmbiguous(name));
}

function senderValue(kind: MessageKind, sender: string): Readonly<Record<string, string>> {
  return sender === '' ? {} : { [KINDS[kind].senderField]: sender };
}
