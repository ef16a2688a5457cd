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

export const COMMANDS = [
  {
    command: '/chatapp',
    description: 'Send a chat-app template message to a customer',
    usageHint: '[template number "value" …], interactive, address or help',
    examples: [
      '/chatapp order_update +919876501234 "Asha" "A-1001"',
      '/chatapp',
      '/chatapp interactive',
      '/chatapp address',
    ],
  },
  {
    command: '/rcs',
    description: 'Send an RCS template message to a customer',
    usageHint: '[template number "value" …] or help',
    examples: ['/rcs appointment +919876501234 "Monday" "10:00"', '/rcs'],
  },
  {
    command: '/sms',
    description: 'Send an SMS to a customer',
    usageHint: '[number text] or help',
    examples: ['/sms +919876501234 Your table is ready.', '/sms'],
  },
  {
    command: '/flash',
    description: 'Send a flash SMS, shown at once and not kept',
    usageHint: '[number text] or help',
    examples: ['/flash +6591234567 The server room is over 40 degrees.', '/flash'],
  },
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
    description: 'What Herald can do, and whether it is well',
    usageHint: '[help | status]',
    examples: ['/herald status'],
  },
] as const satisfies readonly CommandSurface[];

interface ShortcutSurface {
  readonly callbackId: string;
  readonly type: 'global' | 'message';
  readonly name: string;
  readonly description: string;
}

export const SHORTCUTS: readonly ShortcutSurface[] = [];

/** Bot events subscribed to. */
export const EVENTS: readonly string[] = [];

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
    why: 'to give people the report of a send, the rows that were left out of a list, and what else is asked for as a file',
  },
  { scope: 'users:read', why: 'to know whether somebody who approves is a guest or from another workspace' },
  { scope: 'usergroups:read', why: 'to know who is in a user group that herald.yml gives a right to' },
  { scope: 'channels:read', why: 'to name the channels in which herald.yml allows something' },
] as const satisfies readonly { readonly scope: string; readonly why: string }[];

/** What the app-level token of Socket Mode may do, and why it must. */
export const APP_TOKEN_SCOPES = [
  { scope: 'connections:write', why: 'to open the Socket Mode connection' },
] as const satisfies readonly { readonly scope: string; readonly why: string }[];
