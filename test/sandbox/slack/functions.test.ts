import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Workspace } from '../../../sandbox/slack/server.ts';
import { startTestWorkspace } from './test-workspace.ts';
import { call, no, openSocket } from './web-client.ts';

let workspace: Workspace;
beforeEach(async () => {
  workspace = await startTestWorkspace();
});
afterEach(() => workspace.close());

const run = (inputs: Record<string, unknown>, callbackId = 'look_up') =>
  workspace.act({ type: 'workflow_step', as: 'U0ASHA', callbackId, inputs });
const execution = () => workspace.snapshot().executions.at(-1);

test('a step is told to the app as Slack does, and ends once, with outputs as declared', async () => {
  const socket = await openSocket(workspace);
  expect(await run({ word: 'tea' })).toEqual({ ok: true });
  const [envelope] = socket.envelopes;
  const id = execution()?.id ?? '';
  expect(envelope?.payload).toMatchObject({
    type: 'event_callback',
    event: {
      type: 'function_executed',
      function: { callback_id: 'look_up', type: 'app' },
      inputs: { word: 'tea', person: { id: 'U0ASHA', secret: expect.any(String) } },
      function_execution_id: id,
      bot_access_token: expect.stringMatching(/^xwfp-/),
    },
  });
  const complete = (outputs: object) =>
    call(workspace, 'functions.completeSuccess', {
      function_execution_id: id,
      outputs: JSON.stringify(outputs),
    });
  expect(await complete({ answer: 7, more: 'x' })).toMatchObject({
    ok: false,
    error: 'parameter_validation_failed',
    errors: ['output more is not declared', 'output answer must be a string'],
  });
  expect(await complete({ answer: 'leaves' })).toEqual({ ok: true });
  expect(await complete({ answer: 'again' })).toMatchObject({ error: 'execution_not_in_running_state' });
  expect(execution()).toMatchObject({ status: 'completed', outputs: { answer: 'leaves' } });
});

test('a step can fail, and an unknown run cannot', async () => {
  await openSocket(workspace);
  await run({ word: 'tea' });
  const fail = (id: string) =>
    call(workspace, 'functions.completeError', { function_execution_id: id, error: 'No such word.' });
  expect(await fail('Fx0')).toMatchObject({ error: 'function_execution_not_found' });
  expect(await fail(execution()?.id ?? '')).toEqual({ ok: true });
  expect(execution()).toMatchObject({ status: 'failed', error: 'No such word.' });
});

test.each([
  [{}, 'Word is required.'],
  [{ word: 7 }, 'Word must be a string.'],
  [{ word: 'a', other: 'b' }, 'The step has no input other.'],
  [{ word: 'a', person: { id: 'U0RAVI' } }, 'Person is filled in by Slack.'],
])('inputs %j are refused before the app hears of them', async (inputs, message) => {
  expect(await run(inputs)).toEqual({ ok: false, error: 'parameter_validation_failed', message });
  expect(execution()).toBeUndefined();
});

test('a step that the app does not have is refused', async () => {
  expect(await run({}, 'nothing')).toMatchObject(no('unknown_function'));
});
