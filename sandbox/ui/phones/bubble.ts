import type { VNode } from 'preact';
import type { PhoneMessage } from '../../protocol.ts';
import { fileName, Picture } from '../blocks/picture.ts';
import { html } from '../html.ts';
import { Icon } from '../icons.ts';
import { drawText } from '../text/view.ts';
import type { Answer, OnAnswer } from './answering.ts';
import { BubbleAction, BubbleHeader } from './interactive.ts';

export const CHANNEL_NAMES: Readonly<Record<PhoneMessage['channel'], string>> = {
  chatapp: 'Chat app',
  rcs: 'RCS',
  sms: 'SMS',
  flash: 'Flash SMS',
};

type Media = NonNullable<PhoneMessage['media']>[number];

/** One message as the phone's own app shows it. */
export function Bubble({
  message,
  time,
  onAnswer,
}: {
  message: PhoneMessage;
  time: string;
  onAnswer: OnAnswer;
}): VNode {
  const media = message.media ?? [];
  const template = message.templateName ? `Template ${message.templateName}` : undefined;
  const text = html`<div class="bubble-text">${drawText(message.text)}</div>`;
  const hasTicks = (message.channel === 'chatapp' || message.report !== undefined) && !message.outgoing;
  const foot = html`<div class="bubble-time">${time}${hasTicks && html`<${Ticks} report=${message.report} />`}</div>`;
  if (message.channel === 'rcs' && media.length > 1) {
    return html`<div class="bubble-group" title=${template}>
      <div class=${`bubble bubble-${message.channel}`}>${text}${foot}</div>
      <${Carousel} media=${media} />
    </div>`;
  }
  const side = message.outgoing ? ' bubble-outgoing' : '';
  return html`<div class=${`bubble bubble-${message.channel}${side}`} title=${template}>
    ${media.map((one) => html`<${Medium} key=${one.link} medium=${one} />`)}
    <${BubbleHeader} message=${message} />${text}${
      message.interactive &&
      html`<${BubbleAction} interactive=${message.interactive}
      onAnswer=${(answer: Answer) => void onAnswer(answer, message.id)} />`
    }${foot}
  </div>`;
}

/** One for a message that was taken, two once it arrived, in colour once it was read. */
function Ticks({ report }: { report: PhoneMessage['report'] }): VNode {
  const tick = html`<${Icon} name="check" size=${12} />`;
  return html`<span class=${`ticks ticks-${report ?? 'taken'}`} role="img"
    aria-label=${report ?? 'taken by the service'}>${tick}${report && tick}</span>`;
}

function Medium({ medium }: { medium: Media }): VNode {
  if (medium.type === 'image')
    return html`<${Picture} url=${medium.link} alt=${fileName(medium.link)} className="bubble-picture" />`;
  const name = medium.filename ?? fileName(medium.link);
  const kind = name.includes('.') ? (name.split('.').at(-1) ?? '').toUpperCase() : medium.type;
  return html`<a class="bubble-file" href=${medium.link} target="_blank" rel="noreferrer noopener">
    <span class="file-kind">${kind}</span><span>${name}</span></a>`;
}

function Carousel({ media }: { media: Media[] }): VNode {
  return html`<div class="carousel" role="group" tabindex="0"
    aria-label=${`Carousel of ${media.length} cards`}>
    ${media.map(
      (one, index) => html`<div class="carousel-card" key=${index}>
      <${Picture} url=${one.link} alt=${`Card ${index + 1}: ${fileName(one.link)}`}
        className="carousel-picture" />
      <div class="carousel-words">Card ${index + 1} of ${media.length}</div>
    </div>`,
    )}
  </div>`;
}
