import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Bootstrap, CarrierState } from '../../protocol.ts';
import { answerOnPhone, dismissFlash } from '../api.ts';
import { type Phone, phonesOf } from '../carrier-state.ts';
import { html } from '../html.ts';
import type { Answer } from './answering.ts';
import { PhoneView } from './phone.ts';

/** More phones than this are not drawn at once: a campaign may reach thousands. */
const MOST_DRAWN = 12;
/** From this many phones on there is a field to find one. */
const SEARCH_FROM = 5;

export function Phones({
  bootstrap,
  state,
  tz,
}: {
  bootstrap: Bootstrap;
  state: CarrierState;
  tz: string;
}): VNode {
  const [query, setQuery] = useState('');
  const all = phonesOf(state, bootstrap.phones);
  const digits = query.replace(/\D/g, '');
  const wanted = query.trim().toLowerCase();
  const found = all.filter(
    (phone) =>
      wanted === '' ||
      (digits !== '' && phone.number.includes(digits)) ||
      (phone.name?.toLowerCase().includes(wanted) ?? false),
  );
  const shown = found.slice(0, MOST_DRAWN);
  if (all.length === 0)
    return html`<div
      class="empty"><p>No phone has received anything yet. Send a message, and the phone it reaches appears here.</p></div>`;
  return html`<div class="phones">
    ${
      all.length >= SEARCH_FROM &&
      html`<input class="text-input phone-search" type="search" value=${query} aria-label="Find a phone"
      placeholder=${`Find one of ${all.length} phones`}
      onInput=${(event: Event & { currentTarget: HTMLInputElement }) => setQuery(event.currentTarget.value)} />`
    }
    <div class="phone-grid">${shown.map(
      (phone) => html`<${PhoneView} key=${phone.number} phone=${phone} tz=${tz}
      onDismiss=${(id: string) => void dismissFlash(bootstrap.carrierUrl, phone.number, id)}
      onAnswer=${(answer: Answer, messageId = newestFor(phone)) =>
        answerOnPhone(bootstrap.carrierUrl, {
          number: phone.number,
          ...(messageId !== undefined && { messageId }),
          answer,
        })} />`,
    )}</div>
    ${found.length === 0 && html`<p class="phones-more">No phone matches “${query}”.</p>`}
    ${
      found.length > shown.length &&
      html`<p
      class="phones-more">${found.length - shown.length} more phones. Find one by its number.</p>`
    }
  </div>`;
}

/** What somebody who writes back answers: the newest that came. */
function newestFor({ inbox }: Phone): string | undefined {
  return inbox.findLast(({ outgoing }) => outgoing !== true)?.id;
}
