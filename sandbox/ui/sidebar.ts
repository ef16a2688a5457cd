import type { ComponentChildren, VNode } from 'preact';
import { Avatar } from './avatar.ts';
import { userName, useWorkspace } from './context.ts';
import { html } from './html.ts';
import { Icon } from './icons.ts';
import { Menu } from './menu.ts';
import { appConversation, channelsOf } from './workspace-state.ts';

/** Where in the workspace the person is: a channel, the app's Home, or the steps it brings for workflows. */
export type Place = { type: 'channel'; channelId: string } | { type: 'home' } | { type: 'workflows' };

export function Sidebar({
  place,
  onGo,
  onSwitch,
  isUnread,
}: {
  place: Place;
  onGo: (place: Place) => void;
  onSwitch: (userId: string) => void;
  isUnread: (channelId: string) => boolean;
}): VNode {
  const { snapshot, bootstrap, me } = useWorkspace();
  const conversation = appConversation(snapshot, me.id);
  const isAt = (channelId: string) => place.type === 'channel' && place.channelId === channelId;
  const goTo = (channelId: string) => () => onGo({ type: 'channel', channelId });
  return html`<nav class="sidebar" aria-label="Workspace">
    <div class="team"><span class="team-sign" aria-hidden="true">${bootstrap.team.name[0]}</span>
      <div><strong>${bootstrap.team.name}</strong><span>Sandbox workspace</span></div></div>
    <div class="sidebar-scroll">
      <h2>Channels</h2>
      ${channelsOf(snapshot, me.id).map(
        (
          channel,
        ) => html`<${Entry} key=${channel.id} current=${isAt(channel.id)} unread=${isUnread(channel.id)}
        onClick=${goTo(channel.id)} sign=${
          channel.isPrivate
            ? html`<${Icon} name="lock"
          size=${15} />`
            : '#'
        }>${channel.name}<//>`,
      )}
      ${
        conversation &&
        html`<h2>Direct messages</h2><${Entry} current=${isAt(conversation.id)}
          unread=${isUnread(conversation.id)}
        onClick=${goTo(conversation.id)} sign=${html`<${Avatar} name=${bootstrap.app.name} kind="app"
          size="small" />`}>${bootstrap.app.name}<//>`
      }
      <h2>Apps</h2>
      <${Entry} current=${place.type === 'home'} unread=${false} onClick=${() => onGo({ type: 'home' })}
        sign=${html`<${Icon} name="home" size=${17} />`}>${bootstrap.app.name} Home<//>
      ${
        snapshot.functions.length > 0 &&
        html`<${Entry} current=${place.type === 'workflows'} unread=${false}
          onClick=${() => onGo({ type: 'workflows' })} sign=${html`<${Icon} name="lightning" size=${17} />`}>Workflows<//>`
      }
    </div>
    <${AppStatus} />
    <${UserSwitch} onSwitch=${onSwitch} />
  </nav>`;
}

function Entry({
  current,
  unread,
  onClick,
  sign,
  children,
}: {
  current: boolean;
  unread: boolean;
  onClick: () => void;
  sign: ComponentChildren;
  children?: ComponentChildren;
}): VNode {
  return html`<button type="button" class=${`entry ${unread ? 'is-unread' : ''}`}
    aria-current=${current ? 'page' : undefined} onClick=${onClick}>
    <span class="entry-sign" aria-hidden="true">${sign}</span><span class="entry-name">${children}</span>
    ${unread && html`<span class="unread-dot" role="img" aria-label="unread"></span>`}
  </button>`;
}

function AppStatus(): VNode {
  const { snapshot, bootstrap } = useWorkspace();
  const text = snapshot.appConnected
    ? `${bootstrap.app.name} is connected`
    : `${bootstrap.app.name} is not connected`;
  return html`<div class=${`app-status ${snapshot.appConnected ? 'is-on' : ''}`} role="status"><span
    class="app-dot"></span>${text}</div>`;
}

/** Acting as somebody else: forms and private messages belong to one person each. */
function UserSwitch({ onSwitch }: { onSwitch: (userId: string) => void }): VNode {
  const workspace = useWorkspace();
  const { snapshot, me } = workspace;
  const items = snapshot.users
    .filter((user) => !user.isBot)
    .map((user) => ({
      key: user.id,
      label: userName(workspace, user.id),
      detail: `${user.isGuest ? 'Guest · ' : ''}${user.tz.replaceAll('_', ' ')}`,
      icon: html`<${Avatar} name=${userName(workspace, user.id)} color=${user.color} kind="person"
        size="small" />`,
      checked: user.id === me.id,
      run: () => onSwitch(user.id),
    }));
  return html`<${Menu} className="user-switch" align="start" items=${items} title="Act as" id="user-switch">
    <${Avatar} name=${userName(workspace, me.id)} color=${me.color} kind="person" />
    <span class="user-words"><span
      class="user-as">You are</span><strong>${userName(workspace, me.id)}</strong></span>
    <${Icon} name="chevronDown" size=${16} />
  <//>`;
}
