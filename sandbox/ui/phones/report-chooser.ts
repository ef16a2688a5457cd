import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Reports } from '../../protocol.ts';
import { setReports } from '../api.ts';
import { html } from '../html.ts';

const CHOICES: readonly { reports: Reports; label: string }[] = [
  { reports: 'soon', label: 'delivered and read, at once' },
  { reports: 'late', label: 'delivered and read, late' },
  { reports: 'failed', label: 'not delivered' },
  { reports: 'never', label: 'nothing' },
];

/** What phones tell of the messages that come from now on. */
export function ReportChooser({ carrierUrl, reports }: { carrierUrl: string; reports: Reports }): VNode {
  const [problem, setProblem] = useState<string>();
  const choose = async (event: Event & { currentTarget: HTMLSelectElement }) => {
    const done = await setReports(carrierUrl, event.currentTarget.value as Reports);
    setProblem(done ? undefined : 'The carrier did not take it. Is the sandbox still running?');
  };
  return html`<label class="reports"><span>Phones report</span>
    <select class="text-input" value=${reports} onChange=${(event: never) => void choose(event)}>
      ${CHOICES.map((one) => html`<option value=${one.reports}>${one.label}</option>`)}
    </select>
    ${problem && html`<span class="input-error" role="alert">${problem}</span>`}
  </label>`;
}
