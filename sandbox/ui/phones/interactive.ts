import type { VNode } from 'preact';
import type { PhoneInteractive, PhoneMessage } from '../../protocol.ts';
import { html } from '../html.ts';
import { drawText } from '../text/view.ts';
import type { Answer } from './answering.ts';

type Choices = Extract<PhoneInteractive, { type: 'button' | 'list' }>;
type Row = NonNullable<Choices['action']['sections']>[number]['rows'][number];
type AddressForm = Extract<PhoneInteractive, { type: 'address_message' }>;

/** The fields of an address form as the phone's app names them, by country. */
const ADDRESS_LABELS: Readonly<Record<'IN' | 'SG', Readonly<Record<string, string>>>> = {
  IN: {
    name: 'Name',
    phone_number: 'Phone Number',
    in_pin_code: 'Pin Code',
    house_number: 'Flat/House Number',
    floor_number: 'Floor Number',
    tower_number: 'Tower Number',
    building_name: 'Building/Apartment Name',
    address: 'Address',
    landmark_area: 'Landmark/Area',
    unit_number: 'Unit Number',
    city: 'City',
    state: 'State',
  },
  SG: {
    name: 'Name',
    phone_number: 'Phone Number',
    sg_post_code: 'Post Code',
    landmark_area: 'Landmark/Area',
  },
};

/** What stands above the text of a bubble. */
export function BubbleHeader({ message }: { message: PhoneMessage }): VNode | null {
  const { interactive } = message;
  if (interactive === undefined) return null;
  const { header } = interactive;
  if (header?.type === 'text') return html`<div class="bubble-header">${drawText(header.text)}</div>`;
  if (header === undefined || (message.media ?? []).length > 0) return null;
  return html`<div class="bubble-file"><span class="file-kind">${header.type}</span>
    <span>kept by the service</span></div>`;
}

/** What stands below the text: a footer, and what can be tapped or filled in. */
export function BubbleAction({
  interactive,
  onAnswer,
}: {
  interactive: PhoneInteractive;
  onAnswer: (answer: Answer) => void;
}): VNode {
  const { footer } = interactive;
  return html`${footer && html`<div class="bubble-footer">${drawText(footer.text)}</div>`}${
    interactive.type === 'address_message'
      ? html`<${Address} form=${interactive} onAnswer=${onAnswer} />`
      : html`<${Tappable} message=${interactive} onAnswer=${onAnswer} />`
  }`;
}

function Tappable({ message, onAnswer }: { message: Choices; onAnswer: (answer: Answer) => void }): VNode {
  const { buttons = [], button, sections = [] } = message.action;
  return html`${
    buttons.length > 0 &&
    html`<div class="bubble-replies" role="group" aria-label="Reply buttons">
      ${buttons.map(
        ({ reply }) => html`<button type="button" key=${reply.id} data-reply-id=${reply.id}
          onClick=${() => onAnswer({ type: 'button', id: reply.id, title: reply.title })}>${reply.title}</button>`,
      )}</div>`
  }
    ${
      button &&
      html`<details class="bubble-list"><summary>${button}</summary>
      ${sections.map(
        (section) => html`<div key=${section.id} role="group" aria-label=${section.title ?? button}>
        ${section.title && html`<div class="bubble-section">${section.title}</div>`}
        ${section.rows.map(
          (row) => html`<button type="button" key=${row.id} data-reply-id=${row.id}
          onClick=${() => onAnswer(answerOf(row))}>
          <span>${row.title}</span>${row.description && html`<small>${row.description}</small>`}</button>`,
        )}</div>`,
      )}</details>`
    }`;
}

function answerOf({ id, title, description }: Row): Answer {
  return { type: 'list', id, title, ...(description !== undefined && { description }) };
}

function Address({ form, onAnswer }: { form: AddressForm; onAnswer: (answer: Answer) => void }): VNode {
  const {
    country,
    values,
    saved_addresses: saved = [],
    validation_errors: errors = {},
  } = form.action.parameters;
  const send = (event: SubmitEvent & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    const typed = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
    const filled = typed.filter(([, value]) => value !== '');
    if (filled.length > 0) onAnswer({ type: 'address', values: Object.fromEntries(filled) });
  };
  return html`<details class="bubble-list bubble-address"><summary>Provide address</summary>
    ${saved.map(
      ({ id, value }) => html`<button type="button" class="bubble-saved" key=${id}
        onClick=${() => onAnswer({ type: 'address', values: value })}>${Object.values(value).join(', ')}</button>`,
    )}
    <form onSubmit=${send}><dl>${Object.entries(ADDRESS_LABELS[country]).map(
      ([name, label]) => html`<dt key=${`${name}-label`}>${label}</dt><dd key=${name}>
      <input class="text-input" name=${name} value=${values[name] ?? ''} aria-label=${label} />
      ${errors[name] && html`<em>${errors[name]}</em>`}</dd>`,
    )}</dl><button type="submit">Send address</button></form></details>`;
}
