import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SandboxChannel, SandboxMessage } from '../../protocol.ts';
import { useWorkspace } from '../context.ts';
import { html } from '../html.ts';
import { Icon } from '../icons.ts';
import { type LinkedMessage, useLinked } from '../message-link.ts';
import { threadReplies } from '../workspace-state.ts';
import { Composer } from './composer.ts';
import { MessageRow } from './message.ts';

export function ThreadPane({
  channel,
  parent,
  messages,
  linked,
  onClose,
}: {
  channel: SandboxChannel;
  parent: SandboxMessage;
  messages: readonly SandboxMessage[];
  linked: LinkedMessage | undefined;
  onClose: () => void;
}): VNode {
  const { me, bootstrap } = useWorkspace();
  const end = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const replies = threadReplies(messages, parent, me.id);
  useEffect(() => end.current?.scrollIntoView({ block: 'end' }), [replies.length, parent.ts]);
  useLinked(list, linked);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
  };
  const count = replies.length === 1 ? '1 reply' : `${replies.length} replies`;
  return html`<aside class="thread" aria-label="Thread" onKeyDown=${onKeyDown}>
    <header class="channel-header">
      <div class="channel-heading"><h2>Thread</h2><p>${channel.kind === 'im' ? bootstrap.app.name : `#${channel.name}`}</p></div>
      <button type="button" class="icon-button" aria-label="Close the thread" onClick=${onClose}><${Icon}
        name="close" /></button>
    </header>
    <div class="thread-messages" ref=${list} role="log" aria-label="Replies" tabindex="0">
      <${MessageRow} message=${parent} continued=${false} marked=${false} />
      ${replies.length > 0 && html`<div class="thread-count"><span>${count}</span></div>`}
      ${replies.map(
        (reply) => html`<${MessageRow} key=${reply.ts} message=${reply} continued=${false}
        marked=${reply.ts === linked?.ts} />`,
      )}
      <div ref=${end}></div>
    </div>
    ${
      !channel.isReadOnly &&
      html`<${Composer} channelId=${channel.id} threadTs=${parent.ts} label="Reply in thread"
        onNote=${() => undefined} />`
    }
  </aside>`;
}
