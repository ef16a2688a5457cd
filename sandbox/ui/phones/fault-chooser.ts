import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CarrierFault, Sentinel } from '../../protocol.ts';
import { loadSentinels, setCarrierFaults } from '../api.ts';
import type { CarrierView } from '../carrier-state.ts';
import { html } from '../html.ts';
import { clockTimeWithSeconds } from '../time.ts';
import { FAILURES, FAULT_GROUPS, type Failure, faultLabel, isFailure, withFault } from './fault-choices.ts';

const E164 = /^\+[1-9]\d{6,14}$/;

/** Makes the messaging service fail in a chosen way, for everybody or for one recipient. */
export function FaultChooser({
  carrierUrl,
  view: { faults },
  tz,
}: {
  carrierUrl: string;
  view: CarrierView;
  tz: string;
}): VNode {
  const [choice, setChoice] = useState('');
  const [number, setNumber] = useState('');
  const [times, setTimes] = useState('1');
  const [problem, setProblem] = useState<string>();
  /** Until the carrier has told its new plan: what is clicked before then would be added to the old one. */
  const [isChanging, setIsChanging] = useState(false);
  useEffect(() => setIsChanging(false), [faults]);

  const replace = async (next: CarrierFault[]) => {
    if (isChanging) return;
    setIsChanging(true);
    const done = await setCarrierFaults(carrierUrl, next);
    if (!done) setIsChanging(false);
    setProblem(done ? undefined : 'The carrier did not take it. Is the sandbox still running?');
  };
  const without = (gone: CarrierFault) => void replace(faults.filter((one) => one !== gone));
  const toggle = (failure: Failure) => {
    const set = faults.find((one) => isFailure(failure, one));
    if (set) return without(set);
    const { fault, forMs } = failure;
    const until = forMs === undefined ? {} : { until: Date.now() + forMs };
    void replace(withFault(faults, { ...fault, ...until }));
  };
  const add = () => {
    const chosen = FAULT_GROUPS.flatMap((group) => group.choices).find((one) => one.key === choice);
    const recipient = number.replace(/[\s()-]/g, '');
    if (!chosen) return setProblem('Choose what shall go wrong.');
    if (recipient !== '' && !E164.test(recipient)) return setProblem('Write the number like +919812345678.');
    const fault: CarrierFault = { do: chosen.does };
    if (recipient !== '') fault.number = recipient;
    if (times !== 'always') fault.times = Number(times);
    void replace(withFault(faults, fault));
    setChoice('');
  };

  return html`<section class="faults" aria-label="Failures">
    <h2>Make the service fail</h2>
    <div class="failures">${FAILURES.map(
      (failure) => html`<button type="button" class="button button-small" key=${failure.label}
        aria-pressed=${faults.some((one) => isFailure(failure, one))} aria-disabled=${isChanging}
        onClick=${() => toggle(failure)}>${failure.label}</button>`,
    )}</div>
    <div class="fault-form">
      <select class="text-input" aria-label="What goes wrong" value=${choice}
        onChange=${(event: Event & { currentTarget: HTMLSelectElement }) => setChoice(event.currentTarget.value)}>
        <option value="">Choose a failure…</option>
        ${FAULT_GROUPS.map(
          (group) => html`<optgroup label=${group.label}>
          ${group.choices.map((one) => html`<option value=${one.key}>${one.label}</option>`)}</optgroup>`,
        )}
      </select>
      <input class="text-input" aria-label="Only for this number" placeholder="Any number" value=${number}
        inputmode="tel"
        onInput=${(event: Event & { currentTarget: HTMLInputElement }) => setNumber(event.currentTarget.value)} />
      <select class="text-input" aria-label="How often" value=${times}
        onChange=${(event: Event & { currentTarget: HTMLSelectElement }) => setTimes(event.currentTarget.value)}>
        <option value="1">Once</option><option value="3">3 times</option><option
          value="10">10 times</option><option value="always">Always</option>
      </select>
      <button type="button" class="button button-primary" aria-disabled=${isChanging} onClick=${add}>Add</button>
    </div>
    ${problem && html`<div class="input-error" role="alert">${problem}</div>`}
    ${
      faults.length > 0 &&
      html`<ul class="fault-list" aria-label="What goes wrong now">${faults.map(
        (fault, index) => html`<li key=${index}>
      <span><strong>${faultLabel(fault)}</strong> ${fault.number ?? 'any number'}, ${howOften(fault, tz)}</span>
      <button type="button" class="button button-small" aria-disabled=${isChanging}
        onClick=${() => without(fault)}>Remove</button></li>`,
      )}</ul>
      <button type="button" class="button" aria-disabled=${isChanging}
        onClick=${() => void replace([])}>Let all be well again</button>`
    }
    <${Sentinels} carrierUrl=${carrierUrl} />
  </section>`;
}

function howOften({ every, until, times }: CarrierFault, tz: string): string {
  const parts = [
    every && `each ${every}th request`,
    until && `until ${clockTimeWithSeconds(new Date(until), tz)}`,
    times && `${times} more`,
  ].filter(Boolean);
  return parts.length === 0 ? 'always' : parts.join(', ');
}

/** Numbers that fail in the same way every time. */
function Sentinels({ carrierUrl }: { carrierUrl: string }): VNode | null {
  const [sentinels, setSentinels] = useState<Sentinel[]>([]);
  useEffect(() => {
    void loadSentinels(carrierUrl).then(setSentinels);
  }, [carrierUrl]);
  if (sentinels.length === 0) return null;
  return html`<details
    class="sentinels"><summary>${sentinels.length} numbers that always fail in one way</summary>
    <ul>${sentinels.map(
      (sentinel) => html`<li
      key=${sentinel.number}><code>${sentinel.number}</code><span>${sentinel.description}</span></li>`,
    )}</ul>
  </details>`;
}
