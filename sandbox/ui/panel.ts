import type { VNode } from 'preact';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { Bootstrap, CarrierEvent } from '../protocol.ts';
import { applyCarrierEvents, type CarrierView } from './carrier-state.ts';
import type { Column } from './column-switch.ts';
import { followEvents, type StreamStatus } from './connection.ts';
import { html } from './html.ts';
import { Icon, type IconName } from './icons.ts';
import { memo } from './memo.ts';
import { CarrierLog } from './phones/carrier-log.ts';
import { Phones } from './phones/phones.ts';

/** Enough to look alive: of 60 times a second a person would see no more, and a laptop would do nothing else. */
const PACE_MS = 100;

type Tab = 'phones' | 'log';
const TABS: readonly { tab: Tab; label: string; icon: IconName }[] = [
  { tab: 'phones', label: 'Phones', icon: 'phone' },
  { tab: 'log', label: 'Carrier log', icon: 'log' },
];

interface PanelProps {
  bootstrap: Bootstrap;
  /** The zone of the times shown: that of the person who looks. */
  tz: string;
  column: Column;
  onColumn: (column: Column) => void;
}

/** The world outside of the workspace: people's phones, and what the messaging service was asked. */
export const Panel = memo(({ bootstrap, tz, column, onColumn }: PanelProps): VNode => {
  const { carrierUrl } = bootstrap;
  const { view, status } = useCarrier(bootstrap);
  const tab = useTab(column);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const next: Tab = tab === 'phones' ? 'log' : 'phones';
    onColumn(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  const count = view?.requests.length ?? 0;
  const failing = view?.faults.length ?? 0;
  return html`<aside class="panel" aria-label="Outside of the workspace">
    <div class="panel-tabs" role="tablist" aria-label="Outside of the workspace" onKeyDown=${onKeyDown}>
      ${TABS.map(
        (one) => html`<button type="button" role="tab" key=${one.tab} id=${`tab-${one.tab}`} class="panel-tab"
        aria-selected=${tab === one.tab} aria-controls="panel-content" tabindex=${tab === one.tab ? 0 : -1}
        onClick=${() => onColumn(one.tab)}>
        <${Icon} name=${one.icon} />${one.label}${
          one.tab === 'log' &&
          count > 0 &&
          // There is room for one of them.
          failing === 0 &&
          html`<span
          class="count">${count.toLocaleString('en')}</span>`
        }${
          one.tab === 'log' &&
          failing > 0 &&
          html`<span class="count count-failing">${failing === 1 ? '1 failure' : `${failing} failures`} set</span>`
        }</button>`,
      )}
    </div>
    ${
      status === 'reconnecting' &&
      html`<div class="strip" role="status"><span class="spinner"></span>Reconnecting to the carrier…</div>`
    }
    <div class="panel-content" role="tabpanel" id="panel-content" aria-labelledby=${`tab-${tab}`} key=${tab}>
      ${
        !view &&
        html`<div class="empty"><span
        class="spinner spinner-large"></span><p>Waiting for the carrier at ${carrierUrl}…</p></div>`
      }
      ${view && tab === 'phones' && html`<${Phones} carrierUrl=${carrierUrl} view=${view} tz=${tz} />`}
      ${view && tab === 'log' && html`<${CarrierLog} carrierUrl=${carrierUrl} view=${view} tz=${tz} />`}
    </div>
  </aside>`;
});

/** The carrier as it is now. Kept here and not above: what rings on a phone draws no message of the chat anew. */
function useCarrier({ carrierUrl, phones }: Bootstrap): {
  view: CarrierView | undefined;
  status: StreamStatus;
} {
  const [view, onEvents] = useReducer(
    (before: CarrierView | undefined, events: readonly CarrierEvent[]) =>
      applyCarrierEvents(before, events, phones),
    undefined,
  );
  const [status, setStatus] = useState<StreamStatus>('connecting');
  useEffect(
    () => followEvents<CarrierEvent>(`${carrierUrl}/carrier/events`, onEvents, setStatus, PACE_MS),
    [carrierUrl],
  );
  return { view, status };
}

/** The column where it is one of the panel's; otherwise the one it was last. */
function useTab(column: Column): Tab {
  const last = useRef<Tab>('phones');
  if (column === 'phones' || column === 'log') last.current = column;
  return last.current;
}
