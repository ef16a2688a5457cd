import type { VNode } from 'preact';
import type { SandboxMessage } from '../../protocol.ts';
import { useWorkspace } from '../context.ts';
import { html } from '../html.ts';
import { Icon } from '../icons.ts';
import { Menu } from '../menu.ts';
import { problemSentence } from '../problems.ts';
import { ReactionMenu } from './reactions.ts';

/** Shown while the pointer or the focus is on the message. */
export function MessageTools({
  message,
  onOpenThread,
  onEdit,
}: {
  message: SandboxMessage;
  /** Absent inside a thread. */
  onOpenThread: ((ts: string) => void) | undefined;
  onEdit: () => void;
}): VNode {
  const { me, snapshot, perform, notify, bootstrap } = useWorkspace();
  const items = snapshot.shortcuts
    .filter((shortcut) => shortcut.type === 'message')
    .map((shortcut) => ({
      key: shortcut.callbackId,
      label: shortcut.name,
      detail: shortcut.description,
      run: async () => {
        const { channel, ts } = message;
        const what = {
          type: 'message_shortcut',
          as: me.id,
          callbackId: shortcut.callbackId,
          channel,
          ts,
        } as const;
        const result = await perform(what);
        if (!result.ok) notify(problemSentence(result, bootstrap.app.name));
      },
    }));
  return html`<div class="message-tools">
    <${ReactionMenu} message=${message} />
    ${
      message.user === me.id &&
      html`<button type="button" class="icon-button" aria-label="Edit message" title="Edit message"
      onClick=${onEdit}><${Icon} name="edit" /></button>`
    }
    ${
      onOpenThread &&
      html`<button type="button" class="icon-button" aria-label="Reply in thread" title="Reply in thread"
      onClick=${() => onOpenThread(message.ts)}><${Icon} name="reply" /></button>`
    }
    ${
      items.length > 0 &&
      html`<${Menu} label="More actions" title="Message shortcuts" className="icon-button" align="end"
        items=${items}>
      <${Icon} name="more" /><//>`
    }
  </div>`;
}
