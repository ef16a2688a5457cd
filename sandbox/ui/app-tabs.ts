import type { VNode } from 'preact';
import { Avatar } from './avatar.ts';
import { useWorkspace } from './context.ts';
import { html } from './html.ts';
import type { Place } from './sidebar.ts';
import { appConversation } from './workspace-state.ts';

/** The app's own page: its name, and the way between Home and the conversation with it. */
export function AppTabs({ place, onGo }: { place: Place; onGo: (place: Place) => void }): VNode {
  const { bootstrap, snapshot, me } = useWorkspace();
  const conversation = appConversation(snapshot, me.id);
  const tab = (label: string, current: boolean, to: Place) =>
    html`<button type="button" class="app-tab" aria-current=${current ? 'page' : undefined}
      onClick=${() => onGo(to)}>${label}</button>`;
  return html`<nav class="app-tabs" aria-label=${bootstrap.app.name}>
    <${Avatar} name=${bootstrap.app.name} kind="app" /><h2>${bootstrap.app.name}</h2><span
      class="badge">App</span>
    ${tab('Home', place.type === 'home', { type: 'home' })}
    ${conversation && tab('Messages', place.type === 'channel', { type: 'channel', channelId: conversation.id })}
  </nav>`;
}
