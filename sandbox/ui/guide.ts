import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { SandboxMessage } from '../protocol.ts';
import { useWorkspace } from './context.ts';
import { STEPS, type Step, stepsDone } from './guide-steps.ts';
import { html } from './html.ts';
import { Icon } from './icons.ts';
import { problemSentence } from './problems.ts';

const WHAT_HERALD_IS =
  'Herald is a Slack app: your team sends messages to customers from here, a manager approves what goes to many, and what becomes of each comes back.';
const HIDDEN = 'guide-hidden';

/** The first steps, each with a click; what was done ticks itself off. Hidden once and for all by a click. */
export function Guide({
  messages,
  onSwitch,
}: {
  messages: readonly SandboxMessage[];
  onSwitch: (userId: string) => void;
}): VNode | null {
  const { snapshot, bootstrap, perform, notify, openChannel } = useWorkspace();
  const [hidden, setHidden] = useState(() => localStorage.getItem(HIDDEN) === 'yes');
  const [chosen, setChosen] = useState<Step['id']>();
  if (hidden || !snapshot.commands.some(({ command }) => command === '/chatapp')) return null;
  const done = stepsDone(messages);
  const current =
    STEPS.find(({ id }) => id === chosen && !done.has(id)) ?? STEPS.find(({ id }) => !done.has(id));
  const hide = () => {
    localStorage.setItem(HIDDEN, 'yes');
    setHidden(true);
  };
  const begin = async ({ id, as, channel, command }: Step) => {
    setChosen(id);
    onSwitch(as);
    openChannel(channel);
    if (command === undefined) return;
    const result = await perform({ type: 'command', as, channel, ...command });
    if (!result.ok) notify(problemSentence(result, bootstrap.app.name));
  };
  return html`<section class=${`guide ${chosen || done.size > 0 ? 'is-begun' : ''}`} aria-label="First steps">
    <p class="guide-what">${WHAT_HERALD_IS}</p>
    <ol>${STEPS.map(
      (step, index) => html`<li key=${step.id} class=${done.has(step.id) ? 'is-done' : ''}>
        <button type="button" aria-current=${step === current ? 'step' : undefined}
          onClick=${() => void begin(step)}><span class="guide-sign" aria-hidden="true">${done.has(step.id) ? '✓' : index + 1}</span>${step.title}${
            done.has(step.id) && html`<span class="visually-hidden"> (done)</span>`
          }</button></li>`,
    )}</ol>
    <button type="button" class="icon-button" aria-label="Hide the first steps" title="Hide" onClick=${hide}>
      <${Icon} name="close" size=${14} /></button>
    <p>${current ? current.hint : 'That was all of it. Go on as you like.'}</p>
  </section>`;
}
