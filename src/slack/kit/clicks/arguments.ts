import type { SlashCommand, ViewOutput, ViewPushResponseAction, ViewResponseAction } from '@slack/bolt';
import type { KnownBlock, ModalView, Option } from '@slack/types';
import type { Writing } from '../../connection/notify-person.ts';
import type { MessageContent } from '../message-text/plain-text.ts';

/* The part of Bolt's arguments that Herald's handlers use. `feature/register.ts` holds Bolt's own types to these. */

type Shown = Promise<{ readonly view?: { readonly id?: string; readonly hash?: string } }>;

/** The part of Slack's client that shows windows, and the one that writes to people. */
export interface SlackClient extends Writing {
  readonly views: {
    open(request: { trigger_id: string; view: ModalView }): Shown;
    push(request: { trigger_id: string; view: ModalView }): Shown;
    update(request: { view_id: string; hash?: string; view: ModalView }): Shown;
  };
}

/** Only the person who acted sees it. `text` is mrkdwn. */
export interface EphemeralMessage {
  readonly response_type: 'ephemeral';
  readonly replace_original?: boolean;
  readonly text: string;
  readonly blocks?: KnownBlock[];
}

/** Without a `response_type` it is put in the place of the message that was clicked, for everyone who sees it. */
type Replacement = Omit<EphemeralMessage, 'response_type'> & { readonly replace_original: true };
export type Respond = (message: EphemeralMessage | Replacement) => Promise<unknown>;

export interface CommandArguments {
  readonly command: Pick<SlashCommand, 'text' | 'trigger_id' | 'team_id' | 'user_id' | 'channel_id'>;
  readonly ack: (message?: EphemeralMessage) => Promise<void>;
  readonly respond: Respond;
  readonly client: SlackClient;
  /** The answer to `help`, as mrkdwn; empty for a command that answers it by itself. */
  readonly help: string;
}

/** A view that Slack sends along with what somebody did in it. */
export type OpenView = ViewOutput;

interface Actor {
  readonly user: { readonly id: string; readonly team_id?: string | undefined };
  readonly team: { readonly id: string } | null;
}

/** A button, a menu or an input that reports every change, in a message or in a view. */
export interface ClickArguments {
  readonly body: Actor & {
    readonly trigger_id: string;
    readonly view?: OpenView | undefined;
    readonly channel?: { readonly id: string } | undefined;
    /** The message that was clicked in, where it was one. */
    readonly message?: { readonly text?: string; readonly blocks?: readonly KnownBlock[] } | undefined;
  };
  readonly action: {
    readonly action_id: string;
    readonly block_id: string;
    readonly action_ts: string;
    /** A button has it. */
    readonly value?: string;
    /** A menu has it. */
    readonly selected_option?: { readonly value?: string } | null;
    readonly selected_user?: string | null;
    /** `2026-11-21` */
    readonly selected_date?: string | null;
  };
  /** Only for what was clicked in a message. */
  readonly respond: Respond;
  readonly client: SlackClient;
}

/** The acknowledgement of a submitted form; nothing closes it. */
export type SubmissionAnswer = Exclude<ViewResponseAction, ViewPushResponseAction>;

export interface SubmissionArguments {
  readonly body: Actor & { readonly view: OpenView };
  readonly ack: (answer?: SubmissionAnswer) => Promise<void>;
  readonly client: SlackClient;
}

export interface SuggestionArguments {
  readonly body: {
    readonly value: string;
    readonly user: { readonly id: string };
    readonly view?: Pick<OpenView, 'callback_id'> | undefined;
  };
  readonly ack: (answer: { options: Option[] }) => Promise<void>;
}

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

/** Answers an entrance, with what its feature works with. Clicks and shortcuts are acknowledged before. */
type Handler<Arguments, Dependencies> = (args: Arguments, dependencies: Dependencies) => Promise<void>;
export type CommandHandler<Dependencies> = Handler<CommandArguments, Dependencies>;
export type ClickHandler<Dependencies> = Handler<ClickArguments, Dependencies>;
export type SubmissionHandler<Dependencies> = Handler<SubmissionArguments, Dependencies>;
export type SuggestionHandler<Dependencies> = Handler<SuggestionArguments, Dependencies>;
export type MessageShortcutHandler<Dependencies> = Handler<MessageShortcutArguments, Dependencies>;
