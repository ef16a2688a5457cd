import { KINDS, MESSAGE_KINDS } from '../../messages/kinds.ts';

/**
 * Everything of Herald that Slack must know of: `manifest.yml` says the same, and a test compares the two both
 * ways. What is not registered in code does not stand here.
 */

interface CommandSurface {
  readonly command: `/${string}`;
  readonly description: string;
  readonly usageHint: string;
  /** Whole lines as one would type them. Not part of the manifest. */
  readonly examples: readonly string[];
}

/** One for each kind that has a command of its own. */
const SEND_COMMANDS = MESSAGE_KINDS.flatMap((kind): CommandSurface[] => {
  const { command } = KINDS[kind];
  return 'builds' in command ? [] : [{ command: `/${kind}`, ...command }];
});

export const COMMANDS: readonly CommandSurface[] = [
  ...SEND_COMMANDS,
  {
    command: '/sends',
    description: 'What was sent, what waits, and who decided',
    usageHint: '[mine | all] [state], a reference, audit or help',
    examples: ['/sends all paused', '/sends audit'],
  },
  {
    command: '/templates',
    description: 'The team’s catalogue of message templates',
    usageHint: '[words | look name | add | import | export] or help',
    examples: ['/templates', '/templates look order_update'],
  },
  {
    command: '/audiences',
    description: 'The team’s saved lists of recipients',
    usageHint: '[list | upload | look | replace | delete] [name] or help',
    examples: ['/audiences', '/audiences look Newsletter'],
  },
  {
    command: '/optout',
    description: 'Numbers that no bulk send may reach',
    usageHint: '[add | remove | look up] number, import, export or help',
    examples: ['/optout add +919876501234', '/optout export'],
  },
  {
    command: '/herald',
    description: 'What Herald can do, whether it is well, and the rules for alerts',
    usageHint: '[help | status | alerts [try | mute | unmute | numbers] [rule]]',
    examples: ['/herald status', '/herald alerts'],
  },
];

interface ShortcutSurface {
  readonly callbackId: string;
  readonly type: 'global' | 'message';
  readonly name: string;
  readonly description: string;
}

export const SHORTCUTS = [
  {
    callbackId: 'send_message',
    type: 'global',
    name: 'Send a message',
    description: 'Choose a kind of message and fill in its form',
  },
  {
    callbackId: 'send_this_as',
    type: 'message',
    name: 'Send this as…',
    description: 'Begin a message to customers with the text of this one',
  },
  {
    callbackId: 'flash_this',
    type: 'message',
    name: 'Flash SMS this',
    description: 'Begin a flash SMS with the text of this message',
  },
] as const satisfies readonly ShortcutSurface[];

interface ParameterSurface {
  /** As `manifest.yml` has it. */
  readonly type: 'string' | 'boolean' | 'slack#/types/channel_id' | 'slack#/types/user_context';
  readonly title: string;
  readonly description: string;
  readonly is_required: boolean;
}

/** A step that people put into their workflows. */
interface FunctionSurface {
  readonly callbackId: string;
  readonly title: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, ParameterSurface>>;
  readonly outputs: Readonly<Record<string, ParameterSurface>>;
}

/** What every step takes. Who asks cannot be chosen by a workflow's author: Slack fills it in with who ran it. */
const COMMON_INPUTS = {
  user_context: {
    type: 'slack#/types/user_context',
    title: 'Person',
    description: 'Who runs the workflow: the message is sent in their name and by their rights',
    is_required: true,
  },
  channel: {
    type: 'slack#/types/channel_id',
    title: 'Channel',
    description: 'Where the result is posted',
    is_required: true,
  },
  to: {
    type: 'string',
    title: 'To',
    description:
      'One phone number; or several with commas between them, which wait for an approval as any bulk send',
    is_required: true,
  },
} as const satisfies FunctionSurface['inputs'];

const LAST_INPUTS = {
  sender: {
    type: 'string',
    title: 'Sender',
    description: 'Needed only where several senders are configured',
    is_required: false,
  },
  stop_on_failure: {
    type: 'boolean',
    title: 'Stop the workflow on failure',
    description: 'Otherwise the workflow goes on, and can look at the status',
    is_required: false,
  },
} as const satisfies FunctionSurface['inputs'];

const OUTPUTS = {
  status: {
    type: 'string',
    title: 'Status',
    description: 'accepted, rejected, not_sent, unknown, skipped, refused, awaiting_approval or sending',
    is_required: true,
  },
  code: {
    type: 'string',
    title: 'Code',
    description: 'The code that the messaging service gave; empty without one',
    is_required: true,
  },
  meaning: {
    type: 'string',
    title: 'Meaning',
    description: 'What happened, whether anything was sent, and what to do next',
    is_required: true,
  },
  message_id: {
    type: 'string',
    title: 'Message id',
    description: 'The messaging service’s own; empty without one',
    is_required: true,
  },
  reference: {
    type: 'string',
    title: 'Reference',
    description: 'Herald’s own, for /sends; empty when nothing was begun',
    is_required: true,
  },
} as const satisfies FunctionSurface['outputs'];

export const FUNCTIONS = [
  {
    callbackId: 'send_template_message',
    title: 'Send a template message',
    description: 'Send a chat-app or RCS template message to a customer',
    inputs: {
      ...COMMON_INPUTS,
      template: {
        type: 'string',
        title: 'Template',
        description: 'Its name in Herald’s catalogue',
        is_required: true,
      },
      kind: {
        type: 'string',
        title: 'Kind',
        description: 'chatapp or rcs; needed only where both have a template of this name',
        is_required: false,
      },
      values: {
        type: 'string',
        title: 'Values',
        description:
          'One line for each placeholder, in order; then the link of the header or of each card, and its file name',
        is_required: false,
      },
      ...LAST_INPUTS,
    },
    outputs: OUTPUTS,
  },
  {
    callbackId: 'send_flash_sms',
    title: 'Send flash SMS',
    description: 'Send a flash SMS, shown at once and not kept',
    inputs: {
      ...COMMON_INPUTS,
      text: {
        type: 'string',
        title: 'Text',
        description: 'What the phone shows',
        is_required: true,
      },
      ...LAST_INPUTS,
    },
    outputs: OUTPUTS,
  },
] as const satisfies readonly FunctionSurface[];

/** Bot events subscribed to. */
export const EVENTS: readonly string[] = [
  'app_home_opened',
  'function_executed',
  'message.channels',
  'message.groups',
];

/** What the bot token may do, and why it must. */
export const SCOPES = [
  { scope: 'commands', why: 'to offer the slash commands and receive what is typed after them' },
  {
    scope: 'chat:write',
    why: 'to post a result where the send was asked for, or to the person directly, and to update it in place',
  },
  { scope: 'files:read', why: 'to read the CSV file that a person gives in a form' },
  {
    scope: 'files:write',
    why: 'to give people directly the report of a send, the rows that were left out of a list, and what else is asked for as a file',
  },
  {
    scope: 'users:read',
    why: 'to know whether somebody who does something is a guest or from another workspace, and to name who is mentioned in a message that is sent on',
  },
  {
    scope: 'usergroups:read',
    why: 'to know who is in a user group that herald.yml gives a right to, and to name one that is mentioned in a message that is sent on',
  },
  {
    scope: 'channels:read',
    why: 'to name the channels in which herald.yml allows something, and to know whether somebody is in one that they choose in a form',
  },
  { scope: 'groups:read', why: 'the same for private channels' },
  {
    scope: 'channels:history',
    why: 'to see the messages that rules for alerts watch, to try a rule out on yesterday’s, and to find its own message again when Slack’s answer to posting it was lost, so that it is not posted twice',
  },
  { scope: 'groups:history', why: 'the same in private channels' },
] as const satisfies readonly { readonly scope: string; readonly why: string }[];

/** What the app-level token of Socket Mode may do, and why it must. */
export const APP_TOKEN_SCOPES = [
  { scope: 'connections:write', why: 'to open the Socket Mode connection' },
] as const satisfies readonly { readonly scope: string; readonly why: string }[];
