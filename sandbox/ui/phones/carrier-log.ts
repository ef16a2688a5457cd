import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { CarrierRequest } from '../../protocol.ts';
import { resetCarrier } from '../api.ts';
import type { CarrierView } from '../carrier-state.ts';
import { html } from '../html.ts';
import { memo } from '../memo.ts';
import { useRowsInSight } from '../rows-in-sight.ts';
import { clockTimeWithSeconds } from '../time.ts';
import { FaultChooser } from './fault-chooser.ts';
import { JsonView } from './json-view.ts';
import { ReportChooser } from './report-chooser.ts';

/** A request's line, as styles/carrier-log.css has it. */
const ROW_PX = 44;
const rowPx = () => ROW_PX;
/** How many lines an open request takes besides its own. */
const OPEN_ROWS = 8;

/** What the messaging service was asked, as it came over the wire, and what it did with it. */
export function CarrierLog({
  carrierUrl,
  view,
  tz,
}: {
  carrierUrl: string;
  view: CarrierView;
  tz: string;
}): VNode {
  const { requests } = view;
  const [confirming, setConfirming] = useState(false);
  const forget = () => {
    setConfirming(false);
    void resetCarrier(carrierUrl);
  };
  return html`<div class="carrier-log">
    <${FaultChooser} carrierUrl=${carrierUrl} view=${view} tz=${tz} />
    <${ReportChooser} carrierUrl=${carrierUrl} reports=${view.reports} />
    <section aria-label="Requests">
      <div class="log-heading"><h2>Requests</h2>
        ${
          requests.length > 0 &&
          !confirming &&
          html`<button type="button" class="button"
          onClick=${() => setConfirming(true)}>Clear</button>`
        }
        ${
          confirming &&
          html`<span>Forget requests and phones? <button type="button" class="button button-danger"
            onClick=${forget}>Forget</button>
          <button type="button" class="button" onClick=${() => setConfirming(false)}>Keep</button></span>`
        }
      </div>
      ${
        requests.length === 0
          ? html`<p class="quiet">Nothing has been asked yet. Each request appears here, whole.</p>`
          : html`<${Requests} requests=${requests} tz=${tz} />`
      }
    </section>
  </div>`;
}

/** The newest first. One is open: the newest, until the person opens or closes one. */
function Requests({ requests, tz }: { requests: readonly CarrierRequest[]; tz: string }): VNode {
  const [chosen, setChosen] = useState<number | 'none'>();
  const list = useRef<HTMLUListElement>(null);
  const rows = useRowsInSight(list, rowPx, '.panel-content');
  const openId = chosen ?? requests.at(-1)?.id;
  const last = requests.length - 1;
  const openAt = last - requests.findLastIndex(({ id }) => id === openId);
  const isOneOpen = openAt <= last;
  const rowOf = (at: number) => (isOneOpen && at > openAt ? at + OPEN_ROWS : at);
  const atRow = (row: number) => (isOneOpen && row > openAt ? Math.max(openAt, row - OPEN_ROWS) : row);
  const to = Math.min(atRow(rows.to), requests.length);
  const from = Math.max(0, Math.min(atRow(rows.from), to - 1));
  const shown = requests.slice(requests.length - to, requests.length - from).reverse();
  return html`<ul ref=${list} style=${{
    paddingTop: `${rowOf(from) * ROW_PX}px`,
    paddingBottom: `${(rowOf(requests.length) - rowOf(to)) * ROW_PX}px`,
  }}>${shown.map(
    (request) => html`<${RequestEntry} key=${request.id} request=${request} tz=${tz}
      open=${request.id === openId} onChoose=${setChosen} />`,
  )}</ul>`;
}

interface EntryProps {
  request: CarrierRequest;
  open: boolean;
  onChoose: (id: number | 'none') => void;
  tz: string;
}

const RequestEntry = memo(({ request, open, onChoose, tz }: EntryProps): VNode => {
  const { status, note } = request.result;
  const kind = status === null ? 'lost' : status < 300 ? 'good' : status < 500 ? 'refused' : 'failed';
  const at = new Date(request.at);
  return html`<li class="request">
    <button type="button" aria-expanded=${open}
      onClick=${() => onChoose(open ? 'none' : request.id)}><span
        class=${`status status-${kind}`}>${status ?? 'no answer'}</span>
      <span class="request-path">POST ${request.path}</span>
      <time datetime=${at.toISOString()}>${clockTimeWithSeconds(at, tz)}</time></button>
    ${
      open &&
      html`<div class="request-whole" tabindex="0" role="group" aria-label="The request">
      <p>${note}</p><h3>Body</h3><${JsonView} value=${request.body} />
      <h3>Headers</h3><${JsonView} value=${request.headers} /></div>`
    }
  </li>`;
});
