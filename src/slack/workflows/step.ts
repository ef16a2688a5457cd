import { z } from 'zod';
import { fail, ok, type Result } from '../../core/result.ts';
import { LATE, within } from '../../core/within.ts';
import { KINDS, MESSAGE_KINDS, type MessageKind } from '../../messages/kinds.ts';
import type { Template } from '../../messages/templates/template.ts';
import type { RecipientState } from '../../sends/send.ts';
import { classifyApiError } from '../connection/api-error.ts';
import { LIMITS } from '../connection/limits.ts';
import { option } from '../kit/blocks/blocks.ts';
import type { StepArguments } from '../kit/feature/feature.ts';
import { formContext, leavesOf, optionsOf } from '../kit/forms/form-blocks.ts';
import type { FormValues } from '../kit/forms/read-state.ts';
import { slackPieces, typedText } from '../kit/message-text/command-text.ts';
import type { SlackServices } from '../kit/services.ts';
import { CATALOGUE_MS, findTemplate, searchTemplates } from '../kit/templates/find-template.ts';
import { CHECK_MEDIA, fitValues } from '../kit/templates/fit-values.ts';
import { TEMPLATE_FIELD, templateOption } from '../kit/templates/template-picker.ts';
import * as say from './sentences.ts';

/** A step gives these on to the workflow, as `feature.ts` declares it. */
export interface StepOutputs {
  /**
   * How the step ended, for a workflow to branch on: what became of the one recipient, or `refused` when Herald took
   * nothing (wrong inputs, no right to send), `awaiting_approval` for a bulk send that people decide on, `sending` when it
   * goes on after the step.
   */
  readonly status:
    | Exclude<RecipientState, 'pending' | 'attempting'>
    | 'refused'
    | 'awaiting_approval'
    | 'sending';
  readonly meaning: string;
  readonly code?: string | undefined;
  readonly message_id?: string | undefined;
  readonly reference?: string;
}

/** The message that a step shall send, before the kind's own form parses it. */
export interface StepMessage {
  readonly kind: MessageKind;
  readonly template?: Template;
  /** The values of the form without the recipient, by form path. */
  readonly values: FormValues;
}

export function refused(meaning: string): StepOutputs {
  return { status: 'refused', meaning };
}

/** An input that a workflow leaves open comes as null, empty or not at all; one that it gives, in Slack's notation. */
const text = z
  .string()
  .nullish()
  .transform((value) => typedText(slackPieces(value ?? '')).trim());

const common = {
  user_context: z.looseObject({ id: z.string().min(1) }),
  channel: z.string().min(1),
  to: text,
  list: text,
  sender: text,
  stop_on_failure: z.boolean().nullish(),
};

/**
 * The inputs of "Send a template message", as `feature.ts` declares them. Texts come trimmed, and empty where the
 * workflow gives none; what they must be is for the form of the message to say.
 */
export const templateInputs = z.object({ ...common, template: text, values: text });

/** The inputs of "Send flash SMS". */
export const flashInputs = z.object({ ...common, text });

export type CommonInputs = Pick<z.output<typeof flashInputs>, keyof typeof common>;

/** The message of "Send a template message": its template looked up, its values in their places; or why there is none. */
export async function templateMessage(
  { template: chosen, values: typed, sender }: z.output<typeof templateInputs>,
  services: SlackServices,
): Promise<Result<StepMessage, string>> {
  const found = await namedTemplate(chosen, services);
  if (!found.ok) return found;
  const { kind, template } = found.value;
  const lines = typed === '' ? [] : typed.split(/\r\n|\r|\n/);
  const words = lines.map((line) => ({ text: line.trim(), quoted: true, doubtful: false, newLine: false }));
  const { values, notes } = fitValues(template, words);
  // A person would be shown where a link was put and check it; a workflow's author has decided that beforehand.
  const problems = notes.filter((note) => note !== CHECK_MEDIA);
  if (problems.length > 0) return fail(say.inputsRefused(problems));
  const all = { [TEMPLATE_FIELD]: template.name, ...values, ...senderValue(kind, sender) };
  return ok({ kind, template, values: all });
}

const TEMPLATE_KINDS = MESSAGE_KINDS.filter((kind) => KINDS[kind].templateChannel !== undefined);

/** As it was chosen, with its kind before the name; or a name alone, from a workflow's variable. */
function splitTemplate(chosen: string): { readonly kind?: MessageKind; readonly name: string } {
  const kind = TEMPLATE_KINDS.find((one) => chosen.startsWith(`${one}:`));
  return kind === undefined ? { name: chosen } : { kind, name: chosen.slice(kind.length + 1) };
}

async function namedTemplate(chosen: string, services: SlackServices) {
  const { kind: wanted, name } = splitTemplate(chosen);
  const found: { readonly kind: MessageKind; readonly template: Template }[] = [];
  // Among kinds that share templates, a name alone means the one that is called as they are.
  const usual = TEMPLATE_KINDS.filter((kind) => KINDS[kind].templateChannel === kind);
  for (const kind of wanted === undefined ? usual : [wanted]) {
    const template = await findTemplate(kind, name, services);
    if (template === LATE) return fail(say.CATALOGUE_SLOW);
    if (template !== undefined) found.push({ kind, template });
  }
  const [first, ...others] = found;
  if (first === undefined) return fail(say.templateMissing(name));
  return others.length === 0 ? ok(first) : fail(say.templateAmbiguous(name));
}

export function senderValue(kind: MessageKind, sender: string): Readonly<Record<string, string>> {
  return sender === '' ? {} : { [KINDS[kind].senderField]: sender };
}

/*
 * Workflow Builder offers these while somebody builds a workflow. Slack runs them as steps of their own and shows what they
 * give as the choices of an input: https://docs.slack.dev/tools/bolt-python/concepts/custom-steps-dynamic-options
 */

type Option = ReturnType<typeof option>;

const AUDIENCES_OFFERED = 1000;

const asked = z.object({ builder: z.looseObject({ id: z.string() }), query: text, template: text });

export const offerTemplates = offering(async ({ query }, services) => {
  const found = await Promise.all(
    TEMPLATE_KINDS.map(async (kind) => {
      const templates = await searchTemplates(kind, query, LIMITS.selectOptions, services);
      if (templates === LATE) return [];
      const title = KINDS[kind].title;
      return templates.map((one) => ({
        ...(kind === one.channel ? templateOption(one) : option(`${title}: ${one.label} (${one.name})`, '')),
        value: `${kind}:${one.name}`,
      }));
    }),
  );
  return found.flat();
});

/** Offers senders of the kind of the template that was chosen; where a step has none, of flash SMS. */
export const offerSenders = offering(async ({ query, template }, services) => {
  const kind = template === '' ? 'flash' : (splitTemplate(template).kind ?? 'chatapp');
  const { form, senderField } = KINDS[kind];
  const senders = leavesOf(form(formContext(services))).filter(({ path }) => path === senderField);
  return named(senders.flatMap(optionsOf), query);
});

export const offerLists = offering(async ({ query }, { audiences, clock }) => {
  const saved = await within(audiences.list(AUDIENCES_OFFERED), CATALOGUE_MS, clock);
  const names = saved === LATE ? [] : saved.flatMap(({ name }) => name ?? []);
  return named(
    names.map((name) => option(name, name)),
    query,
  );
});

function named(options: readonly Option[], query: string): readonly Option[] {
  return options.filter(({ text }) => text.text.toLowerCase().includes(query.toLowerCase()));
}

/** Completed before it is acknowledged, as Slack asks for it: the builder waits. To strangers and guests nothing is offered. */
function offering(
  search: (question: z.output<typeof asked>, services: SlackServices) => Promise<readonly Option[]>,
) {
  return async ({ event, inputs, ack, client }: StepArguments, services: SlackServices): Promise<void> => {
    const question = asked.safeParse(inputs);
    const isMember = question.success && (await services.standings.of(question.data.builder.id)) === 'member';
    const options = isMember ? await search(question.data, services) : [];
    const outputs = { options: options.slice(0, LIMITS.selectOptions) };
    await client.functions
      .completeSuccess({ function_execution_id: event.function_execution_id, outputs })
      .catch((error: unknown) => {
        services.logger.warn({ failure: classifyApiError(error) }, 'Slack took no choices for a workflow');
      });
    await ack();
  };
}
