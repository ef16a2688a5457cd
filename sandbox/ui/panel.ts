import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Bootstrap, CarrierState } from '../protocol.ts';
import type { StreamStatus } from './connection.ts';
import { html } from './html.ts';
import { Icon, type IconName } from './icons.ts';
import { CarrierLog } from './phones/carrier-log.ts';
import { Phones } from './phones/phones.ts';

type Tab = 'phones' | 'log';
const TABS: readonly { tab: Tab; label: string; icon: IconName }[] = [
  { tab: 'phones', label: 'Phones', icon: 'phone' },
  { tab: 'log', label: 'Carrier log', icon: 'log' },
];

/** The world outside of the workspace: people's phones, and what the messaging service was asked. */
export function Panel({
  bootstrap,
  state,
  status,
  tz,
}: {
  bootstrap: Bootstrap;
  state: CarrierState | undefined;
  status: StreamStatus;
  /** The zone of the times shown: that of the person who looks. */
  tz: string;
}): VNode {
  const [tab, setTab] = useState<Tab>('phones');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const next: Tab = tab === 'phones' ? 'log' : 'phones';
    setTab(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  const count = state?.requests.length ?? 0;
  return html`<aside class="panel" aria-label="Outside of the workspace">
    <div class="panel-tabs" role="tablist" aria-label="Outside of the workspace" onKeyDown=${onKeyDown}>
      ${TABS.map(
        (one) => html`<button type="button" role="tab" key=${one.tab} id=${`tab-${one.tab}`} class="panel-tab"
        aria-selected=${tab === one.tab} aria-controls="panel-content" tabindex=${tab === one.tab ? 0 : -1} onClick=${() => setTab(one.tab)}>
        <${Icon} name=${one.icon} />${one.label}${
          one.tab === 'log' &&
          count > 0 &&
          html`<span
          class="count">${count}</span>`
        }</button>`,
      )}
    </div>
    ${
      status === 'reconnecting' &&
      html`<div class="strip" role="status"><span class="spinner"></span>Reconnecting to the carrier…</div>`
    }
    <div class="panel-content" role="tabpanel" id="panel-content" aria-labelledby=${`tab-${tab}`}>
      ${
        !state &&
        html`<div class="empty"><span
        class="spinner spinner-large"></span><p>Waiting for the carrier at ${bootstrap.carrierUrl}…</p></div>`
      }
      ${state && tab === 'phones' && html`<${Phones} bootstrap=${bootstrap} state=${state} tz=${tz} />`}
      ${
        state &&
        tab === 'log' &&
        html`<${CarrierLog} carrierUrl=${bootstrap.carrierUrl} state=${state}
        tz=${tz} />`
      }
    </div>
  </aside>`;
}
