import type { SandboxChannel } from '../protocol.ts';
import { APP } from './seed.ts';
import type { WorkspaceState } from './state.ts';

/**
 * The channel that the app means: an id, a `#name`, or a person's id for the conversation with them. A private
 * channel without the bot does not exist for the app.
 */
export function channelForApp(state: WorkspaceState, reference: string): SandboxChannel | undefined {
  const channel =
    state.channels.get(reference) ??
    directMessageWith(state, reference) ??
    [...state.channels.values()].find(
      (candidate) => candidate.kind === 'channel' && candidate.name === reference.replace(/^#/, ''),
    );
  if (channel?.isPrivate && !isBotIn(channel)) return undefined;
  return channel;
}

/** The conversation between a person and the app. */
export function directMessageWith(state: WorkspaceState, userId: string): SandboxChannel | undefined {
  return [...state.channels.values()].find((channel) => channel.kind === 'im' && channel.userId === userId);
}

export function isBotIn(channel: Pick<SandboxChannel, 'memberIds'>): boolean {
  return channel.memberIds.includes(APP.botUserId);
}

/** What payloads call the channel. */
export function channelNameInPayload(channel: SandboxChannel): string {
  if (channel.kind === 'im') return 'directmessage';
  return channel.isPrivate ? 'privategroup' : channel.name;
}
