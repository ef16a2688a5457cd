import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { CustomerReply, PhoneMessage } from '../../protocol.ts';
import { html } from '../html.ts';

export type Answer = CustomerReply['answer'];
/** Gives an answer to a message, or to the newest one; resolves to what went wrong, if anything did. */
export type OnAnswer = (answer: Answer, messageId?: string) => Promise<string | undefined>;

/** What of an interactive message can be tapped, read from the wire's own shape. */
interface Choices {
  readonly kind: 'button' | 'list';
  readonly options: readonly { readonly id: string; readonly title: string; readonly description?: string }[];
}

type Members = Readonly<Record<string, unknown>>;

/** The reply buttons of a message or the rows of its list; none for any other. */
function choicesOf(interactive: unknown): Choices | undefined {
  const { type, action } = members(interactive);
  if (type === 'button') {
    const replies = list(members(action).buttons).map((button) => members(members(button).reply));
    return { kind: 'button', options: replies.flatMap(option) };
  }
  if (type !== 'list') return undefined;
  const rows = list(members(action).sections).flatMap((section) => list(members(section).rows));
  return { kind: 'list', options: rows.map(members).flatMap(option) };
}

/** The country of an address form; undefined for any other message. */
function addressCountryOf(interactive: unknown): string | undefined {
  const { type, action } = members(interactive);
  if (type !== 'address_message') return undefined;
  return String(members(members(action).parameters).country ?? '');
}

function option({ id, title, description }: Members) {
  if (typeof id !== 'string' || typeof title !== 'string') return [];
  return [{ id, title, ...(typeof description === 'string' && { description }) }];
}

function members(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What can be tapped or filled in below a message. */
export function Answers({ message, onAnswer }: { message: PhoneMessage; onAnswer: OnAnswer }): VNode | null {
  const choices = choicesOf(message.interactive);
  if (choices !== undefined)
    return html`<${Taps} choices=${choices} message=${message} onAnswer=${onAnswer} />`;
  const country = addressCountryOf(message.interactive);
  if (country === undefined) return null;
  return html`<${AddressForm} country=${country} message=${message} onAnswer=${onAnswer} />`;
}

function Taps({
  choices: { kind, options },
  message,
  onAnswer,
}: {
  choices: Choices;
  message: PhoneMessage;
  onAnswer: OnAnswer;
}): VNode {
  return html`<div class="phone-taps" role="group" aria-label="Answers">${options.map(
    (one) => html`<button type="button" key=${one.id} title=${one.description}
      onClick=${() => void onAnswer({ type: kind, ...one }, message.id)}>${one.title}</button>`,
  )}</div>`;
}

/** The fields that the interface document gives each country, with its labels. */
const ADDRESS_FIELDS: Readonly<Record<string, readonly (readonly [name: string, label: string])[]>> = {
  IN: [
    ['name', 'Name'],
    ['phone_number', 'Phone Number'],
    ['in_pin_code', 'Pin Code'],
    ['house_number', 'Flat/House Number'],
    ['floor_number', 'Floor Number'],
    ['tower_number', 'Tower Number'],
    ['building_name', 'Building/Apartment Name'],
    ['address', 'Address'],
    ['landmark_area', 'Landmark/Area'],
    ['unit_number', 'Unit Number'],
    ['city', 'City'],
    ['state', 'State'],
  ],
  SG: [
    ['name', 'Name'],
    ['phone_number', 'Phone Number'],
    ['sg_post_code', 'Post Code'],
    ['landmark_area', 'Landmark/Area'],
  ],
};

function AddressForm({
  country,
  message,
  onAnswer,
}: {
  country: string;
  message: PhoneMessage;
  onAnswer: OnAnswer;
}): VNode {
  const [open, setOpen] = useState(false);
  const send = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [
      name,
      String(value).trim(),
    ]);
    const values: Record<string, string> = Object.fromEntries(entries.filter(([, value]) => value !== ''));
    setOpen(false);
    void onAnswer({ type: 'address', values }, message.id);
  };
  if (!open)
    return html`<div class="phone-taps"><button type="button" onClick=${() => setOpen(true)}>Provide address</button></div>`;
  return html`<form class="phone-address" aria-label="Address" onSubmit=${send}>
    ${(ADDRESS_FIELDS[country] ?? []).map(
      ([name, label]) => html`<label key=${name}>${label}<input class="text-input" name=${name} /></label>`,
    )}
    <button type="submit">Send address</button>
  </form>`;
}

/** Writes back to whoever wrote last. */
export function ReplyField({ number, onAnswer }: { number: string; onAnswer: OnAnswer }): VNode {
  const [problem, setProblem] = useState<string>();
  const send = async (event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const text = String(new FormData(form).get('text') ?? '').trim();
    if (text === '') return;
    form.reset();
    setProblem(await onAnswer({ type: 'text', text }));
  };
  return html`<form class="phone-reply" onSubmit=${(event: never) => void send(event)}>
    <input class="text-input" name="text" autocomplete="off" placeholder="Reply"
      aria-label=${`Reply from ${number}`} />
    <button type="submit" aria-label=${`Send reply from ${number}`}>↑</button>
    ${problem && html`<p class="phone-problem" role="alert">${problem}</p>`}
  </form>`;
}
