import type { ComponentChild, VNode } from 'preact';
import { html } from '../html.ts';
import { emojiCharacter } from '../text/emoji.ts';
import { type Inline, isSafeLink } from '../text/nodes.ts';
import { drawEmoji, drawText, Inlines } from '../text/view.ts';
import type { RichElement } from './types.ts';

/** `rich_text`: formatting given as a tree, where every text is letters and nothing else. */
export function RichText({ elements }: { elements: RichElement[] | undefined }): VNode {
  const drawn: ComponentChild[] = [];
  const counts: number[] = [];
  for (const element of elements ?? []) {
    if (element.type === 'rich_text_list') drawn.push(drawList(element, counts));
    else {
      counts.length = 0;
      drawn.push(drawSection(element));
    }
  }
  return html`<div class="rich">${drawn}</div>`;
}

function drawSection(section: RichElement): VNode {
  const children = section.elements?.map(drawInline);
  switch (section.type) {
    case 'rich_text_quote':
      return html`<blockquote>${children}</blockquote>`;
    case 'rich_text_preformatted':
      return html`<pre>${children}</pre>`;
    default:
      return html`<p>${children}</p>`;
  }
}

const BULLETS = ['•', '◦', '▪'];

/** Slack sends a nested list as several lists with indents; numbering goes on across them by level. */
function drawList(list: RichElement, counts: number[]): VNode {
  const indent = list.indent ?? 0;
  const ordered = list.style === 'ordered';
  counts.length = indent + 1;
  const items = list.elements?.map((item) => {
    counts[indent] = (counts[indent] ?? list.offset ?? 0) + 1;
    const mark = ordered ? `${counts[indent]}.` : BULLETS[indent % BULLETS.length];
    return html`<li style=${{ marginInlineStart: `${indent * 22}px` }}>
      <span class="list-mark"
        aria-hidden="true">${mark}</span><span>${item.elements?.map(drawInline)}</span></li>`;
  });
  const look = list.border ? 'list list-border' : 'list';
  return ordered
    ? html`<ol class=${look} start=${(list.offset ?? 0) + 1}>${items}</ol>`
    : html`<ul class=${look}>${items}</ul>`;
}

function drawInline(element: RichElement): ComponentChild {
  const styled = (content: ComponentChild) => withStyle(content, element.style);
  switch (element.type) {
    case 'text':
      return styled(drawLines(element.text ?? ''));
    case 'link':
      return styled(drawLink(element));
    case 'emoji':
      return drawEmoji(emojiOf(element), element.name ?? '');
    case 'color':
      return html`<span class="color-chip"><span
        style=${{ background: element.value }}></span>${element.value}</span>`;
    default: {
      const node = referenceNode(element);
      return node ? styled(html`<${Inlines} nodes=${[node]} />`) : (element.text ?? '');
    }
  }
}

function drawLines(text: string): ComponentChild {
  return text
    .split('\n')
    .flatMap((line, index) => (index === 0 ? [drawText(line)] : [html`<br />`, drawText(line)]));
}

function drawLink(element: RichElement): ComponentChild {
  const url = element.url ?? '';
  const text = element.text ?? url;
  return isSafeLink(url) ? html`<a href=${url} target="_blank" rel="noreferrer noopener">${text}</a>` : text;
}

function emojiOf(element: RichElement): string {
  if (!element.unicode) return emojiCharacter(element.name ?? '');
  return String.fromCodePoint(...element.unicode.split('-').map((code) => Number.parseInt(code, 16)));
}

function referenceNode(element: RichElement): Inline | undefined {
  switch (element.type) {
    case 'user':
      return { type: 'user', id: element.user_id ?? '' };
    case 'channel':
      return { type: 'channel', id: element.channel_id ?? '' };
    case 'usergroup':
      return { type: 'usergroup', id: element.usergroup_id ?? '' };
    case 'broadcast':
      return { type: 'broadcast', range: element.range ?? 'here' };
    case 'date':
      return {
        type: 'date',
        epochSeconds: element.timestamp ?? 0,
        format: element.format ?? '{date}',
        fallback: element.fallback ?? '',
        ...(element.url && isSafeLink(element.url) ? { url: element.url } : {}),
      };
    default:
      return undefined;
  }
}

function withStyle(content: ComponentChild, style: RichElement['style']): ComponentChild {
  if (!style || typeof style === 'string') return content;
  let styled = content;
  if (style.code) styled = html`<code>${styled}</code>`;
  if (style.strike) styled = html`<s>${styled}</s>`;
  if (style.italic) styled = html`<em>${styled}</em>`;
  if (style.bold) styled = html`<strong>${styled}</strong>`;
  return styled;
}
