import type { AnyBlock, KnownBlock, ModalView, Option, PlainTextElement, View } from '@slack/types';
import type { StateValues } from '../forms/read-state.ts';
import type { MessageContent } from '../message-text/plain-text.ts';

/* What Herald's handlers use of what Bolt hands them. `feature/register.ts` holds Bolt's own types to these. */

/** What of Slack's client shows windows and writes to people. */
export interface SlackClient {
  readonly views: {
    open(request: {
      trigger_id: string;
      view: ModalView;
    }): Promise<{ readonly view?: { readonly id?: string; readonly hash?: string } }>;
    push(request: { trigger_id: string; view: ModalView }): ReturnType<SlackClient['views']['open']>;
    update(request: {
      view_id: string;
      hash?: string;
      view: ModalView;
    }): Promise<{ readonly view?: { readonly hash?: string } }>;
  };
  readonly chat: {
    postEphemeral(request: { channel: string; user: string; text: string }): Promise<unknown>;
    postMessage(request: { channel: string; text: string; blocks?: KnownBlock[] }): Promise<{
      readonly channel?: string | undefined;
      readonly ts?: string | undefined;
    }>;
  };
}

/** What only the person who acted sees. `text` is mrkdwn. */
export interface EphemeralMessage {
  readonly response_type: 'ephemeral';
  readonly replace_original?: boolean;
  readonly text: string;
  readonly blocks?: KnownBlock[];
}

/** Puts something in the place of the message that was clicked, for everyone who sees it. */
interface Replacement {
  readonly replace_original: true;
  readonly text: string;
  readonly blocks?: KnownBlock[];
}

export type Respond = (message: EphemeralMessage | Replacement) => Promise<unknown>;

/** A slash command. */
export interface CommandArguments {
  readonly command: {
    readonly text: string;
    readonly trigger_id: string;
    readonly team_id: string;
    readonly user_id: string;
    readonly channel_id: string;
  };
  readonly ack: (message?: EphemeralMessage) => Promise<void>;
  readonly respond: Respond;
  readonly client: SlackClient;
  /** What `help` answers, as mrkdwn; empty for a command that answers it by itself. */
  readonly help: string;
}

/** A view that Slack sends along with what somebody did in it. */
export interface OpenView {
  readonly id: string;
  readonly hash: string;
  readonly team_id: string;
  readonly callback_id: string;
  readonly private_metadata: string;
  readonly previous_view_id: string | null;
  readonly state: { readonly values: StateValues };
  readonly blocks: readonly AnyBlock[];
  readonly title: PlainTextElement;
  readonly submit: PlainTextElement | null;
  readonly close: PlainTextElement | null;
}

interface Actor {
  readonly user: { readonly id: string; readonly team_id?: string | undefined };
  readonly team: { readonly id: string } | null;
}

/** A button, a menu or an input that tells of every change, in a message or in a view. */
export interface ClickArguments {
  readonly body: Actor & {
    readonly trigger_id: string;
    readonly view?: OpenView | undefined;
    readonly channel?: { readonly id: string } | undefined;
    /** What was clicked in, where that is a message. */
    readonly message?: { readonly text?: string; readonly blocks?: readonly KnownBlock[] } | undefined;
  };
  readonly action: {
    readonly action_id: string;
    readonly block_id: string;
    readonly action_ts: string;
    /** Of a button. */
    readonly value?: string;
    /** Of a menu. */
    readonly selected_option?: { readonly value?: string } | null;
    readonly selected_user?: string | null;
    /** `2026-11-21` */
    readonly selected_date?: string | null;
  };
  /** Only for what was clicked in a message. */
  readonly respond: Respond;
  readonly client: SlackClient;
}

/** What the acknowledgement of a submitted form says; nothing closes it. */
export type SubmissionAnswer =
  | { readonly response_action: 'clear' }
  | { readonly response_action: 'errors'; readonly errors: Record<string, string> }
  | { readonly response_action: 'update'; readonly view: View };

/** A submitted form. */
export interface SubmissionArguments {
  readonly body: Actor & { readonly view: OpenView };
  readonly ack: (answer?: SubmissionAnswer) => Promise<void>;
  readonly client: SlackClient;
}

/** What was typed into a menu that is searched. */
export interface SuggestionArguments {
  readonly body: {
    readonly value: string;
    readonly user: { readonly id: string };
    readonly view?: Pick<OpenView, 'callback_id'> | undefined;
  };
  readonly ack: (answer: { options: Option[] }) => Promise<void>;
}

/** A shortcut that can be chosen anywhere. */
export interface ShortcutArguments {
  readonly shortcut: { readonly trigger_id: string; readonly user: { readonly id: string } };
  readonly client: SlackClient;
}

/** A shortcut on a message: `message` is the one it was chosen on. */
export interface MessageShortcutArguments extends ShortcutArguments {
  readonly shortcut: ShortcutArguments['shortcut'] & {
    readonly channel: { readonly id: string };
    readonly message: MessageContent;
  };
}

/** What answers to it, with what its feature works with. Clicks and shortcuts are acknowledged before. */
type Handler<Arguments, Dependencies> = (args: Arguments, dependencies: Dependencies) => Promise<void>;
export type CommandHandler<Dependencies> = Handler<CommandArguments, Dependencies>;
export type ClickHandler<Dependencies> = Handler<ClickArguments, Dependencies>;
export type SubmissionHandler<Dependencies> = Handler<SubmissionArguments, Dependencies>;
export type SuggestionHandler<Dependencies> = Handler<SuggestionArguments, Dependencies>;
export type ShortcutHandler<Dependencies> = Handler<ShortcutArguments, Dependencies>;
export type MessageShortcutHandler<Dependencies> = Handler<MessageShortcutArguments, Dependencies>;
