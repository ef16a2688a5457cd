import { fail, ok, type Result } from '../../core/result.ts';
import { LATE } from '../../core/within.ts';
import { KINDS, MESSAGE_KINDS, type MessageKind } from '../../messages/kinds.ts';
import type { Template } from '../../messages/templates/template.ts';
import { findTemplate } from '../kit/templates/find-template.ts';
import { fitValues } from '../kit/templates/fit-values.ts';
import { CHECK_MEDIA } from '../kit/templates/sentences.ts';
import { TEMPLATE_FIELD } from '../kit/templates/template-picker.ts';
import type { FlashInputs, TemplateInputs } from './inputs.ts';
import * as say from './sentences.ts';
import type { StepMessage, WorkflowDependencies } from './step.ts';

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
