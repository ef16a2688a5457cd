/**
 * What of Slack the workspace plays, and what it does not. Calls are counted by method, as `rate-limits.ts` says. A test holds this table and the code equal: the Web
 * API methods with the routes, the interactions with the acts and payloads.
 */
export interface Coverage {
  status: 'emulated' | 'not started';
  note: string;
}

const emulated = (note: string): Coverage => ({ status: 'emulated', note });
const notStarted = (note: string): Coverage => ({ status: 'not started', note });

export const WEB_API_COVERAGE: Readonly<Record<string, Coverage>> = {
  'api.test': emulated('echoes its arguments; `error` makes it fail'),
  'apps.connections.open': emulated('one-time ticket, app-level token'),
  'auth.revoke': notStarted('tokens are given at the start and stay'),
  'auth.test': emulated('the bot’s identity; of a whole organisation’s install the organisation’s'),
  'blocks.validate': emulated('blocks, a message or a view, by the same rules as posting'),
  'bots.info': emulated('the app’s own bot and the other apps’'),
  'chat.delete': emulated('own messages only'),
  'chat.getPermalink': emulated('in the form slack.com gives'),
  'chat.postEphemeral': emulated('lost on restart, never in history'),
  'chat.postMessage': emulated(
    'blocks, attachments, threads, metadata; unfurling is ignored; one a second in a channel, ten in a burst (Slack does not tell how many)',
  ),
  'chat.scheduleMessage': notStarted('Herald schedules its own sends'),
  'chat.startStream': notStarted('streaming text is not used'),
  'chat.unfurl': notStarted('links are not unfurled'),
  'chat.update': emulated('own messages only; text up to 4,000 characters'),
  'conversations.history': emulated('cursor, oldest, latest, inclusive'),
  'conversations.info': emulated(
    'private channels without the bot do not exist; C0SHARED is another company’s, too',
  ),
  'conversations.join': notStarted('Herald has no scope to join; invite the bot'),
  'conversations.list': emulated('by type, with cursor; an organisation’s install must name the workspace'),
  'conversations.members': emulated('with cursor'),
  'conversations.open': emulated('one person; group conversations are too_many_users'),
  'conversations.replies': emulated('root first'),
  'files.completeUploadExternal': emulated('shares to one channel'),
  'files.delete': notStarted('files stay until the sandbox is emptied'),
  'files.getUploadURLExternal': emulated('up to 50 MB'),
  'files.info': emulated('without comments; of what people post, files of conversations with the bot'),
  'functions.completeError': emulated('once, while the step runs'),
  'functions.completeSuccess': emulated('outputs are checked against the manifest'),
  'oauth.v2.access': notStarted('one workspace, tokens by configuration'),
  'reactions.add': emulated('invalid_name for what is no emoji of the workspace'),
  'reactions.remove': emulated('its own only'),
  'usergroups.list': emulated('with or without users'),
  'usergroups.users.list': emulated('plan_upgrade_required by a fault'),
  'users.info': emulated(
    'profile without e-mail: there is no scope for it; is_stranger for another company’s, enterprise_user in an organisation',
  ),
  'users.list': emulated('with cursor'),
  'views.open': emulated('trigger_id lives three seconds, once'),
  'views.publish': emulated('hash_conflict'),
  'views.push': emulated('at most three views'),
  'views.update': emulated('by view_id or external_id; keeps what was typed; hash_conflict'),
};

/** What the app is told, by the name Slack's payloads carry in `type`, or the kind of envelope. */
export const INTERACTION_COVERAGE: Readonly<Record<string, Coverage>> = {
  block_actions: emulated(
    'in messages, ephemeral ones too, modals and Home; the texts of blocks are escaped, their emoji names; team is null for an organisation’s install',
  ),
  block_suggestion: emulated('options are checked as Slack does'),
  message_action: emulated('message shortcuts'),
  shortcut: emulated('global shortcuts'),
  slash_commands: emulated(
    'with response_url and an answer in the acknowledgement; emoji are names; `& < >` are escaped; people are ids where the manifest asks for that; not for people of other companies, nor where the manifest takes the composer away',
  ),
  view_closed: emulated('when notify_on_close is set'),
  view_submission: emulated(
    'errors, update, push, clear; Slack’s own checks first, files up to 10 MB; what was typed is handed on as typed',
  ),
};

/**
 * Events API, by subscription. What the app does not take comes again, as `delivery.ts` says; `app_rate_limited` and
 * `url_verification` come when they are asked for.
 */
export const EVENT_COVERAGE: Readonly<Record<string, Coverage>> = {
  app_home_opened: emulated('home tab only'),
  app_mention: emulated('in channels'),
  app_uninstalled: notStarted('the app stays installed'),
  function_executed: emulated(
    'a workflow of one step, run by a person; no Workflow Builder; texts escaped, emoji names, numbers and addresses links',
  ),
  'message.channels': emulated(
    'with bot_message (no app_id), message_changed with what was there before, message_deleted; people’s are escaped and carry rich text without lists, quotes and nested styles; emoji are names; another company’s person in C0SHARED',
  ),
  'message.groups': emulated('as message.channels'),
  'message.im': emulated('as message.channels'),
  reaction_added: emulated('by people and the app'),
  reaction_removed: emulated('as reaction_added'),
  tokens_revoked: notStarted('tokens stay'),
};
