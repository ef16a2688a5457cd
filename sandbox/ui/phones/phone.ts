import type { VNode } from 'preact';
import type { PhoneMessage } from '../../protocol.ts';
import type { Phone } from '../carrier-state.ts';
import { html } from '../html.ts';
import { memo } from '../memo.ts';
import { drawText } from '../text/view.ts';
import { clockTime } from '../time.ts';
import { type Answer, type OnAnswer, ReplyField } from './answering.ts';
import { Bubble, CHANNEL_NAMES } from './bubble.ts';

/** The latest messages; a phone that is flooded does not draw more. */
const MOST_DRAWN = 50;

interface PhoneProps {
  phone: Phone;
  tz: string;
  onDismiss: (number: string, id: string) => void;
  /** `messageId` absent: the newest message is answered. */
  onAnswer: (phone: Phone, answer: Answer, messageId?: string) => ReturnType<OnAnswer>;
}

export const PhoneView = memo(({ phone, tz, onDismiss, onAnswer: answer }: PhoneProps): VNode => {
  const inbox = phone.inbox.slice(-MOST_DRAWN);
  const onAnswer: OnAnswer = (...given) => answer(phone, ...given);
  const overlay = phone.overlays.at(-1);
  const shownAt = clockTime(phone.lastAt > 0 ? new Date(phone.lastAt) : new Date(), tz);
  return html`<section class="phone" aria-label=${`Phone ${phone.number}, ${phone.name ?? 'a customer'}`}>
    <div class="phone-name"><strong>${phone.name ?? 'Customer'}</strong><span>${phone.number}</span></div>
    <div class="phone-body"><div class="phone-screen">
      <div class="phone-status" aria-hidden="true"><span>${shownAt}</span><span
        class="phone-notch"></span><${StatusSigns} /></div>
      <div class="phone-list" tabindex="0" role="log" aria-label=${`Messages on ${phone.number}`}>
        ${
          inbox.length === 0
            ? html`<p class="phone-empty">No messages</p>`
            : html`<div class="phone-messages">${inbox.map(
                (message, index) => html`<${Dated} key=${message.id} message=${message}
          before=${inbox[index - 1]} tz=${tz} onAnswer=${onAnswer} />`,
              )}</div>`
        }
      </div>
      ${inbox.length > 0 && html`<${ReplyField} number=${phone.number} onAnswer=${onAnswer} />`}
      ${
        overlay &&
        html`<${FlashOverlay} key=${overlay.id} message=${overlay} waiting=${phone.overlays.length - 1}
        onDismiss=${() => onDismiss(phone.number, overlay.id)} onAnswer=${onAnswer} />`
      }
      <span class="phone-bar" aria-hidden="true"></span>
    </div></div>
  </section>`;
});

/** A conversation's heading wherever another sender or channel begins. */
function Dated({
  message,
  before,
  tz,
  onAnswer,
}: {
  message: PhoneMessage;
  before: PhoneMessage | undefined;
  tz: string;
  onAnswer: OnAnswer;
}): VNode[] {
  const same = before?.channel === message.channel && before.from === message.from;
  const heading = html`<div class="phone-sender"><span
    class=${`channel-sign channel-${message.channel}`}>${CHANNEL_NAMES[message.channel]}</span>
    ${message.from}</div>`;
  return [
    ...(same ? [] : [heading]),
    html`<${Bubble} message=${message} time=${clockTime(new Date(message.at), tz)} onAnswer=${onAnswer} />`,
  ];
}

/**
 * A flash message lies over whatever the phone shows, and once dismissed it is nowhere. It has no answer of its own:
 * people write an SMS to its sender.
 */
function FlashOverlay({
  message,
  waiting,
  onDismiss,
  onAnswer,
}: {
  message: PhoneMessage;
  waiting: number;
  onDismiss: () => void;
  onAnswer: OnAnswer;
}): VNode {
  const id = `flash-${message.id}`;
  const answer: OnAnswer = async (given) => {
    const problem = await onAnswer(given, message.id);
    if (problem === undefined) onDismiss();
    return problem;
  };
  return html`<div class="flash-cover"><div class="flash" role="alertdialog" aria-labelledby=${`${id}-from`}
    aria-describedby=${`${id}-text`}>
    <div class="flash-from" id=${`${id}-from`}>Flash message from ${message.from}</div>
    <div class="flash-text" id=${`${id}-text`}>${drawText(message.text)}</div>
    ${waiting > 0 && html`<div class="flash-waiting">${waiting} more waiting</div>`}
    <${ReplyField} number=${message.number} onAnswer=${answer} label="Reply by SMS" />
    <div class="flash-buttons"><button type="button" onClick=${onDismiss}>Dismiss</button></div>
  </div></div>`;
}

function StatusSigns(): VNode {
  return html`<svg width="46" height="12" viewBox="0 0 46 12" fill="currentColor">
    <rect x="0" y="8" width="2.6" height="4" rx=".8" /><rect x="4" y="5.5" width="2.6" height="6.5" rx=".8" />
    <rect x="8" y="3" width="2.6" height="9" rx=".8" /><rect x="12" y=".5" width="2.6" height="11.5"
      rx=".8" />
    <rect x="22.5" y="1.5" width="19" height="9.5" rx="2.8" fill="none" stroke="currentColor"
      stroke-opacity=".5" />
    <rect x="24" y="3" width="13" height="6.5" rx="1.6" /><rect x="42.6" y="4.5" width="1.6" height="3.5"
      rx=".8" fill-opacity=".5" />
  </svg>`;
}
