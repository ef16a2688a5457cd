import type { VNode } from 'preact';
import { useCallback, useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { Bootstrap, PageEvent, SandboxMessage, SandboxUser, WorkspaceSnapshot } from '../protocol.ts';
import { useActingUser } from './acting-user.ts';
import { useAddress } from './address.ts';
import { act, loadBootstrap } from './api.ts';
import { AppTabs } from './app-tabs.ts';
import { ChannelView } from './chat/channel.ts';
import { ThreadPane } from './chat/thread.ts';
import { type Column, ColumnSwitch } from './column-switch.ts';
import { followEvents, type StreamStatus } from './connection.ts';
import { type Directory, type Workspace, WorkspaceProvider } from './context.ts';
import { Guide } from './guide.ts';
import { HomeTab } from './home.ts';
import { html } from './html.ts';
import { linkedMessage } from './message-link.ts';
import { Modal } from './modal.ts';
import { useNotices } from './notices.ts';
import { Panel } from './panel.ts';
import { type Place, Sidebar } from './sidebar.ts';
import { TAB } from './tab.ts';
import { useUnread } from './unread.ts';
import { Workflows } from './workflows.ts';
import { appConversation, applyPageEvent, channelsOf } from './workspace-state.ts';

/** Fetches what the page needs to begin with, and says so when it cannot. */
export function App(): VNode {
  const [bootstrap, setBootstrap] = useState<Bootstrap>();
  const [problem, setProblem] = useState<string>();
  const load = useCallback(() => {
    setProblem(undefined);
    loadBootstrap().then(setBootstrap, () =>
      setProblem('The workspace does not answer. Is the sandbox still running?'),
    );
  }, []);
  useEffect(load, [load]);
  if (bootstrap) return html`<${Connected} bootstrap=${bootstrap} />`;
  return html`<${Splash} problem=${problem} onRetry=${load} />`;
}

function Splash({ problem, onRetry }: { problem?: string | undefined; onRetry?: () => void }): VNode {
  if (!problem)
    return html`<div class="splash" role="status"><span
      class="spinner spinner-large"></span><p>Opening the workspace…</p></div>`;
  return html`<div class="splash" role="alert"><p>${problem}</p>
    <button type="button" class="button button-primary" onClick=${onRetry}>Try again</button></div>`;
}

function Connected({ bootstrap }: { bootstrap: Bootstrap }): VNode {
  const [snapshot, onPageEvents] = useReducer(
    (before: WorkspaceSnapshot | undefined, events: readonly PageEvent[]) =>
      events.reduce(applyPageEvent, before),
    undefined,
  );
  const [status, setStatus] = useState<StreamStatus>('connecting');
  const [column, setColumn] = useState<Column>('chat');
  useEffect(() => followEvents<PageEvent>('/page/events', onPageEvents, setStatus), []);
  const { me, switchTo } = useActingUser(bootstrap, snapshot);
  if (!snapshot || !me) return html`<${Splash} />`;
  return html`<main class="app" data-column=${column}>
    <h1 class="visually-hidden">${bootstrap.team.name}, in the sandbox</h1>
    <${Chat} bootstrap=${bootstrap} snapshot=${snapshot} status=${status} me=${me} onSwitch=${switchTo}
      onColumn=${setColumn} />
    <${Panel} bootstrap=${bootstrap} tz=${me.tz} column=${column} onColumn=${setColumn} />
    <${ColumnSwitch} column=${column} onColumn=${setColumn} />
  </main>`;
}

function Chat({
  bootstrap,
  snapshot,
  status,
  me,
  onSwitch,
  onColumn,
}: {
  bootstrap: Bootstrap;
  snapshot: WorkspaceSnapshot;
  status: StreamStatus;
  me: SandboxUser;
  onSwitch: (userId: string) => void;
  onColumn: (column: Column) => void;
}): VNode | null {
  const userId = me.id;
  const { address, linked, visit } = useAddress();
  const { threadTs } = address;
  const [notes, setNotes] = useState<SandboxMessage[]>([]);
  const { notices, notify } = useNotices();
  const here = resolvePlace(address.place, snapshot, userId);
  const channelId = here?.type === 'channel' ? here.channelId : undefined;
  const unread = useUnread(snapshot, userId, channelId);

  const directory = useDirectory(snapshot);

  const go = useCallback(
    (place: Place) => {
      visit({ place });
      onColumn('chat');
    },
    [visit, onColumn],
  );
  const openThread = (ts: string | undefined) => visit({ place: here, threadTs: ts });
  const openLink = useCallback(
    (url: string) => {
      const message = linkedMessage(url, bootstrap.team.domain);
      if (message === undefined) return void open(url, '_blank', 'noopener,noreferrer');
      const { channelId: id, threadTs: inThread, ts } = message;
      visit({ place: { type: 'channel', channelId: id }, threadTs: inThread, ts });
      onColumn('chat');
    },
    [bootstrap, visit, onColumn],
  );
  const onClick = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    if (!link || !linkedMessage(link.href, bootstrap.team.domain)) return;
    event.preventDefault();
    openLink(link.href);
  };
  const workspace = useMemo<Workspace>(
    () => ({
      bootstrap,
      snapshot: directory,
      me,
      perform: act,
      notify,
      openChannel: (id) => go({ type: 'channel', channelId: id }),
      openLink,
    }),
    [bootstrap, directory, me, notify, go, openLink],
  );
  if (!here) return null;

  const switchTo = (id: string) => {
    onSwitch(id);
    visit({ place: here });
  };
  const channel = snapshot.channels.find((one) => one.id === channelId);
  const parent = snapshot.messages.find((one) => one.channel === channelId && one.ts === threadTs);
  // What is open in another window of the page is not open here.
  const stack = (snapshot.viewStacks[userId] ?? []).filter(({ tab = TAB }) => tab === TAB);
  return html`<${WorkspaceProvider} value=${workspace}><div class="workspace" onClick=${onClick}>
    <div class="workspace-content" inert=${stack.length > 0}>
      <${Sidebar} place=${here} onGo=${go} onSwitch=${switchTo} isUnread=${unread} />
      <div class="main">
        ${
          status === 'reconnecting' &&
          html`<div class="strip" role="status"><span
          class="spinner"></span>Reconnecting to the workspace…</div>`
        }
        <${Guide} messages=${snapshot.messages} onSwitch=${switchTo} />
        ${
          here.type === 'home' &&
          html`<${AppTabs} place=${here} onGo=${go} /><${HomeTab} key=${userId}
          view=${snapshot.homes[userId]} />`
        }
        ${here.type === 'workflows' && html`<${Workflows} key=${userId} executions=${snapshot.executions} />`}
        ${channel?.kind === 'im' && html`<${AppTabs} place=${here} onGo=${go} />`}
        ${
          channel &&
          html`<${ChannelView} channel=${channel} messages=${snapshot.messages} notes=${notes} linked=${linked}
          onOpenThread=${openThread}
          onNote=${(note: SandboxMessage) => setNotes((before) => [...before, note])} />`
        }
      </div>
      ${
        channel &&
        parent &&
        html`<${ThreadPane} channel=${channel} parent=${parent} messages=${snapshot.messages} linked=${linked}
        onClose=${() => openThread(undefined)} />`
      }
    </div>
    <${Modal} stack=${stack} />
    <div class="notices" role="status">${notices.map(
      (notice) => html`<div class="notice"
      key=${notice.id}>${notice.text}</div>`,
    )}</div>
  </div><//>`;
}

/** The same directory for as long as nothing of it changes, whatever else happens. */
function useDirectory(snapshot: WorkspaceSnapshot): Directory {
  const { users, channels, userGroups, commands, shortcuts, functions, appConnected } = snapshot;
  return useMemo(
    () => ({ users, channels, userGroups, commands, shortcuts, functions, appConnected }),
    [users, channels, userGroups, commands, shortcuts, functions, appConnected],
  );
}

/** The chosen place where the person can see it; otherwise the first channel that looks like the team's. */
function resolvePlace(
  place: Place | undefined,
  snapshot: WorkspaceSnapshot,
  userId: string,
): Place | undefined {
  if (place?.type === 'home' || place?.type === 'workflows') return place;
  const channels = channelsOf(snapshot, userId);
  const conversation = appConversation(snapshot, userId);
  const wasConversation = snapshot.channels.find((channel) => channel.id === place?.channelId)?.kind === 'im';
  if (wasConversation && conversation) return { type: 'channel', channelId: conversation.id };
  const chosen = channels.find((channel) => channel.id === place?.channelId);
  const first = chosen ?? channels.find((channel) => channel.name === 'team') ?? channels[0] ?? conversation;
  return first ? { type: 'channel', channelId: first.id } : { type: 'home' };
}
