import type { VNode } from 'preact';
import { Blocks } from '../blocks/block.ts';
import { Picture } from '../blocks/picture.ts';
import type { Block } from '../blocks/types.ts';
import { useWorkspace } from '../context.ts';
import { html } from '../html.ts';
import { isSafeLink } from '../text/nodes.ts';
import { Mrkdwn, MrkdwnInline } from '../text/view.ts';
import { slackDate } from '../time.ts';

/** Slack's older way to add to a message; monitoring tools still post alerts in it. */
export interface Attachment {
  color?: string;
  pretext?: string;
  author_name?: string;
  title?: string;
  title_link?: string;
  text?: string;
  fields?: { title?: string; value?: string; short?: boolean }[];
  image_url?: string;
  footer?: string;
  ts?: number | string;
  blocks?: Block[];
  fallback?: string;
}

const NAMED_COLORS: Readonly<Record<string, string>> = {
  good: '#2eb886',
  warning: '#daa038',
  danger: '#d0342c',
};

function barColor(color: string | undefined): string | undefined {
  if (!color) return undefined;
  if (NAMED_COLORS[color]) return NAMED_COLORS[color];
  return /^#?[0-9a-f]{3,8}$/i.test(color) ? `#${color.replace('#', '')}` : undefined;
}

export function AttachmentView({ attachment }: { attachment: Attachment }): VNode {
  const { me } = useWorkspace();
  const { title, title_link: link, fields, footer, ts, blocks } = attachment;
  const when =
    ts === undefined ? '' : slackDate(Number(ts), '{date_short_pretty} at {time}', me.tz, new Date());
  const hasLegacy = attachment.text || title || fields || attachment.author_name;
  return html`<div>
    ${attachment.pretext && html`<${Mrkdwn} text=${attachment.pretext} />`}
    <div class="attachment" style=${{ '--bar': barColor(attachment.color) }}>
      ${attachment.author_name && html`<div class="attachment-author">${attachment.author_name}</div>`}
      ${
        title &&
        html`<div class="attachment-title">${
          link && isSafeLink(link)
            ? html`<a href=${link} target="_blank" rel="noreferrer noopener"><${MrkdwnInline}
              text=${title} /></a>`
            : html`<${MrkdwnInline} text=${title} />`
        }</div>`
      }
      ${attachment.text && html`<${Mrkdwn} text=${attachment.text} />`}
      ${
        fields &&
        html`<div class="section-fields">${fields.map(
          (field) => html`<div class=${field.short ? 'section-field' : 'section-field is-wide'}>
          <strong>${field.title}</strong><${Mrkdwn} text=${field.value ?? ''} /></div>`,
        )}</div>`
      }
      ${blocks && html`<${Blocks} blocks=${blocks} />`}
      ${!blocks && !hasLegacy && attachment.fallback && html`<${Mrkdwn} text=${attachment.fallback} />`}
      ${
        attachment.image_url &&
        html`<${Picture} url=${attachment.image_url} alt=${title}
        className="block-picture" />`
      }
      ${
        (footer || when) &&
        html`<div
        class="attachment-footer">${[footer, when].filter(Boolean).join(' · ')}</div>`
      }
    </div>
  </div>`;
}
