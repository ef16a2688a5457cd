import type { Act, ActResult, FunctionExecution, SandboxFunction } from '../../protocol.ts';
import { newId, newToken } from '../identifiers.ts';
import type { WorkspaceParts } from '../parts.ts';
import { toldPlain } from '../told-text.ts';

/**
 * A person runs a workflow of one step. Slack fills in who that is, and checks the inputs before it tells the app.
 * Source: https://docs.slack.dev/reference/events/function_executed
 */
export async function runWorkflowStep(
  parts: WorkspaceParts,
  act: Extract<Act, { type: 'workflow_step' }>,
): Promise<ActResult> {
  const step = parts.state.manifest.functions.find(({ callbackId }) => callbackId === act.callbackId);
  if (step === undefined)
    return { ok: false, error: 'unknown_function', message: 'The app has no such step.' };
  const problem = problemOf(step, act.inputs);
  if (problem !== undefined) return { ok: false, error: 'parameter_validation_failed', message: problem };
  const execution: FunctionExecution = {
    id: `Fx${newId('F').slice(1)}`,
    callbackId: step.callbackId,
    by: act.as,
    startedAt: parts.clock.now(),
    inputs: { ...toldInputs(step, act.inputs), ...personOf(step, act.as) },
    status: 'running',
  };
  const token = `xwfp-${newToken()}`;
  parts.state.putExecution(execution, token);
  const result = await parts.events.functionExecuted(step, execution, token);
  return result.ok ? { ok: true } : result;
}

const PERSON = 'slack#/types/user_context';

function personOf(step: SandboxFunction, userId: string): Record<string, unknown> {
  const names = step.inputs.filter(({ type }) => type === PERSON).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, { id: userId, secret: newToken() }]));
}

const LINKED = /https?:\/\/[^\s<>|]+|\+\d[\d ()-]{6,18}\d/g;

/** What a person entered as text is told in Slack's notation: escaped, emoji by name, addresses and numbers as links. */
function toldInputs(
  step: SandboxFunction,
  inputs: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const isText = (name: string) => step.inputs.find((one) => one.name === name)?.type === 'string';
  const told = (text: string) =>
    toldPlain(text).replace(LINKED, (found) =>
      found.startsWith('+') ? `<tel:${found.replace(/[ ()-]/g, '')}|${found}>` : `<${found}>`,
    );
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name,
      typeof value === 'string' && isText(name) ? told(value) : value,
    ]),
  );
}

function problemOf(step: SandboxFunction, inputs: Readonly<Record<string, unknown>>): string | undefined {
  const stranger = Object.keys(inputs).find((name) => !step.inputs.some((one) => one.name === name));
  if (stranger !== undefined) return `The step has no input ${stranger}.`;
  for (const { name, type, title, required } of step.inputs) {
    const value = inputs[name];
    if (type === PERSON) {
      if (value !== undefined) return `${title} is filled in by Slack.`;
    } else if (value === undefined || value === null || value === '') {
      if (required) return `${title} is required.`;
    } else if (typeof value !== (type === 'boolean' ? 'boolean' : 'string')) {
      return `${title} must be a ${type}.`;
    }
  }
  return undefined;
}
