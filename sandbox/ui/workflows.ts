import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { FunctionExecution, FunctionParameter, SandboxFunction } from '../protocol.ts';
import { userName, useWorkspace } from './context.ts';
import { html } from './html.ts';
import { problemSentence } from './problems.ts';

const PERSON = 'slack#/types/user_context';
const CHANNEL = 'slack#/types/channel_id';

/** Stands for Workflow Builder: each step of the app can be run on its own, and shows what it gives on. */
export function Workflows({ executions }: { executions: readonly FunctionExecution[] }): VNode {
  const { snapshot, bootstrap } = useWorkspace();
  return html`<section class="workflows" aria-label="Workflows">
    <h1>Workflows</h1>
    <p class="input-hint">Each of ${bootstrap.app.name}’s steps as a workflow of its own. You are the person who runs it.</p>
    ${snapshot.functions.filter(isRun).map((step) => html`<${Step} key=${step.callbackId} step=${step} />`)}
    <h2>Runs</h2>
    ${executions.length === 0 && html`<p class="input-hint">Nothing was run yet.</p>`}
    ${executions.toReversed().map((run) => html`<${Run} key=${run.id} run=${run} />`)}
  </section>`;
}

/** The others give choices while somebody builds a workflow. */
function isRun({ outputs }: SandboxFunction): boolean {
  return outputs.every(({ type }) => type !== 'slack#/types/options_select');
}

function Step({ step }: { step: SandboxFunction }): VNode {
  const { me, perform, bootstrap, snapshot } = useWorkspace();
  const [inputs, setInputs] = useState<Record<string, unknown>>({});
  const [problem, setProblem] = useState<string>();
  const [running, setRunning] = useState(false);
  const shown = step.inputs.filter(({ type }) => type !== PERSON);
  const run = async () => {
    setRunning(true);
    const result = await perform({ type: 'workflow_step', as: me.id, callbackId: step.callbackId, inputs });
    setProblem(result.ok ? undefined : problemSentence(result, bootstrap.app.name));
    setRunning(false);
  };
  const channels = snapshot.channels.filter(
    ({ kind, memberIds }) => kind === 'channel' && memberIds.includes(me.id),
  );
  return html`<form class="workflow-step" aria-label=${step.title} onSubmit=${(event: Event) => {
    event.preventDefault();
    void run();
  }}>
    <h2>${step.title}</h2><p class="input-hint">${step.description}</p>
    ${shown.map(
      (
        input,
      ) => html`<${Input} key=${input.name} input=${input} value=${inputs[input.name]} channels=${channels}
        onChange=${(value: unknown) => setInputs((before) => ({ ...before, [input.name]: value }))} />`,
    )}
    ${problem && html`<div class="message-problem" role="alert">${problem}</div>`}
    <button type="submit" class="button button-primary" disabled=${running}>Run</button>
  </form>`;
}

function Input({
  input,
  value,
  channels,
  onChange,
}: {
  input: FunctionParameter;
  value: unknown;
  channels: { id: string; name: string }[];
  onChange: (value: unknown) => void;
}): VNode {
  const words = html`<span class="input-label">${input.title}${
    !input.required && html`<span class="input-optional"> (optional)</span>`
  }</span>`;
  const typed = (event: Event) => onChange((event.currentTarget as HTMLInputElement).value);
  const control = () => {
    if (input.type === 'boolean')
      return html`<input type="checkbox" checked=${value === true}
        onChange=${(event: Event) => onChange((event.currentTarget as HTMLInputElement).checked)} />`;
    if (input.type === CHANNEL)
      return html`<select class="text-input" value=${value ?? ''} onChange=${typed}>
        <option value="">Choose a channel</option>
        ${channels.map(({ id, name }) => html`<option key=${id} value=${id}>#${name}</option>`)}
      </select>`;
    return html`<textarea class="text-input workflow-text" rows="1" value=${value ?? ''} onInput=${typed}></textarea>`;
  };
  return html`<label class="block-input">${words}${control()}
    <span class="input-hint">${input.description}</span></label>`;
}

const STATUS_WORDS: Readonly<Record<FunctionExecution['status'], string>> = {
  running: 'running…',
  completed: 'completed',
  failed: 'stopped the workflow',
};

function Run({ run }: { run: FunctionExecution }): VNode {
  const workspace = useWorkspace();
  const step = workspace.snapshot.functions.find(({ callbackId }) => callbackId === run.callbackId);
  const outputs = Object.entries(run.outputs ?? {}).filter(([, value]) => value !== '');
  const titleOf = (name: string) => step?.outputs.find((output) => output.name === name)?.title ?? name;
  return html`<article class="workflow-run" aria-label=${`Run ${run.id}`}>
    <strong>${step?.title ?? run.callbackId}</strong>: ${STATUS_WORDS[run.status]}, by ${userName(workspace, run.by)}
    ${run.error && html`<p>${run.error}</p>`}
    <dl>${outputs.map(
      ([name, value]) => html`<div key=${name}><dt>${titleOf(name)}</dt><dd>${String(value)}</dd></div>`,
    )}</dl>
  </article>`;
}
