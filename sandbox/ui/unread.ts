import { useRef } from 'preact/hooks';
import type { WorkspaceSnapshot } from '../protocol.ts';
import { compareTs, isUnread } from './workspace-state.ts';

/**
 * Which channels hold something new. Everything that was there when the page opened counts as read, and so does
 * whatever comes while the person looks at its channel.
 */
export function useUnread(
  snapshot: WorkspaceSnapshot,
  userId: string,
  openChannelId: string | undefined,
): (channelId: string) => boolean {
  const start = useRef(latestTs(snapshot));
  const read = useRef(new Map<string, string>());
  const key = (channelId: string) => `${userId} ${channelId}`;
  if (openChannelId) read.current.set(key(openChannelId), latestTs(snapshot));
  return (channelId) =>
    channelId !== openChannelId &&
    isUnread(snapshot.messages, channelId, userId, read.current.get(key(channelId)) ?? start.current);
}

function latestTs(snapshot: WorkspaceSnapshot): string {
  return snapshot.messages.reduce((latest, { ts }) => (compareTs(ts, latest) > 0 ? ts : latest), '0');
}
