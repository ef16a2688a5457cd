import type { SandboxChannel } from '../protocol.ts';
import { withIdentity } from './block-identity.ts';
import type { AppEvents } from './events.ts';
import type { TimestampSource } from './identifiers.ts';
import { APP } from './seed.ts';
import type { Reaction, StoredFile, StoredMessage, WorkspaceState } from './state.ts';

/** Who a message is from. */
export interface Author {
  user?: string;
  bot_id?: string;
  app_id?: string;
  username?: string;
  subtype?: string;
  /** The workspace that it was posted in, where that is another one sharing the channel. */
  otherTeam?: string;
}

/** The app under test, speaking through its bot. */
export const APP_AUTHOR: Author = { user: APP.botUserId, bot_id: APP.botId, app_id: APP.id };

/** What a message says, already validated. */
export interface MessageContent {
  text: string;
  blocks?: unknown[] | undefined;
  attachments?: unknown[] | undefined;
  metadata?: unknown;
  files?: StoredFile[] | undefined;
}

export interface MessagePlace {
  channel: SandboxChannel;
  threadTs?: string | undefined;
  /** Set: only this person sees it, and only until they reload. */
  ephemeralFor?: string | undefined;
}

/** Posting, editing, reacting and deleting, with what follows from each: thread counts and events. */
export class Messages {
  #state: WorkspaceState;
  #timestamps: TimestampSource;
  #events: AppEvents;

  constructor(state: WorkspaceState, timestamps: TimestampSource, events: AppEvents) {
    this.#state = state;
    this.#timestamps = timestamps;
    this.#events = events;
  }

  post(place: MessagePlace, author: Author, content: MessageContent): StoredMessage {
    const message: StoredMessage = {
      channel: place.channel.id,
      ts: this.#timestamps.next(),
      ...(place.threadTs === undefined ? {} : { thread_ts: place.threadTs }),
      ...(place.ephemeralFor === undefined ? {} : { ephemeralFor: place.ephemeralFor }),
      ...author,
      ...contentFields(content),
    };
    this.#state.putMessage(message);
    if (place.threadTs !== undefined && place.ephemeralFor === undefined) {
      this.#countReply(place.channel.id, place.threadTs);
    }
    this.#events.messagePosted(place.channel, message);
    return message;
  }

  /** Replaces what a message says; a field that `content` leaves out is kept, as chat.update does. */
  update(channel: SandboxChannel, before: StoredMessage, content: Partial<MessageContent>): StoredMessage {
    const ts = this.#timestamps.next();
    const after: StoredMessage = {
      ...before,
      ...contentFields({ ...content, text: content.text ?? before.text }),
      ...(before.ephemeralFor === undefined ? { edited: { ts: wholeSeconds(ts) } } : {}),
    };
    // New text without blocks shows the text: Slack drops the old blocks then.
    if (content.text !== undefined && content.blocks === undefined) delete after.blocks;
    if (after.blocks?.length === 0) delete after.blocks;
    if (after.attachments?.length === 0) delete after.attachments;
    this.#state.putMessage(after);
    this.#events.messageChanged(channel, before, after, ts);
    return after;
  }

  /** @returns false when the emoji is there, or not there, already */
  react(channel: SandboxChannel, message: StoredMessage, reaction: Reaction): boolean {
    const { user, name, isAdded } = reaction;
    const before = message.reactions ?? [];
    const users = before.find((one) => one.name === name)?.users ?? [];
    if (users.includes(user) === isAdded) return false;
    const after = { name, users: isAdded ? [...users, user] : users.filter((one) => one !== user) };
    const reactions =
      users.length === 0 ? [...before, after] : before.map((one) => (one.name === name ? after : one));
    this.#state.putMessage({ ...message, reactions: reactions.filter((one) => one.users.length > 0) });
    this.#events.reacted(channel, message, reaction, this.#timestamps.next());
    return true;
  }

  remove(channel: SandboxChannel, message: StoredMessage): void {
    this.#state.removeMessage(channel.id, message.ts);
    this.#events.messageDeleted(channel, message, this.#timestamps.next());
  }

  #countReply(channelId: string, threadTs: string): void {
    const root = this.#state.findMessage(channelId, threadTs);
    if (root === undefined) return;
    this.#state.putMessage({ ...root, reply_count: (root.reply_count ?? 0) + 1 });
  }
}

/** An edit's own time stamp is of whole seconds. */
function wholeSeconds(ts: string): string {
  return `${ts.split('.')[0]}.000000`;
}

function contentFields(content: MessageContent): Partial<StoredMessage> & { text: string } {
  return {
    text: content.text,
    ...(content.blocks === undefined ? {} : { blocks: withIdentity(content.blocks) }),
    ...(content.attachments === undefined ? {} : { attachments: content.attachments.map(withBlocks) }),
    ...(content.metadata === undefined ? {} : { metadata: content.metadata }),
    ...(content.files === undefined ? {} : { files: content.files }),
  };
}

function withBlocks(attachment: unknown, index: number): unknown {
  if (typeof attachment !== 'object' || attachment === null) return attachment;
  const blocks = 'blocks' in attachment && Array.isArray(attachment.blocks) ? attachment.blocks : null;
  return { id: index + 1, ...attachment, ...(blocks === null ? {} : { blocks: withIdentity(blocks) }) };
}
