import type { VNode } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import { answerOnPhone, dismissFlash } from '../api.ts';
import type { CarrierView, Phone } from '../carrier-state.ts';
import { html } from '../html.ts';
import { useRowsInSight } from '../rows-in-sight.ts';
import type { Answer } from './answering.ts';
import { PhoneView } from './phone.ts';
import { usePhoneOrder } from './phone-order.ts';

/** From this many phones on there is a field to find one. */
const SEARCH_FROM = 5;
/** A phone and the gaps around it, as styles/phones.css has them. */
const LOWEST_PX = 360;
const ROW_GAP_PX = 22;
const BELOW_PX = 16;
const COLUMN_PX = 250;
const GAP_PX = 18;

/** As many rows of phones as fit, and each so high that the lower edge of the panel cuts none in two. */
function rowPxFor(room: number): number {
  const free = room - BELOW_PX + ROW_GAP_PX;
  const fitting = Math.max(1, Math.floor(free / (LOWEST_PX + ROW_GAP_PX)));
  return Math.max(LOWEST_PX + ROW_GAP_PX, Math.floor(free / fitting));
}

export function Phones({
  carrierUrl,
  view,
  tz,
}: {
  carrierUrl: string;
  view: CarrierView;
  tz: string;
}): VNode {
  const [query, setQuery] = useState('');
  const grid = useRef<HTMLDivElement>(null);
  const order = usePhoneOrder(view, grid);
  const rows = useRowsInSight(grid, rowPxFor, '.panel-content');
  const onDismiss = useCallback(
    (number: string, id: string) => void dismissFlash(carrierUrl, number, id),
    [carrierUrl],
  );
  const onAnswer = useCallback(
    ({ number, inbox }: Phone, answer: Answer, messageId = newestFor(inbox)) =>
      answerOnPhone(carrierUrl, { number, ...(messageId !== undefined && { messageId }), answer }),
    [carrierUrl],
  );
  const found = query.trim() === '' ? order : order.filter(matching(query, view));
  const fitting = Math.floor((rows.width + GAP_PX) / (COLUMN_PX + GAP_PX));
  const columns = Math.max(1, Math.min(fitting, found.length));
  const height = Math.ceil(found.length / columns);
  const to = Math.min(rows.to, height);
  // Of a list that has become shorter, its end.
  const from = Math.max(0, Math.min(rows.from, to - 1));
  const shown = found.slice(from * columns, to * columns).map((number) => view.phones.get(number));
  return html`<div class="phones">
    ${
      view.phones.size >= SEARCH_FROM &&
      html`<input class="text-input phone-search" type="search" value=${query} aria-label="Find a phone"
      placeholder=${`Find one of ${view.phones.size.toLocaleString('en')} phones`}
      onInput=${(event: Event & { currentTarget: HTMLInputElement }) => setQuery(event.currentTarget.value)} />`
    }
    <div class="phone-grid" ref=${grid} style=${{
      gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
      gridAutoRows: `${rows.rowPx - ROW_GAP_PX}px`,
      paddingTop: `${from * rows.rowPx}px`,
      paddingBottom: `${(height - to) * rows.rowPx}px`,
    }}>${shown.map(
      (phone) =>
        phone &&
        html`<${PhoneView} key=${phone.number} phone=${phone} tz=${tz} onDismiss=${onDismiss}
          onAnswer=${onAnswer} />`,
    )}</div>
    ${found.length === 0 && html`<p class="phones-none" role="status">No phone matches “${query}”.</p>`}
  </div>`;
}

function matching(query: string, { phones }: CarrierView): (number: string) => boolean {
  const wanted = query.trim().toLowerCase();
  const digits = query.replace(/\D/g, '');
  return (number) =>
    (digits !== '' && number.includes(digits)) ||
    phones.get(number)?.name?.toLowerCase().includes(wanted) === true;
}

/** What somebody who writes back answers: the newest that came. */
function newestFor(inbox: Phone['inbox']): string | undefined {
  return inbox.findLast(({ outgoing }) => outgoing !== true)?.id;
}
