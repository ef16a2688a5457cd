import { z } from 'zod';
import type { FunctionExecution } from '../../protocol.ts';
import type { WorkspaceParts } from '../parts.ts';
import { type ApiAnswer, type ApiMethod, apiError, apiMethod, jsonArgument, refusal } from './method.ts';

/** How a step of a workflow ends. Source: https://docs.slack.dev/reference/methods/functions.completeSuccess */
const completeSuccess = apiMethod({
  args: z.object({
    function_execution_id: z.string().min(1),
    outputs: jsonArgument(z.record(z.string(), z.unknown())),
  }),
  run(parts, { function_execution_id: id, outputs }) {
    return end(parts, id, (execution) => {
      const step = parts.state.manifest.functions.find((one) => one.callbackId === execution.callbackId);
      const problems = [
        ...Object.keys(outputs)
          .filter((name) => !step?.outputs.some((output) => output.name === name))
          .map((name) => `output ${name} is not declared`),
        ...(step?.outputs ?? [])
          .filter(({ name, required }) => required && outputs[name] === undefined)
          .map(({ name }) => `missing required output: ${name}`),
        ...(step?.outputs ?? [])
          .filter(({ name, type }) => outputs[name] !== undefined && !isOf(type, outputs[name]))
          .map(({ name, type }) => `output ${name} must be a ${type}`),
      ];
      if (problems.length > 0) return refusal('parameter_validation_failed', problems);
      return { ...execution, status: 'completed', outputs };
    });
  },
});

/** What a step gives as the choices of an input. Source: https://docs.slack.dev/reference/types/options_select-type */
const choices = z.array(
  z.strictObject({
    text: z.strictObject({
      type: z.literal('plain_text'),
      text: z.string().min(1),
      emoji: z.boolean().optional(),
    }),
    value: z.string().min(1),
  }),
);

function isOf(type: string, output: unknown): boolean {
  return type === 'slack#/types/options_select' ? choices.safeParse(output).success : typeof output === type;
}

const completeError = apiMethod({
  args: z.object({ function_execution_id: z.string().min(1), error: z.string().min(1) }),
  run(parts, { function_execution_id: id, error }) {
    return end(parts, id, (execution) => ({ ...execution, status: 'failed', error }));
  },
});

function end(
  parts: WorkspaceParts,
  id: string,
  change: (execution: FunctionExecution) => FunctionExecution | ApiAnswer,
): ApiAnswer {
  const execution = parts.state.executions.get(id);
  if (execution === undefined) return apiError('function_execution_not_found');
  if (execution.status !== 'running') return apiError('execution_not_in_running_state');
  const ended = change(execution);
  if ('ok' in ended) return ended;
  parts.state.putExecution(ended);
  return { ok: true };
}

export const functionMethods: Record<string, ApiMethod> = {
  'functions.completeError': completeError,
  'functions.completeSuccess': completeSuccess,
};
