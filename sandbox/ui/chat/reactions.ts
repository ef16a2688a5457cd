import type { VNode } from 'preact';
import type { SandboxMessage } from '../../protocol.ts';
import { userName, useWorkspace } from '../context.ts';
import { html } from '../html.ts';
import { Icon } from '../icons.ts';
import { Menu } from '../menu.ts';
import { problemSentence } from '../problems.ts';
import { PlainText } from '../text/view.ts';

/** What the page offers; a test can react with any. */
const OFFERED = ['+1', 'eyes', 'white_check_mark', 'tada', 'x'];

/** Puts this person's emoji on a message, or takes it off again. */
function useReacting({ channel, ts, reactions }: SandboxMessage): (name: string) => Promise<void> {
  const { me, perform, notify, bootstrap } = useWorkspace();
  return async (name) => {
    const isTakenBack = isMine(reactions, name, me.id);
    const result = await perform({ type: 'react', as: me.id, channel, ts, name, isTakenBack });
    if (!result.ok) notify(problemSentence(result, bootstrap.app.name));
  };
}

function isMine(reactions: SandboxMessage['reactions'], name: string, userId: string): boolean {
  return reactions?.find((one) => one.name === name)?.users.includes(userId) === true;
}

/** The emoji under a message. A click adds one's own, or takes it back. */
export function Reactions({ message }: { message: SandboxMessage }): VNode | null {
  const workspace = useWorkspace();
  const react = useReacting(message);
  const { reactions = [] } = message;
  if (reactions.length === 0) return null;
  return html`<div class="message-reactions">${reactions.map(({ name, users }) => {
    const people = users.map((id) => userName(workspace, id)).join(', ');
    return html`<button type="button" class="reaction" key=${name} title=${people}
      aria-label=${`${name}, ${users.length}: ${people}`} aria-pressed=${users.includes(workspace.me.id)}
      onClick=${() => void react(name)}><${PlainText} text=${`:${name}:`} /> ${users.length}</button>`;
  })}</div>`;
}

export function ReactionMenu({ message }: { message: SandboxMessage }): VNode {
  const react = useReacting(message);
  const items = OFFERED.map((name) => ({
    key: name,
    label: name,
    icon: html`<${PlainText} text=${`:${name}:`} />`,
    run: () => void react(name),
  }));
  return html`<${Menu} label="Add a reaction" className="icon-button" align="end" items=${items}>
    <${Icon} name="smile" /><//>`;
}
