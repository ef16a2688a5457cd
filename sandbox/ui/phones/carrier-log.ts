import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { CarrierRequest, CarrierState } from '../../protocol.ts';
import { resetCarrier } from '../api.ts';
import { html } from '../html.ts';
import { clockTimeWithSeconds } from '../time.ts';
import { FaultChooser } from './fault-chooser.ts';
import { JsonView } from './json-view.ts';

/** The latest requests; older ones are counted, not drawn. */
const MOST_DRAWN = 100;

/** What the messaging service was asked, as it came over the wire, and what it did with it. */
export function CarrierLog({
  carrierUrl,
  state,
  tz,
}: {
  carrierUrl: string;
  state: CarrierState;
  tz: string;
}): VNode {
  const latest = state.requests.slice(-MOST_DRAWN).reverse();
  const [confirming, setConfirming] = useState(false);
  const forget = () => {
    setConfirming(false);
    void resetCarrier(carrierUrl);
  };
  return html`<div class="carrier-log">
    <${FaultChooser} carrierUrl=${carrierUrl} state=${state} />
    <section aria-label="Requests">
      <div class="log-heading"><h2>Requests</h2>
        ${
          state.requests.length > 0 &&
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
        latest.length === 0 &&
        html`<p
        class="quiet">Nothing has been asked yet. Each request appears here, whole.</p>`
      }
      ${latest.map(
        (request, index) => html`<${RequestEntry} key=${request.id} request=${request}
        open=${index === 0} tz=${tz} />`,
      )}
      ${
        state.requests.length > latest.length &&
        html`<p
        class="quiet">${state.requests.length - latest.length} older requests are not shown.</p>`
      }
    </section>
  </div>`;
}

function RequestEntry({ request, open, tz }: { request: CarrierRequest; open: boolean; tz: string }): VNode {
  const { status, note } = request.result;
  const kind = status === null ? 'lost' : status < 300 ? 'good' : status < 500 ? 'refused' : 'failed';
  return html`<details class="request" open=${open}>
    <summary><span class=${`status status-${kind}`}>${status ?? 'no answer'}</span>
      <span class="request-path">POST ${request.path}</span>
      <time datetime=${new Date(request.at).toISOString()}>${clockTimeWithSeconds(new Date(request.at), tz)}</time></summary>
    <p class="request-note">${note}</p>
    <${JsonView} value=${request.body} label="Body" />
    <details class="headers"><summary>Headers</summary><${JsonView} value=${request.headers}
      label="Headers" /></details>
  </details>`;
}
