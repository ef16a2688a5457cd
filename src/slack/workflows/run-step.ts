import type { z } from 'zod';
import { ok, type Result } from '../../core/result.ts';
import { KINDS, whyUnusable } from '../../messages/kinds.ts';
import { parseBulkMessage, parseSubmission } from '../../messages/parse-submission.ts';
import type { Issue } from '../../messages/submission.ts';
import type { Audience } from '../../sends/audience.ts';
import { type Failure, MAY_HAVE_BEEN_SENT } from '../../sends/outcome.ts';
import { isGivenUp, waitAfterRefusal } from '../../sends/refused-posts.ts';
import type { SendReport } from '../../sends/send.ts';
import type { SubmitRequest } from '../../sends/service.ts';
import { UNENDED } from '../../sends/states.ts';
import { classifyApiError, retryAfterOf } from '../connection/api-error.ts';
import { messageText } from '../kit/cards/message-blocks.ts';
import type { StepArguments } from '../kit/feature/feature.ts';
import { formContext, initialValues } from '../kit/forms/form-blocks.ts';
import { unknownEmojiNote } from '../kit/message-text/emoji.ts';
import { notAllowed, refusalFor } from '../kit/people/access.ts';
import type { SlackServices } from '../kit/services.ts';
import * as say from './sentences.ts';
import {
  type CommonInputs,
  flashInputs,
  refused,
  type StepMessage,
  type StepOutputs,
  senderValue,
  templateInputs,
  templateMessage,
} from './step.ts';

export const handleTemplateStep = runStep(templateInputs, templateMessage);
export const handleFlashStep = runStep(flashInputs, async ({ text, sender }) =>
  ok<StepMessage>({ kind: 'flash', values: { text, ...senderValue('flash', sender) } }),
);

/**
 * A step is acknowledged once its send is stored, so that Slack delivers it again when Herald dies before; a run that
 * is delivered again sends nothing more. The workflow can branch on what happened to it, unless its author wants a failure
 * to stop the workflow.
 */
function runStep<Inputs extends CommonInputs>(
  declared: z.ZodType<Inputs>,
  messageOf: (inputs: Inputs, services: SlackServices) => Promise<Result<StepMessage, string>>,
) {
  return async ({ event, body, inputs, ack, client }: StepArguments, services: SlackServices) => {
    const { function_execution_id: executionId } = event;
    const { data } = declared.safeParse(inputs);
    try {
      const run = { teamId: body.team_id, executionId };
      const taken =
        data === undefined
          ? refused(say.INPUTS_WRONG)
          : await take(data, await messageOf(data, services), run, services);
      await ack();
      const outputs = typeof taken === 'function' ? await taken() : taken;
      const stops = data?.stop_on_failure === true && !GOES_ON.has(outputs.status);
      await complete(client, executionId, stops ? { error: outputs.meaning } : { outputs }, services);
    } catch (error) {
      await complete(client, executionId, { error: say.STEP_BROKE }, services);
      throw error;
    }
  };
}

/** Nothing went wrong, as far as is known. */
const GOES_ON: ReadonlySet<StepOutputs['status']> = new Set(['accepted', 'awaiting_approval', 'sending']);

/** The outcome of a send that was taken: there at once, or when it has ended. */
type Outcome = StepOutputs | (() => Promise<StepOutputs>);

/**
 * Takes a step's message for one number, for several or for a saved list. Resolves once it is stored or refused, so that Slack can
 * hear that the step arrived.
 */
async function take(
  { user_context: { id: userId }, channel: channelId, to, list }: CommonInputs,
  read: Result<StepMessage, string>,
  { teamId, executionId }: { teamId: string; executionId: string },
  services: SlackServices,
): Promise<Outcome> {
  if (!read.ok) return refused(read.error);
  const message = read.value;
  const refusal = await whyRefused({ userId, channelId }, message, services);
  if (refusal !== undefined) return refused(refusal);
  const asked = { origin: { teamId, userId, channelId }, requestKey: `workflow:${executionId}` };
  const numbers = to.split(/[\n\r,;]+/).filter((number) => number.trim() !== '');
  if (list === '' && numbers.length <= 1) return takeOne(message, to, asked, services);
  if (list === '') return takeMany(message, to, undefined, asked, services);
  if (to !== '') return refused(say.TO_AND_LIST);
  const saved = await services.audiences.findByName(list);
  if (saved === undefined) return refused(say.listMissing(list));
  return takeMany(message, to, saved, asked, services);
}

async function whyRefused(
  { userId, channelId }: { readonly userId: string; readonly channelId: string },
  { kind }: StepMessage,
  services: SlackServices,
): Promise<string | undefined> {
  const standing = await services.standings.of(userId);
  if (standing === 'unknown') return say.PERSON_UNKNOWN;
  if (standing === 'other_workspace' || standing === 'gone') return say.PERSON_FROM_ELSEWHERE;
  const unusable = whyUnusable(kind, services.senders);
  if (unusable !== undefined) return notAllowed(unusable);
  return refusalFor(kind, userId, services, { channelId, chosen: true });
}

/** Who asks, where the result goes, and the run of the step: the same one twice sends once. */
type Asked = Pick<SubmitRequest, 'origin' | 'requestKey'>;

async function takeOne(
  { kind, template, values }: StepMessage,
  to: string,
  asked: Asked,
  services: SlackServices,
): Promise<Outcome> {
  const context = formContext(services, template);
  const defaults = initialValues(KINDS[kind].form(context));
  const parsed = parseSubmission(kind, context, { ...defaults, ...values, to });
  if (!parsed.ok) return refused(sentenceOf(parsed.error));
  const result = await services.sends.submit({ ...parsed.value, ...asked });
  if (result.state === 'refused') return notTaken(result, result.cause === 'unsure');
  if (result.state === 'waits')
    return { ...notTaken(result), status: 'awaiting_approval', reference: result.send.id };
  // A repeated run gets what became of the first.
  const note = unknownEmojiNote(messageText(parsed.value.message, template));
  return async () => {
    const outputs = await follow(result.send.id, services);
    return { ...outputs, meaning: sentences(outputs.meaning, note) };
  };
}

async function takeMany(
  { kind, template, values }: StepMessage,
  to: string,
  saved: Audience | undefined,
  asked: Asked,
  services: SlackServices,
): Promise<StepOutputs> {
  const context = { ...formContext(services, template), recipients: 'many' as const };
  const defaults = initialValues(KINDS[kind].form(context));
  const parsed = parseBulkMessage(kind, context, { ...defaults, ...values }, saved?.columns ?? []);
  if (!parsed.ok) return refused(sentenceOf(parsed.error));
  const list =
    saved === undefined
      ? await services.audiences.fromNumbers(to, asked.origin.userId)
      : { state: 'ready' as const, audience: saved };
  if (list.state === 'refused') return refused(`${list.what} ${list.next}`);
  const { counts, id: audienceId } = list.audience;
  if (saved === undefined && counts.invalid > 0) return refused(say.numbersRefused(counts.invalid));
  if (counts.valid === 0) return refused(say.NOBODY_LEFT);
  const result = await services.bulkSends.request({ message: parsed.value, audienceId, ...asked });
  if (result.state === 'refused') return notTaken(result, result.isUnsure);
  const waits = result.send.state === 'awaiting_approval';
  return {
    ...refused(waits ? say.BULK_WAITS : say.BULK_SENDING),
    status: waits ? 'awaiting_approval' : 'sending',
    reference: result.send.id,
  };
}

function notTaken({ what, next }: Pick<Failure, 'what' | 'next'>, isUnsure = false): StepOutputs {
  return { ...refused(`${what} ${next}`), ...(isUnsure && { status: 'unknown' }) };
}

function sentenceOf(issues: readonly Issue[]): string {
  return say.inputsRefused(issues.map((issue) => issue.message));
}

const LOOK_FIRST_MS = 250;
const LOOK_AT_MOST_EVERY_MS = 5_000;
/** A send may wait for the service to come back; the workflow need not wait as long. */
const FOLLOW_MS = 10 * 60_000;

/** Looks up what becomes of a send to one recipient, less and less often until it has ended. */
async function follow(sendId: string, { sends, clock, stopping }: SlackServices): Promise<StepOutputs> {
  const until = clock.monotonic() + FOLLOW_MS;
  let waitMs = LOOK_FIRST_MS;
  while (clock.monotonic() < until && !stopping.aborted) {
    const report = await sends.report(sendId);
    if (report !== undefined && !UNENDED.includes(report.send.state)) return outputsOf(report);
    await clock.sleep(waitMs, stopping);
    waitMs = Math.min(waitMs * 2, LOOK_AT_MOST_EVERY_MS);
  }
  return { ...refused(say.STILL_SENDING), status: 'sending', reference: sendId };
}

function outputsOf({ send, recipient }: SendReport): StepOutputs {
  const { state, failure, messageId } = recipient;
  // The send may have ended before its recipient was tried.
  const status = state === 'pending' || state === 'attempting' ? 'not_sent' : state;
  const mayHave = MAY_HAVE_BEEN_SENT[status === 'skipped' ? 'not_sent' : status];
  const meaning = sentences(failure?.what, said(failure), mayHave, failure?.next);
  return { status, meaning, code: failure?.code, message_id: messageId, reference: send.id };
}

/** The service's own words, foreign as they are, without what Slack reads as a mention or a link. */
function said(failure: Failure | undefined): string | undefined {
  const words = failure?.explanation?.replaceAll('<', '‹').replaceAll('>', '›');
  return words && `The service says: “${words}”.`;
}

function sentences(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(' ');
}

type Ending = { readonly outputs: StepOutputs } | { readonly error: string };

/** Completing again what is complete changes nothing, so it is repeated for a day; what Slack refuses, so often. */
const MOST_REFUSALS = 5;
const COMPLETE_AGAIN_MS = 2_000;
/** Slack's words for a step that was completed before, or whose workflow is gone. */
const NOTHING_TO_COMPLETE: ReadonlySet<string> = new Set([
  'execution_not_in_running_state',
  'function_execution_not_found',
]);
/** Slack's word for outputs that are not as the app's manifest declares them. */
const OUTPUTS_WRONG = 'parameter_validation_failed';

/** A result that Slack refuses to the last becomes an error: a step that ends in neither way hangs for ever. */
async function complete(
  client: StepArguments['client'],
  executionId: string,
  result: Ending,
  { clock, logger, stopping }: SlackServices,
): Promise<void> {
  let ending = result;
  let refusals = 0;
  const since = clock.monotonic();
  for (let tries = 1; !isGivenUp(tries, since, clock.monotonic()); tries += 1) {
    try {
      if ('error' in ending) {
        await client.functions.completeError({ function_execution_id: executionId, error: ending.error });
      } else {
        const outputs = { ...ending.outputs };
        await client.functions.completeSuccess({ function_execution_id: executionId, outputs });
      }
      return;
    } catch (error) {
      const failure = classifyApiError(error);
      if (failure.kind === 'refused' && NOTHING_TO_COMPLETE.has(failure.code)) return;
      logger.warn({ executionId, failure, tries }, 'Slack did not take the result of a workflow’s step');
      if (failure.kind === 'refused') refusals += 1;
      const isFinal =
        failure.kind === 'refused' && (failure.code === OUTPUTS_WRONG || refusals === MOST_REFUSALS - 1);
      if (isFinal && 'outputs' in ending)
        ending = { error: say.resultRefused(ending.outputs.meaning, failure.code) };
      else if (stopping.aborted || refusals === MOST_REFUSALS) break;
      else await clock.sleep(waitAfterRefusal(tries, retryAfterOf(failure, COMPLETE_AGAIN_MS)), stopping);
    }
  }
  logger.error({ executionId }, 'a workflow did not hear what became of its step');
}
