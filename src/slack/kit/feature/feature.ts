import type { webApi } from '@slack/bolt';
import type { OwnCommand } from '../../../messages/kinds/kind.ts';
import { isRecord, type Payload, type PayloadKind, payloadKind, textAt } from '../../connection/payload.ts';
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
 * From it follow what is registered with Bolt, the rights that are asked for, and what `manifest.yml` must say.
 */

interface Row<Arguments, Dependencies> extends Entrance {
  readonly handle: (args: Arguments, dependencies: Dependencies) => Promise<void>;
}

type Rows<Arguments, Dependencies> = Readonly<Record<string, Row<Arguments, Dependencies>>>;

/** Slack shows this of a command to people; the examples are not part of the manifest. */
export type CommandSurface = Omit<OwnCommand, 'takesGroups'>;

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

type DeclaredRow = Entrance & { readonly subcommands?: Subcommands<never> };

/** A command asks for the right of the subcommand that was typed. */
function entranceIn(row: DeclaredRow): Entrance {
  const { subcommands, needs } = row;
  if (subcommands === undefined) return row;
  return {
    needs,
    right: (act, sources) => (subcommandIn(subcommands, act.text)?.row ?? row).right?.(act, sources),
  };
}

type ShortcutRow<Dependencies> = { readonly name: string; readonly description: string } & (
  | ({ readonly type: 'global' } & Row<ShortcutArguments, Dependencies>)
  | ({ readonly type: 'message' } & Row<MessageShortcutArguments, Dependencies>)
);

interface ParameterSurface {
  /** The same as in `manifest.yml`. */
  readonly type: 'string' | 'boolean' | `slack#/types/${'channel_id' | 'user_context' | 'options_select'}`;
  readonly title: string;
  readonly description: string;
  readonly is_required: boolean;
  /** The step that gives what can be chosen while somebody builds a workflow, and what that step is given. */
  readonly dynamic_options?: {
    readonly function: `#/functions/${string}`;
    readonly inputs: Readonly<Record<string, { readonly value: string }>>;
  };
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
  /** Keyed by `action_id`. A name that ends with a colon stands for all that begin so. */
  readonly actions?: Rows<ClickArguments, Dependencies>;
  /** Keyed by the `action_id` of the menu that is searched. */
  readonly options?: Rows<SuggestionArguments, Dependencies>;
  /** Submitted forms, by `callback_id`. */
  readonly views?: Rows<SubmissionArguments, Dependencies>;
  readonly events?: { readonly app_home_opened: Row<HomeOpened, Dependencies> };
  readonly steps?: Readonly<Record<string, StepRow<Dependencies>>>;
  /** Events that are kept before Bolt sees them. */
  readonly keeps?: readonly string[];
  /** The bot token must be allowed these for it, and why. */
  readonly scopes?: Readonly<Record<string, string>>;
}

/** Every entrance of a feature, by its name: `command:/sends`, `action:send_pause`. */
export function entrancesOf(feature: Feature<never>): readonly (readonly [string, Entrance])[] {
  return Object.entries(SECTIONS).flatMap(([section, kind]) =>
    Object.entries<DeclaredRow>(feature[section as keyof typeof SECTIONS] ?? {}).map(
      ([name, row]) => [entranceName(kind, name), entranceIn(row)] as const,
    ),
  );
}

/** What a feature calls its rows, and what Slack calls what arrives there. */
export const SECTIONS = {
  ...{ commands: 'command', shortcuts: 'shortcut', actions: 'action', options: 'options' },
  ...{ views: 'view', events: 'event', steps: 'function' },
} as const;

/** The name of the entrance by which something was delivered, e.g. `action:send_pause`: its right and its handler go by it. */
export function entranceOf(body: object): string | undefined {
  const payload: Payload = { ...body };
  const kind = payloadKind(payload);
  // The part after a colon says what the button does.
  if (kind === 'block_actions') return `action:${textAt(actionIn(payload), 'action_id')?.split(':', 1)[0]}`;
  const isStep = textAt(payload, 'event', 'type') === 'function_executed';
  const [named, ...path] = (isStep ? STEP : NAMED_AT[kind]) ?? [];
  return named && `${named}:${textAt(payload, ...path)}`;
}

/** The kind of an entrance, and where the payload has its name. */
const NAMED_AT: Partial<Readonly<Record<PayloadKind, readonly [kind: string, ...path: string[]]>>> = {
  command: ['command', 'command'],
  block_suggestion: ['options', 'action_id'],
  view_submission: ['view', 'view', 'callback_id'],
  shortcut: ['shortcut', 'callback_id'],
  message_action: ['shortcut', 'callback_id'],
  event: ['event', 'event', 'type'],
};
const STEP = ['function', 'event', 'function', 'callback_id'] as const;

/** The name of a declared entrance: one that ends with a colon stands for all that begin so. */
export function entranceName(kind: string, id: string): string {
  return `${kind}:${id.replace(/:$/, '')}`;
}

/** Finds the control that was clicked in a payload; what was chosen behind three dots is a button of its own. */
export function actionIn({ actions }: Payload): Payload {
  const [action] = Array.isArray(actions) ? actions : [];
  if (!isRecord(action)) return {};
  const [action_id, value] = (textAt(action, 'selected_option', 'value') ?? '').split(' ');
  return action.type === 'overflow' ? { ...action, action_id, value } : action;
}
