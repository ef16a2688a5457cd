import type { ComponentChild, VNode } from 'preact';
import { userName, useWorkspace, type Workspace } from '../context.ts';
import { html } from '../html.ts';
import { fullTime, slackDate } from '../time.ts';
import { splitAtDrawnEmoji } from './drawn-emoji.ts';
import { emojiCharacter, plainWords } from './emoji.ts';
import { emojiDrawing } from './emoji-art.ts';
import { parseMarkdown } from './markdown.ts';
import { parseMrkdwn, parseMrkdwnInline } from './mrkdwn.ts';
import type { Inline, ListItem, TextBlock } from './nodes.ts';

interface PlainTextObject {
  text: string;
  emoji?: boolean;
}

/** A text object, a mrkdwn string or a Markdown string as vnodes. Nothing here ever becomes raw HTML. */

export function Mrkdwn({ text }: { text: string }): VNode {
  return html`<div class="rich">${parseMrkdwn(text).map(drawBlock)}</div>`;
}

export function Markdown({ text }: { text: string }): VNode {
  return html`<div class="rich markdown">${parseMarkdown(text).map(drawBlock)}</div>`;
}

export function MrkdwnInline({ text }: { text: string }): VNode {
  return html`<span class="rich-inline"><${Inlines} nodes=${parseMrkdwnInline(text)} /></span>`;
}

/** `plain_text`: emoji names become emoji unless it says `emoji: false`, everything else is letters. */
export function PlainText({ text }: { text: string | PlainTextObject | undefined }): VNode {
  const { text: words, emoji } = typeof text === 'string' ? { text } : (text ?? { text: '' });
  return html`<span class="plain">${drawText(plainWords(words, emoji))}</span>`;
}

export function TextObject({
  text,
  inline,
}: {
  text: ({ type: string } & PlainTextObject) | undefined;
  inline?: boolean;
}): VNode | null {
  if (!text) return null;
  if (text.type !== 'mrkdwn') return html`<${PlainText} text=${text} />`;
  return inline ? html`<${MrkdwnInline} text=${text.text} />` : html`<${Mrkdwn} text=${text.text} />`;
}

function drawBlock(block: TextBlock): VNode {
  switch (block.type) {
    case 'paragraph':
      return html`<p><${Inlines} nodes=${block.children} /></p>`;
    case 'heading':
      return html`<div class=${`heading heading-${block.level}`} role="heading" aria-level=${block.level + 2}>
        <${Inlines} nodes=${block.children} />
      </div>`;
    case 'quote':
      return html`<blockquote><${Inlines} nodes=${block.children} /></blockquote>`;
    case 'preformatted':
      return html`<pre>${block.text}</pre>`;
    case 'list':
      return html`<ul class="list">${block.items.map(drawItem)}</ul>`;
    case 'rule':
      return html`<hr />`;
    case 'table':
      return html`<div class="table-scroll"><table>
        <thead><tr>${block.header.map((cell) => html`<th><${Inlines} nodes=${cell} /></th>`)}</tr></thead>
        <tbody>${block.rows.map(
          (row) =>
            html`<tr>${row.map(
              (cell) => html`<td><${Inlines}
          nodes=${cell} /></td>`,
            )}</tr>`,
        )}</tbody>
      </table></div>`;
  }
}

const BULLETS = ['•', '◦', '▪'];

function drawItem(item: ListItem): VNode {
  const mark = item.ordered ? `${item.position}.` : BULLETS[item.indent % BULLETS.length];
  return html`<li style=${{ marginInlineStart: `${item.indent * 22}px` }}>
    <span class="list-mark" aria-hidden="true">${mark}</span>
    <span><${Inlines} nodes=${item.children} /></span>
  </li>`;
}

export function Inlines({ nodes }: { nodes: readonly Inline[] }): ComponentChild[] {
  const workspace = useWorkspace();
  return nodes.map((node) => drawInline(node, workspace));
}

function drawInline(node: Inline, workspace: Workspace): ComponentChild {
  const children = () => ('children' in node ? node.children.map((one) => drawInline(one, workspace)) : []);
  switch (node.type) {
    case 'text':
      return drawText(node.text);
    case 'break':
      return html`<br />`;
    case 'bold':
      return html`<strong>${children()}</strong>`;
    case 'italic':
      return html`<em>${children()}</em>`;
    case 'strike':
      return html`<s>${children()}</s>`;
    case 'code':
      return html`<code>${node.text}</code>`;
    case 'link':
      return html`<a href=${node.url} target="_blank" rel="noreferrer noopener">${children()}</a>`;
    case 'user':
      return html`<${Mention} id=${node.id} text=${`@${userName(workspace, node.id)}`} />`;
    case 'usergroup':
      return html`<span class="mention">@${groupHandle(workspace, node.id) ?? node.label ?? node.id}</span>`;
    case 'channel':
      return html`<${ChannelLink} id=${node.id} label=${node.label} />`;
    case 'broadcast':
      return html`<span class="mention mention-loud">@${node.range}</span>`;
    case 'date':
      return drawDate(node, workspace);
    case 'emoji':
      return drawEmoji(emojiCharacter(node.name), node.name);
  }
}

function groupHandle(workspace: Workspace, id: string): string | undefined {
  return workspace.snapshot.userGroups.find((group) => group.id === id)?.handle;
}

function Mention({ id, text }: { id: string; text: string }): VNode {
  const { me } = useWorkspace();
  return html`<span class=${id === me.id ? 'mention mention-me' : 'mention'}>${text}</span>`;
}

function ChannelLink({ id, label }: { id: string; label?: string }): VNode {
  const { snapshot, openChannel } = useWorkspace();
  const channel = snapshot.channels.find((one) => one.id === id);
  const name = `#${channel?.name ?? label ?? id}`;
  if (!channel) return html`<span class="mention">${name}</span>`;
  return html`<button type="button" class="mention mention-link"
    onClick=${() => openChannel(id)}>${name}</button>`;
}

function drawDate(node: Inline & { type: 'date' }, { me }: Workspace): VNode {
  const date = new Date(node.epochSeconds * 1000);
  const text = slackDate(node.epochSeconds, node.format, me.tz, new Date());
  const time = html`<time datetime=${date.toISOString()} title=${fullTime(date, me.tz)}>${text}</time>`;
  return node.url ? html`<a href=${node.url} target="_blank" rel="noreferrer noopener">${time}</a>` : time;
}

/** Plain characters, with the emoji that we draw ourselves in their places. */
export function drawText(text: string): ComponentChild {
  const parts = splitAtDrawnEmoji(text);
  if (parts.length === 1) return text;
  return parts.map((part, index) => (index % 2 === 1 ? drawEmoji(part, part) : part));
}

export function drawEmoji(character: string, name: string): VNode {
  const label = character === name ? character : `:${name}:`;
  const drawing = emojiDrawing(character);
  return html`<span class="emoji" role="img" aria-label=${label}
    title=${label}>${drawing ?? character}</span>`;
}
