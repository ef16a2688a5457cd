import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { SandboxChannel, SandboxMessage } from '../../protocol.ts';
import { Avatar, HeraldSign } from '../avatar.ts';
import { userName, useWorkspace } from '../context.ts';
import { html } from '../html.ts';
import { Icon } from '../icons.ts';
import { type LinkedMessage, useLinked } from '../message-link.ts';
import { problemSentence } from '../problems.ts';
import { THINGS_TO_TRY } from '../things-to-try.ts';
import { channelMessages, compareTs, threadsOf } from '../workspace-state.ts';
import { AlertPoster } from './alert-poster.ts';
import { Composer } from './composer.ts';
import { MessageList } from './message-list.ts';

/** Where the machines of the sandbox's team post. */
const ALERT_CHANNEL = 'C0ALERTS';

/** Who speaks when the workspace itself has something to say about a command. */
const SLACKBOT = 'Slackbot';

export function ChannelView({
  channel,
  messages: all,
  notes,
  linked,
  onNote,
  onOpenThread,
}: {
  channel: SandboxChannel;
  /** Of every channel. */
  messages: readonly SandboxMessage[];
  /** Lines of this page alone. */
  notes: SandboxMessage[];
  /** The message to bring into sight. */
  linked: LinkedMessage | undefined;
  onNote: (message: SandboxMessage) => void;
  onOpenThread: (ts: string) => void;
}): VNode {
  const workspace = useWorkspace();
  const { me, bootstrap } = workspace;
  const area = useRef<HTMLElement>(null);
  // Here and not in the list: after the composer, which takes the focus when a channel opens.
  useLinked(area, linked);
  const isConversation = channel.kind === 'im';
  const title = isConversation ? bootstrap.app.name : `#${channel.name}`;
  const stored = channelMessages(all, channel.id, me.id);
  const own = notes.filter((note) => note.channel === channel.id && note.ephemeralFor === me.id);
  const messages = own.length === 0 ? stored : [...stored, ...own].sort((a, b) => compareTs(a.ts, b.ts));
  const note = (text: string) =>
    onNote({
      channel: channel.id,
      ts: (Date.now() / 1000).toFixed(6),
      username: SLACKBOT,
      bot_id: SLACKBOT,
      text,
      ephemeralFor: me.id,
    });

  return html`<section class="channel" ref=${area} aria-label=${title}>
    <header class="channel-header">
      <div class="channel-heading"><h2>${
        channel.isPrivate && !isConversation
          ? html`<${Icon} name="lock"
        size=${17} />`
          : ''
      }${title}</h2>
        ${channel.topic && html`<p>${channel.topic}</p>`}</div>
      ${!isConversation && html`<${Members} channel=${channel} />`}
    </header>
    <${MessageList} key=${`${channel.id} ${me.id}`} messages=${messages} label=${`Messages in ${title}`}
      threads=${threadsOf(all, channel.id, me.id)} linked=${linked} onOpenThread=${onOpenThread}
      empty=${html`<${EmptyChannel} title=${title} channelId=${channel.id} isConversation=${isConversation} />`} />
    ${channel.id === ALERT_CHANNEL && html`<${AlertPoster} channelId=${channel.id} />`}
    ${
      channel.isReadOnly
        ? html`<p class="read-only">Only ${bootstrap.app.name} writes here.</p>`
        : html`<${Composer} channelId=${channel.id} label=${`Message ${title}`} onNote=${note} />`
    }
  </section>`;
}

function Members({ channel }: { channel: SandboxChannel }): VNode {
  const workspace = useWorkspace();
  const members = workspace.snapshot.users.filter((user) => channel.memberIds.includes(user.id));
  const names = members.map((user) => userName(workspace, user.id)).join(', ');
  return html`<div class="members" role="img" title=${names}
    aria-label=${`${members.length} members: ${names}`}>
    ${members.slice(0, 4).map(
      (user) => html`<${Avatar} key=${user.id} name=${userName(workspace, user.id)} color=${user.color}
        size="small"
      kind=${user.id === workspace.bootstrap.app.botUserId ? 'app' : user.isBot ? 'otherApp' : 'person'} />`,
    )}
    <span>${members.length}</span>
  </div>`;
}

function EmptyChannel({
  title,
  channelId,
  isConversation,
}: {
  title: string;
  channelId: string;
  isConversation: boolean;
}): VNode {
  const { snapshot, bootstrap, perform, notify, me } = useWorkspace();
  const commands = snapshot.commands.slice(0, 4);
  const lines = commands.some(({ command }) => command === '/chatapp') ? THINGS_TO_TRY : [];
  const run = async (line: string) => {
    const [command = '', ...words] = line.split(' ');
    const act = { type: 'command', as: me.id, channel: channelId, command, text: words.join(' ') } as const;
    const result = await perform(act);
    if (!result.ok) notify(problemSentence(result, bootstrap.app.name));
  };
  return html`<div class="empty">
    <span class="empty-sign">${isConversation ? html`<${HeraldSign} />` : '#'}</span>
    <h2>${isConversation ? `Your conversation with ${bootstrap.app.name}` : `This is the beginning of ${title}`}</h2>
    ${
      commands.length > 0 &&
      html`<p>Type <kbd>/</kbd> to see what ${bootstrap.app.name} can do:</p>
    <ul>${commands.map((command) => html`<li><code>${command.command}</code> ${command.description}</li>`)}</ul>`
    }
    ${
      !isConversation &&
      lines.length > 0 &&
      html`<p>Or run one of these:</p>
    <ul>${lines.map(
      ({ line, what }) => html`<li key=${line}><button type="button" class="button button-small"
        onClick=${() => void run(line)}>${line}</button> ${what}</li>`,
    )}</ul>`
    }
  </div>`;
}
