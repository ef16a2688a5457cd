import type { SandboxChannel, SandboxCommand, SandboxUser } from '../../protocol.ts';
import type { Workspace } from '../context.ts';
import { decodeEntities, encodeEntities } from '../text/nodes.ts';

export interface Completion {
  key: string;
  /** What takes the place of the typed beginning, with its sign. */
  insert: string;
  title: string;
  /** How to go on: a command's usage hint. */
  hint: string;
  detail: string;
  kind: 'command' | 'person' | 'channel';
}

export interface Vocabulary {
  commands: readonly SandboxCommand[];
  users: readonly SandboxUser[];
  groups: readonly { id: string; handle: string; name: string }[];
  channels: readonly SandboxChannel[];
}

/** What can be named in this workspace. */
export function vocabularyOf({ snapshot, bootstrap }: Workspace): Vocabulary {
  return {
    commands: snapshot.commands,
    users: snapshot.users.filter((user) => !user.isBot || user.id === bootstrap.app.botUserId),
    groups: snapshot.userGroups,
    channels: snapshot.channels,
  };
}

const MOST_SHOWN = 8;
const BROADCASTS = ['here', 'channel', 'everyone'];

/**
 * What could complete the word that ends at the caret: a command at the very beginning, `@` people and groups,
 * `#` channels. `from` is where the word begins.
 */
export function completionsAt(
  text: string,
  caret: number,
  vocabulary: Vocabulary,
): { from: number; items: Completion[] } | undefined {
  const before = text.slice(0, caret);
  if (/^\/\S*$/.test(before)) return nonEmpty(0, commandCompletions(before, vocabulary.commands));
  const word = /(?:^|\s)([@#])([\w.-]*)$/.exec(before);
  if (!word) return undefined;
  const [, sign, typed = ''] = word;
  const from = caret - typed.length - 1;
  const items = sign === '@' ? peopleCompletions(typed, vocabulary) : channelCompletions(typed, vocabulary);
  return nonEmpty(from, items);
}

function nonEmpty(from: number, items: Completion[]): { from: number; items: Completion[] } | undefined {
  return items.length > 0 ? { from, items: items.slice(0, MOST_SHOWN) } : undefined;
}

function commandCompletions(typed: string, commands: readonly SandboxCommand[]): Completion[] {
  return commands
    .filter((command) => command.command.startsWith(typed.toLowerCase()))
    .map((command) => ({
      key: command.command,
      insert: command.command,
      title: command.command,
      hint: command.usageHint,
      detail: command.description,
      kind: 'command',
    }));
}

function peopleCompletions(typed: string, vocabulary: Vocabulary): Completion[] {
  const wanted = typed.toLowerCase();
  const people = vocabulary.users.map((user) => ({ handle: user.name, name: user.realName }));
  const groups = vocabulary.groups.map((group) => ({ handle: group.handle, name: group.name }));
  return [...people, ...groups]
    .filter((one) =>
      `${one.handle} ${one.name}`
        .toLowerCase()
        .split(/\s/)
        .some((word) => word.startsWith(wanted)),
    )
    .map((one) => ({
      key: `@${one.handle}`,
      insert: `@${one.handle}`,
      title: one.name || one.handle,
      hint: `@${one.handle}`,
      detail: '',
      kind: 'person',
    }));
}

function channelCompletions(typed: string, vocabulary: Vocabulary): Completion[] {
  return vocabulary.channels
    .filter((channel) => channel.kind === 'channel' && channel.name.startsWith(typed.toLowerCase()))
    .map((channel) => ({
      key: `#${channel.name}`,
      insert: `#${channel.name}`,
      title: `#${channel.name}`,
      hint: '',
      detail: channel.topic,
      kind: 'channel',
    }));
}

/** The command that a text begins with, and what follows it; undefined for an ordinary message. */
export function splitCommand(text: string): { command: string; rest: string } | undefined {
  const match = /^(\/\S+)\s*([\s\S]*)$/.exec(text);
  const command = match?.[1];
  if (!command) return undefined;
  return { command, rest: (match[2] ?? '').trimEnd() };
}

/** A message as Slack stores it: `& < >` escaped, names of people, groups and channels as references. */
export function storedText(text: string, vocabulary: Vocabulary): string {
  return encodeEntities(text).replace(
    /(^|[\s(])([@#])([\w.-]*\w)/g,
    (whole, lead: string, sign, name: string) => {
      const reference = sign === '@' ? personReference(name, vocabulary) : channelReference(name, vocabulary);
      return reference ? `${lead}${reference}` : whole;
    },
  );
}

/** The other way round: what somebody typed to have this stored. */
export function writtenText(text: string, { users, groups, channels }: Vocabulary): string {
  const named = text.replace(/<(@|#|!subteam\^|!)(\w+)(?:\|[^<>]*)?>/g, (whole, sign: string, id: string) => {
    if (sign === '#') return `#${channels.find((one) => one.id === id)?.name ?? id}`;
    if (sign === '@') return `@${users.find((one) => one.id === id)?.name ?? id}`;
    if (sign === '!') return BROADCASTS.includes(id) ? `@${id}` : whole;
    return `@${groups.find((one) => one.id === id)?.handle ?? id}`;
  });
  return decodeEntities(named);
}

function personReference(name: string, { users, groups }: Vocabulary): string | undefined {
  const handle = name.toLowerCase();
  if (BROADCASTS.includes(handle)) return `<!${handle}>`;
  const user = users.find((one) => one.name.toLowerCase() === handle);
  if (user) return `<@${user.id}>`;
  const group = groups.find((one) => one.handle.toLowerCase() === handle);
  return group ? `<!subteam^${group.id}>` : undefined;
}

function channelReference(name: string, { channels }: Vocabulary): string | undefined {
  const channel = channels.find((one) => one.kind === 'channel' && one.name === name.toLowerCase());
  return channel ? `<#${channel.id}|${channel.name}>` : undefined;
}
