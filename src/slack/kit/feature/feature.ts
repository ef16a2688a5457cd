import type { webApi } from '@slack/bolt';
import { isRecord, type Payload, payloadKind, textAt } from '../../connection/payload.ts';
import type {
  ClickArguments,
  CommandArguments,
  MessageShortcutArguments,
  ShortcutArguments,
  SubmissionArguments,
  SuggestionArguments,
} from '../clicks/arguments.ts';
import type { Entrance } from './rights.ts';

/*
 * Each feature declares once what people and Slack can do with it: under which name, by which right, and who answers.
 * What is registered with Bolt, what rights are asked for, and what `manifest.yml` must say follow from it.
 */

/** One entrance: its right, and what answers. */
interface Row<Arguments, Dependencies> extends Entrance {
  readonly handle: (args: Arguments, dependencies: Dependencies) => Promise<void>;
}

type Rows<Arguments, Dependencies> = Readonly<Record<string, Row<Arguments, Dependencies>>>;

/** Slack shows this of a command to people. */
export interface CommandSurface {
  readonly description: string;
  readonly usageHint: string;
  /** Whole lines as one would type them. Not part of the manifest. */
  readonly examples: readonly string[];
}

interface CommandRow<Dependencies> extends CommandSurface, Row<CommandArguments, Dependencies> {
  /** Lines of mrkdwn below the description, which answer `help`; absent: the handler answers it. */
  readonly help?: readonly string[];
  /** Keyed by their first words, e.g. `alerts mute`. The command itself answers a line that begins with none of them. */
  readonly subcommands?: Subcommands<Dependencies>;
}

export type Subcommands<Services> = Readonly<Record<string, SubcommandRow<Services>>>;

interface SubcommandRow<Services> extends Pick<Entrance, 'right'> {
  /** A line of mrkdwn; absent where another's says it. */
  readonly help?: string;
  readonly example?: string;
  /** Nothing may follow. */
  readonly isAlone?: true;
  /** @param rest what was typed after its words, with the white space in it */
  readonly handle: (args: CommandArguments, services: Services, rest: string) => Promise<void>;
}

/** The subcommand that a line begins with, the one of most words, and what follows it. */
export function subcommandIn<Services>(
  subcommands: Subcommands<Services> = {},
  line: string,
): { readonly row: SubcommandRow<Services>; readonly rest: string } | undefined {
  const words = [...line.matchAll(/\S+/g)];
  for (let count = words.length; count > 0; count -= 1) {
    const name = words.slice(0, count).join(' ').toLowerCase();
    const row = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
    if (row === undefined || (row.isAlone && count < words.length)) continue;
    return { row, rest: line.slice(words[count]?.index ?? line.length).trimEnd() };
  }
  return undefined;
}

/** The lines with which the command answers `help`: its own, then those of its subcommands. */
export function helpOf({ help = [], subcommands = {} }: CommandRow<never>): readonly string[] {
  return [...help, ...Object.values(subcommands).flatMap((row) => row.help ?? [])];
}

/** A command asks for the right of the subcommand that was typed. */
function commandEntrance({ subcommands, ...command }: CommandRow<never>): Entrance {
  if (subcommands === undefined) return command;
  return {
    needs: command.needs,
    right: (deed, sources) => (subcommandIn(subcommands, deed.text)?.row ?? command).right?.(deed, sources),
  };
}

type ShortcutRow<Dependencies> = { readonly name: string; readonly description: string } & (
  | ({ readonly type: 'global' } & Row<ShortcutArguments, Dependencies>)
  | ({ readonly type: 'message' } & Row<MessageShortcutArguments, Dependencies>)
);

interface ParameterSurface {
  /** As `manifest.yml` has it. */
  readonly type: 'string' | 'boolean' | 'slack#/types/channel_id' | 'slack#/types/user_context';
  readonly title: string;
  readonly description: string;
  readonly is_required: boolean;
}

/** A step that people put into their workflows. */
interface StepRow<Dependencies> extends Row<StepArguments, Dependencies> {
  readonly title: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, ParameterSurface>>;
  readonly outputs: Readonly<Record<string, ParameterSurface>>;
}

/** A run of a workflow's step. */
export interface StepArguments {
  readonly event: { readonly function_execution_id: string };
  readonly body: { readonly team_id: string };
  readonly inputs: unknown;
  readonly ack: () => Promise<void>;
  readonly client: Pick<webApi.WebClient, 'functions'>;
}

/** A person opened Herald's Home or its messages. */
interface HomeOpened {
  readonly event: { readonly tab?: 'home' | 'messages'; readonly user: string };
  readonly context: { readonly teamId?: string | undefined };
}

export interface Feature<Dependencies> {
  readonly commands?: Readonly<Record<`/${string}`, CommandRow<Dependencies>>>;
  readonly shortcuts?: Readonly<Record<string, ShortcutRow<Dependencies>>>;
  /** By `action_id`. A name that ends with a colon stands for all that begin so. */
  readonly actions?: Rows<ClickArguments, Dependencies>;
  /** By the `action_id` of the menu that is searched. */
  readonly options?: Rows<SuggestionArguments, Dependencies>;
  /** Submitted forms, by `callback_id`. */
  readonly views?: Rows<SubmissionArguments, Dependencies>;
  readonly events?: { readonly app_home_opened: Row<HomeOpened, Dependencies> };
  readonly steps?: Readonly<Record<string, StepRow<Dependencies>>>;
  /** Events that are kept before Bolt sees them. */
  readonly keeps?: readonly string[];
  /** What the bot token must be allowed for it, and why. */
  readonly scopes?: Readonly<Record<string, string>>;
}

/** Every entrance of a feature, by its name: `command:/sends`, `action:send_pause`. */
export function entrancesOf(feature: Feature<never>): readonly (readonly [string, Entrance])[] {
  const named = (kind: string, rows: Readonly<Record<string, Entrance>> = {}) =>
    Object.entries(rows).map(([name, entrance]) => [entranceName(kind, name), entrance] as const);
  return [
    ...Object.entries(feature.commands ?? {}).map(
      ([name, row]) => [entranceName('command', name), commandEntrance(row)] as const,
    ),
    ...named('shortcut', feature.shortcuts),
    ...named('action', feature.actions),
    ...named('options', feature.options),
    ...named('view', feature.views),
    ...named('event', feature.events),
    ...named('function', feature.steps),
  ];
}

/** The name of the entrance by which something was delivered, e.g. `action:send_pause`: its right and its handler go by it. */
export function entranceOf(body: object): string | undefined {
  const payload: Payload = { ...body };
  switch (payloadKind(payload)) {
    case 'command':
      return `command:${textAt(payload, 'command')}`;
    case 'block_actions':
      // The part after a colon says what the button does.
      return `action:${textAt(actionIn(payload), 'action_id')?.split(':', 1)[0]}`;
    case 'block_suggestion':
      return `options:${textAt(payload, 'action_id')}`;
    case 'view_submission':
      return `view:${textAt(payload, 'view', 'callback_id')}`;
    case 'shortcut':
    case 'message_action':
      return `shortcut:${textAt(payload, 'callback_id')}`;
    case 'event': {
      const type = textAt(payload, 'event', 'type');
      return type === 'function_executed'
        ? `function:${textAt(payload, 'event', 'function', 'callback_id')}`
        : `event:${type}`;
    }
    default:
      return undefined;
  }
}

/** The name of a declared entrance: one that ends with a colon stands for all that begin so. */
export function entranceName(kind: string, id: string): string {
  return `${kind}:${id.replace(/:$/, '')}`;
}

/** Finds the control that was clicked in a payload. */
export function actionIn({ actions }: Payload): Payload {
  const [action] = Array.isArray(actions) ? actions : [];
  return isRecord(action) ? action : {};
}
