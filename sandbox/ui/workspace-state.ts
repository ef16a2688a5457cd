import type { PageEvent, SandboxChannel, SandboxMessage, WorkspaceSnapshot } from '../protocol.ts';

/** The workspace after an event; undefined before the first snapshot, when other events say nothing. */
export function applyPageEvent(
  snapshot: WorkspaceSnapshot | undefined,
  event: PageEvent,
): WorkspaceSnapshot | undefined {
  if (event.type === 'snapshot') return event.snapshot;
  if (!snapshot) return undefined;
  switch (event.type) {
    case 'message':
      return { ...snapshot, messages: putMessage(snapshot.messages, event.message) };
    case 'message_deleted':
      return { ...snapshot, messages: snapshot.messages.filter((one) => !isSame(one, event)) };
    case 'views':
      return { ...snapshot, viewStacks: { ...snapshot.viewStacks, [event.userId]: event.stack } };
    case 'home':
      return { ...snapshot, homes: { ...snapshot.homes, [event.userId]: event.view } };
    case 'channel': {
      const others = snapshot.channels.filter((channel) => channel.id !== event.channel.id);
      return { ...snapshot, channels: [...others, event.channel] };
    }
    case 'execution': {
      const at = snapshot.executions.findIndex(({ id }) => id === event.execution.id);
      const executions =
        at === -1 ? [...snapshot.executions, event.execution] : snapshot.executions.with(at, event.execution);
      return { ...snapshot, executions };
    }
    case 'app':
      return { ...snapshot, appConnected: event.connected };
  }
}

function isSame(one: { channel: string; ts: string }, other: { channel: string; ts: string }): boolean {
  return one.channel === other.channel && one.ts === other.ts;
}

/** An edited message takes the place of the old one; a new one goes where its time stamp puts it. */
function putMessage(messages: readonly SandboxMessage[], message: SandboxMessage): SandboxMessage[] {
  const at = messages.findLastIndex((one) => isSame(one, message));
  if (at >= 0) return messages.with(at, message);
  const before = messages.findLastIndex((one) => compareTs(one.ts, message.ts) <= 0);
  return messages.toSpliced(before + 1, 0, message);
}

/** Time stamps are decimal numbers too long for a double: compared by their two halves. */
export function compareTs(a: string, b: string): number {
  const [aSeconds = '', aPart = ''] = a.split('.');
  const [bSeconds = '', bPart = ''] = b.split('.');
  return Number(aSeconds) - Number(bSeconds) || Number(aPart) - Number(bPart);
}

function isVisible(message: SandboxMessage, userId: string): boolean {
  return message.ephemeralFor === undefined || message.ephemeralFor === userId;
}

/** What the person sees in a channel: replies stay in their threads. */
export function channelMessages(
  messages: readonly SandboxMessage[],
  channelId: string,
  userId: string,
): SandboxMessage[] {
  return messages.filter((message) => {
    const inThread = message.thread_ts !== undefined && message.thread_ts !== message.ts;
    return message.channel === channelId && !inThread && isVisible(message, userId);
  });
}

/** The replies of a thread, without the message it hangs on. */
export function threadReplies(
  messages: readonly SandboxMessage[],
  parent: { channel: string; ts: string },
  userId: string,
): SandboxMessage[] {
  return messages.filter(
    (message) =>
      message.channel === parent.channel &&
      message.thread_ts === parent.ts &&
      message.ts !== parent.ts &&
      isVisible(message, userId),
  );
}

/** How many replies each thread of a channel has for the person, and when the last one came; by the parent's `ts`. */
export function threadsOf(
  messages: readonly SandboxMessage[],
  channelId: string,
  userId: string,
): Map<string, { count: number; lastTs: string }> {
  const threads = new Map<string, { count: number; lastTs: string }>();
  for (const message of messages) {
    const { channel, thread_ts: parent, ts } = message;
    if (channel !== channelId || parent === undefined || parent === ts || !isVisible(message, userId))
      continue;
    threads.set(parent, { count: (threads.get(parent)?.count ?? 0) + 1, lastTs: ts });
  }
  return threads;
}

/** The channels that the person is in, by name; conversations with the app are listed apart. */
export function channelsOf(snapshot: Pick<WorkspaceSnapshot, 'channels'>, userId: string): SandboxChannel[] {
  return snapshot.channels
    .filter((channel) => channel.kind === 'channel' && channel.memberIds.includes(userId))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** The person's conversation with the app, where it has been opened. */
export function appConversation(
  snapshot: Pick<WorkspaceSnapshot, 'channels'>,
  userId: string,
): SandboxChannel | undefined {
  return snapshot.channels.find((channel) => channel.kind === 'im' && channel.userId === userId);
}

/** Whether a channel holds something newer than what the person saw last, by somebody else. */
export function isUnread(
  messages: readonly SandboxMessage[],
  channelId: string,
  userId: string,
  lastReadTs: string,
): boolean {
  return channelMessages(messages, channelId, userId).some(
    (message) => message.user !== userId && compareTs(message.ts, lastReadTs) > 0,
  );
}
