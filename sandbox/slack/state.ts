import type {
  FunctionExecution,
  PageEvent,
  SandboxChannel,
  SandboxMessage,
  SandboxUser,
  SandboxView,
  SlackFile,
  WorkspaceSnapshot,
} from '../protocol.ts';
import type { AppManifest } from './manifest.ts';
import {
  BRANCH,
  type Organisation,
  type OtherApp,
  TEAM,
  type UserGroup,
  type WorkspaceSeed,
} from './seed.ts';

/** A message with what Slack's API says about it and the page does not need. */
export interface StoredMessage extends SandboxMessage {
  app_id?: string;
  subtype?: string;
  files?: StoredFile[];
  otherTeam?: string;
  metadata?: unknown;
}

/** Who puts an emoji on a message, or takes it off again. */
export interface Reaction {
  user: string;
  name: string;
  isAdded: boolean;
}

export interface StoredFile extends SlackFile {
  title: string;
  /** Who uploaded it: a person, or the app's bot. */
  user: string;
  /** Seconds since the Unix epoch. */
  created: number;
  /** Channels it was shared to. */
  channels: string[];
}

/** A view with what Slack's API says about it and the page does not need. */
export interface StoredView extends SandboxView {
  external_id: string;
  clear_on_close: boolean;
  root_view_id: string;
  previous_view_id: string | null;
}

/**
 * What the workspace holds: people, channels, messages, files, open views. Every change goes out as a
 * PageEvent, so that the page, the tests and the disk hear of it the same way.
 */
export class WorkspaceState {
  readonly users: Map<string, SandboxUser>;
  readonly channels: Map<string, SandboxChannel>;
  readonly userGroups: Map<string, UserGroup>;
  readonly otherApps: Map<string, OtherApp>;
  readonly files = new Map<string, StoredFile>();
  /** Open modals, bottom first, by user. */
  readonly viewStacks = new Map<string, StoredView[]>();
  readonly homes = new Map<string, StoredView>();
  readonly executions = new Map<string, FunctionExecution>();
  readonly manifest: AppManifest;
  readonly organisation: Organisation | null;
  #executionTokens = new Set<string>();
  #messages = new Map<string, StoredMessage[]>();
  #listeners = new Set<(event: PageEvent) => void>();
  #isAppConnected: () => boolean = () => false;

  constructor(seed: WorkspaceSeed, manifest: AppManifest, organisation: Organisation | null) {
    this.organisation = organisation;
    this.users = byId(seed.users);
    this.channels = byId(seed.channels);
    this.userGroups = byId(seed.userGroups);
    this.otherApps = byId(seed.otherApps);
    this.manifest = manifest;
  }

  /** How to learn whether the app can be reached; known only once there is a delivery. */
  watchConnection(isAppConnected: () => boolean): void {
    this.#isAppConnected = isAppConnected;
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: (event: PageEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  emit(event: PageEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  /** The messages of a channel, oldest first, ephemeral ones included. */
  messagesIn(channelId: string): readonly StoredMessage[] {
    return this.#messages.get(channelId) ?? [];
  }

  allMessages(): StoredMessage[] {
    return [...this.#messages.values()].flat();
  }

  findMessage(channelId: string, ts: string): StoredMessage | undefined {
    return this.messagesIn(channelId).find((message) => message.ts === ts);
  }

  /** Stores a message, in place of the one with the same channel and time stamp if there is one. */
  putMessage(message: StoredMessage): void {
    const list = this.#messages.get(message.channel) ?? [];
    const index = list.findIndex((candidate) => candidate.ts === message.ts);
    if (index === -1) list.push(message);
    else list[index] = message;
    this.#messages.set(message.channel, list);
    this.emit({ type: 'message', message });
  }

  removeMessage(channelId: string, ts: string): void {
    const list = this.#messages.get(channelId) ?? [];
    this.#messages.set(
      channelId,
      list.filter((message) => message.ts !== ts),
    );
    this.emit({ type: 'message_deleted', channel: channelId, ts });
  }

  putChannel(channel: SandboxChannel): void {
    this.channels.set(channel.id, channel);
    this.emit({ type: 'channel', channel });
  }

  /** The workspace that a person is a member of. */
  teamOf(userId: string): string {
    return this.users.get(userId)?.team ?? TEAM.id;
  }

  /** Whether a person belongs to another company, with which a channel is shared. */
  isStranger(userId: string): boolean {
    const team = this.teamOf(userId);
    return team !== TEAM.id && !(team === BRANCH.id && this.organisation !== null);
  }

  setUserGroup(id: string, userIds: readonly string[]): void {
    const group = this.userGroups.get(id);
    if (group === undefined) throw new Error(`There is no user group ${id}`);
    this.userGroups.set(id, { ...group, userIds: [...userIds] });
  }

  /** A user's open modals, bottom first. */
  stackOf(userId: string): readonly StoredView[] {
    return this.viewStacks.get(userId) ?? [];
  }

  putStack(userId: string, stack: StoredView[]): void {
    this.viewStacks.set(userId, stack);
    this.emit({ type: 'views', userId, stack });
  }

  putHome(userId: string, view: StoredView): void {
    this.homes.set(userId, view);
    this.emit({ type: 'home', userId, view });
  }

  /** @param token that the app gets for this run; it does what the bot's own does */
  putExecution(execution: FunctionExecution, token?: string): void {
    this.executions.set(execution.id, execution);
    if (token !== undefined) this.#executionTokens.add(token);
    this.emit({ type: 'execution', execution });
  }

  isExecutionToken(token: string): boolean {
    return this.#executionTokens.has(token);
  }

  putFile(file: StoredFile): void {
    this.files.set(file.id, file);
  }

  snapshot(): WorkspaceSnapshot {
    return structuredClone({
      users: [...this.users.values()],
      channels: [...this.channels.values()],
      userGroups: [...this.userGroups.values()],
      commands: this.manifest.commands,
      shortcuts: this.manifest.shortcuts,
      functions: this.manifest.functions,
      executions: [...this.executions.values()],
      messages: this.allMessages(),
      viewStacks: Object.fromEntries(this.viewStacks),
      homes: Object.fromEntries(this.homes),
      appConnected: this.#isAppConnected(),
    });
  }
}

function byId<Item extends { id: string }>(items: Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}
