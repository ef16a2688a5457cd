import { ok, type Result } from '../../core/result.ts';
import { whyUnusable } from '../../messages/kinds.ts';
import { isGivenUp, waitAfterRefusal } from '../../sends/refused-posts.ts';
import { classifyApiError, retryAfterOf } from '../connection/api-error.ts';
import type { StepArguments } from '../kit/feature/feature.ts';
import { notAllowed, refusalFor } from '../kit/people/refusal.ts';
import { takeStep } from './send-step.ts';
import * as say from './sentences.ts';
import {
  type CommonInputs,
  flashInputs,
  flashMessage,
  refused,
  type StepMessage,
  type StepOutputs,
  type StepRun,
  templateInputs,
  templateMessage,
  type WorkflowDependencies,
} from './step.ts';

interface ReadStep {
  readonly common: CommonInputs;
  readonly message: () => Promise<Result<StepMessage, string>>;
}

/** Undefined for inputs that are not as declared. */
type ReadInputs = (inputs: unknown, dependencies: WorkflowDependencies) => ReadStep | undefined;

export const handleTemplateStep = runStep((inputs, dependencies) => {
  const parsed = templateInputs.safeParse(inputs);
  if (!parsed.success) return undefined;
  return { common: parsed.data, message: () => templateMessage(parsed.data, dependencies) };
});

export const handleFlashStep = runStep((inputs) => {
  const parsed = flashInputs.safeParse(inputs);
  if (!parsed.success) return undefined;
  return { common: parsed.data, message: async () => ok(flashMessage(parsed.data)) };
});

/**
 * A step is acknowledged once its send is stored, so that Slack delivers it again when Herald dies before; a run that
 * is delivered again sends nothing more. What happened to it is an output for the workflow to branch on, unless its
 * author wants a failure to stop the workflow.
 */
function runStep(read: ReadInputs) {
  return async (
    { event, body, inputs, ack, client }: StepArguments,
    dependencies: WorkflowDependencies,
  ): Promise<void> => {
    const { function_execution_id: executionId } = event;
    const step = read(inputs, dependencies);
    try {
      const taken =
        step === undefined
          ? async () => refused(say.INPUTS_WRONG)
          : await take(step, { teamId: body.team_id, executionId }, dependencies);
      await ack();
      const outputs = await taken();
      const stops = step?.common.stop_on_failure === true && !GOES_ON.has(outputs.status);
      await complete(client, executionId, stops ? { error: outputs.meaning } : { outputs }, dependencies);
    } catch (error) {
      await complete(client, executionId, { error: say.STEP_BROKE }, dependencies);
      throw error;
    }
  };
}

/** Nothing went wrong, as far as is known. */
const GOES_ON: ReadonlySet<StepOutputs['status']> = new Set(['accepted', 'awaiting_approval', 'sending']);

async function take(
  { common, message }: ReadStep,
  { teamId, executionId }: { teamId: string; executionId: string },
  dependencies: WorkflowDependencies,
): Promise<() => Promise<StepOutputs>> {
  const { user_context: person, channel: channelId, to } = common;
  const read = await message();
  if (!read.ok) return async () => refused(read.error);
  const refusal = await whyRefused({ userId: person.id, channelId }, read.value, dependencies);
  if (refusal !== undefined) return async () => refused(refusal);
  const run: StepRun = { teamId, userId: person.id, channelId, requestKey: `workflow:${executionId}` };
  return takeStep(read.value, to, run, dependencies);
}

async function whyRefused(
  { userId, channelId }: { readonly userId: string; readonly channelId: string },
  { kind }: StepMessage,
  dependencies: WorkflowDependencies,
): Promise<string | undefined> {
  const standing = await dependencies.standings.of(userId);
  if (standing === 'unknown') return say.PERSON_UNKNOWN;
  if (standing === 'other_workspace' || standing === 'gone') return say.PERSON_FROM_ELSEWHERE;
  const unusable = whyUnusable(kind, dependencies.senders);
  if (unusable !== undefined) return notAllowed(unusable);
  return refusalFor(kind, userId, dependencies, { channelId, chosen: true });
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
  { clock, logger, stopping }: WorkflowDependencies,
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
  logger.error({ executionId }, 'a workflow was not told what became of its step');
}
