import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { SandboxMessage } from '../../protocol.ts';
import { Avatar } from '../avatar.ts';
import { Blocks } from '../blocks/block.ts';
import { sizeLabel } from '../blocks/file-input.ts';
import { ScopeProvider } from '../blocks/scope.ts';
import type { Block } from '../blocks/types.ts';
import { useMessageScope } from '../blocks/use-scope.ts';
import { findUser, userName, useWorkspace, type Workspace } from '../context.ts';
import { html } from '../html.ts';
import { Icon } from '../icons.ts';
import { memo } from '../memo.ts';
import { problemSentence } from '../problems.ts';
import { decodeEntities } from '../text/nodes.ts';
import { Mrkdwn } from '../text/view.ts';
import { agoLabel, clockTime, dateOfTs, fullTime } from '../time.ts';
import { type Attachment, AttachmentView } from './attachment.ts';
import { MessageEditor } from './message-editor.ts';
import { MessageTools } from './message-tools.ts';
import { Reactions } from './reactions.ts';

export interface MessageRowProps {
  message: SandboxMessage;
  /** The same sender just before: no picture and no name again. */
  continued: boolean;
  /** A link led here. */
  marked: boolean;
  /** In its thread; absent: none. */
  replies?: number | undefined;
  lastReplyTs?: string | undefined;
  /** Absent inside a thread. */
  onOpenThread?: ((ts: string) => void) | undefined;
}

export const MessageRow = memo((props: MessageRowProps): VNode => {
  const { message, continued, marked, replies, lastReplyTs, onOpenThread } = props;
  const workspace = useWorkspace();
  const [problem, setProblem] = useState<string>();
  const [editing, setEditing] = useState(false);
  const scope = useMessageScope(message, (result) => {
    const sentence = result.ok ? undefined : problemSentence(result, workspace.bootstrap.app.name);
    // What was clicked has changed meanwhile: nothing is wrong with what stands there now.
    const isOld = !result.ok && result.error === 'not_found';
    if (isOld && sentence) workspace.notify(sentence);
    setProblem(isOld ? undefined : sentence);
  });
  const sender = senderOf(message, workspace);
  const date = dateOfTs(message.ts);
  const time = html`<time class="message-time" datetime=${date.toISOString()}
    title=${fullTime(date, workspace.me.tz)}>
    ${clockTime(date, workspace.me.tz)}</time>`;
  const isEphemeral = message.ephemeralFor !== undefined;
  const className = `message ${continued ? 'is-continued' : ''} ${isEphemeral ? 'is-ephemeral' : ''} ${marked ? 'is-marked' : ''}`;

  return html`<article class=${className} tabindex=${marked ? -1 : undefined}
    aria-label=${nameOf(message, sender.name, clockTime(date, workspace.me.tz))} data-ts=${message.ts}>
    <div class="message-side">${
      continued
        ? time
        : html`<${Avatar} name=${sender.name} color=${sender.color}
      kind=${sender.kind} />`
    }</div>
    <div class="message-main">
      ${
        isEphemeral &&
        html`<div class="message-ephemeral"><${Icon} name="lock"
        size=${13} />Only visible to you</div>`
      }
      ${
        !continued &&
        html`<header class="message-header"><span class="message-sender">${sender.name}</span>
        ${sender.kind !== 'person' && html`<span class="badge">App</span>`}${time}</header>`
      }
      <div class="message-body">${
        editing
          ? html`<${MessageEditor} message=${message} onDone=${() => setEditing(false)} />`
          : html`<${ScopeProvider} value=${scope}><${Content} message=${message} /><//>`
      }</div>
      <${Reactions} message=${message} />
      ${problem && html`<div class="message-problem" role="alert">${problem}</div>`}
      ${
        onOpenThread &&
        replies &&
        lastReplyTs &&
        html`<button type="button" class="thread-link" onClick=${() => onOpenThread(message.ts)}>
        <strong>${replies === 1 ? '1 reply' : `${replies} replies`}</strong>
        <span>Last reply ${agoLabel(dateOfTs(lastReplyTs), new Date())}</span></button>`
      }
    </div>
    ${!isEphemeral && html`<${MessageTools} message=${message} onOpenThread=${onOpenThread} onEdit=${() => setEditing(true)} />`}
  </article>`;
});

/** How much of its text the name of a message holds. */
const NAMED_BY = 80;

/** What a screen reader calls a message: who, when, how it begins, and whether others see it. */
function nameOf({ text, ephemeralFor }: SandboxMessage, sender: string, time: string): string {
  const read = decodeEntities(text);
  const words = read.length > NAMED_BY ? `${read.slice(0, NAMED_BY)}…` : read;
  return [sender, time, ephemeralFor && 'only visible to you', words].filter(Boolean).join(', ');
}

export function senderOf(
  message: SandboxMessage,
  workspace: Workspace,
): { key: string; name: string; color?: string | undefined; kind: 'person' | 'app' | 'otherApp' } {
  const { app } = workspace.bootstrap;
  const user = findUser(workspace, message.user);
  const isBot = message.bot_id !== undefined || user?.isBot === true;
  if (message.user === app.botUserId)
    return { key: app.botUserId, name: message.username ?? app.name, kind: 'app' };
  const name = message.username ?? userName(workspace, message.user);
  return {
    key: `${message.user ?? ''}${name}`,
    name,
    color: user?.color,
    kind: isBot ? 'otherApp' : 'person',
  };
}

function Content({ message }: { message: SandboxMessage }): VNode {
  const blocks = message.blocks as Block[] | undefined;
  const attachments = message.attachments as Attachment[] | undefined;
  const edited = message.edited ? html`<span class="message-edited">(edited)</span>` : null;
  return html`<div>
    ${
      blocks && blocks.length > 0
        ? html`<${Blocks} blocks=${blocks} />`
        : message.text &&
          html`<${Mrkdwn}
      text=${message.text} />`
    }
    ${edited}
    ${attachments?.map((attachment) => html`<${AttachmentView} attachment=${attachment} />`)}
    ${message.files?.map(
      (
        file,
      ) => html`<a class="file" key=${file.id} href=${onThisPage(file.url_private_download)} download=${file.name}>
      <${Icon} name="file" /><span class="file-name">${file.name}</span><span
        class="file-size">${sizeLabel(file.size)}</span></a>`,
    )}
  </div>`;
}

/** The workspace’s files, at the address by which this page was opened: only from there they are handed out. */
function onThisPage(url: string): string {
  return new URL(url, location.href).pathname;
}
