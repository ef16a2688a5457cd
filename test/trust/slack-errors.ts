import { isFull, sample } from './how-many.ts';
import type { Fault } from './world.ts';

/*
 * What the methods that Herald calls may be refused with, as Slack's reference names it (https://docs.slack.dev/reference/methods,
 * in the summer of 2026). Any method may answer with any of `ANY_METHOD`; the others are of one method.
 */

export const ANY_METHOD: readonly string[] =
  `access_denied accesslimited account_inactive deprecated_endpoint ekm_access_denied
    enterprise_is_restricted fatal_error internal_error invalid_arg_name invalid_arguments
    invalid_array_arg invalid_auth invalid_charset invalid_form_data invalid_post_type is_bot
    method_deprecated missing_post_type missing_scope no_permission not_allowed_token_type not_authed
    org_login_required rate_limited ratelimited request_timeout service_unavailable
    team_access_not_granted team_added_to_org token_expired token_revoked two_factor_setup_required
    unknown_method`.split(/\s+/);

/** Of those that any method may answer with, a quick run tries so many of each method; each is tried of some. */
const ONE_IN = 4;

const BY_METHOD = {
  'apps.connections.open': 'forbidden_team insecure_request missing_args',
  'auth.teams.list': 'invalid_cursor',
  'auth.test': '',
  'bots.info': 'bot_not_found bots_not_found missing_argument team_not_found',
  'chat.delete': `as_user_not_supported cant_delete_message channel_not_found
    compliance_exports_prevent_deletion message_not_found`,
  'chat.getPermalink': 'channel_not_found message_not_found',
  'chat.postEphemeral': `cannot_reply_to_message channel_not_found invalid_attachments invalid_blocks invalid_blocks_format
    is_archived markdown_text_conflict message_limit_exceeded messages_tab_disabled msg_too_long no_text
    not_in_channel restricted_action too_many_attachments user_not_in_channel`,
  'chat.postMessage': `app_access_restricted as_user_not_supported attachment_payload_limit_exceeded
    cannot_reply_to_message channel_not_found draft_already_deleted draft_already_sent
    draft_has_conflict draft_not_found duplicate_channel_not_found duplicate_message_not_found
    invalid_blocks invalid_blocks_format invalid_metadata_format invalid_metadata_schema is_archived
    markdown_text_conflict message_limit_exceeded messages_tab_disabled metadata_must_be_sent_from_app
    metadata_too_large missing_file_data msg_blocks_too_long no_text not_in_channel restricted_action
    restricted_action_non_threadable_channel restricted_action_read_only_channel
    restricted_action_thread_locked restricted_action_thread_only_channel send_on_behalf_not_allowed
    slack_connect_canvas_sharing_blocked slack_connect_file_link_sharing_blocked
    slack_connect_lists_sharing_blocked team_not_found too_many_attachments too_many_contact_cards`,
  'chat.update': `as_user_not_supported block_mismatch blocked_file_type cant_broadcast_message cant_update_message
    channel_not_found edit_window_closed external_channel_migrating file_deleted file_is_deleted
    file_not_found file_share_limit_reached invalid_attachments invalid_blocks invalid_blocks_format
    invalid_metadata_format invalid_metadata_schema is_inactive markdown_text_conflict
    max_file_sharing_exceeded message_limit_exceeded message_not_found metadata_must_be_sent_from_app
    metadata_too_large msg_too_long no_dual_broadcast_content_update no_text posting_to_channel_denied
    slack_connect_blocked_file_type slack_connect_canvas_sharing_blocked
    slack_connect_clip_sharing_blocked slack_connect_file_link_sharing_blocked
    slack_connect_file_upload_sharing_blocked streaming_state_conflict team_not_found
    too_many_attachments unable_to_share_files update_failed`,
  'conversations.history': `channel_is_limited_access channel_not_found invalid_cursor invalid_metadata_filter_keys
    invalid_ts_latest invalid_ts_oldest not_in_channel`,
  'conversations.info': 'channel_is_limited_access channel_not_found',
  'conversations.members': `channel_not_found fetch_members_failed invalid_cursor invalid_limit
    method_not_supported_for_channel_type`,
  'conversations.replies': `channel_not_found invalid_cursor invalid_metadata_filter_keys invalid_ts_latest invalid_ts_oldest
    list_record_comment_fetch_failed method_not_supported_for_channel_type thread_not_found`,
  'files.completeUploadExternal': `channel_not_found channels_limit_exceeded file_not_found file_type_not_allowed file_update_failed
    file_uploads_except_images_disabled invalid_blocks invalid_channel not_in_channel
    posting_to_channel_denied`,
  'files.getUploadURLExternal': `alt_txt_too_large file_type_not_allowed file_upload_size_restricted file_uploads_disabled
    file_uploads_except_images_disabled missing_argument snippet_too_large storage_limit_reached
    unknown_snippet_type unknown_subtype`,
  'files.info': `canvas_disabled_file_team canvas_disabled_user_team canvas_globally_disabled file_deleted
    file_not_found not_visible slack_connect_canvas_sharing_blocked template_not_visible`,
  'functions.completeError': 'execution_not_in_running_state function_execution_not_found',
  'functions.completeSuccess':
    'execution_not_in_running_state function_execution_not_found parameter_validation_failed',
  'reactions.add': `already_reacted bad_timestamp channel_not_found external_channel_migrating invalid_name is_archived
    message_not_found no_access no_item_specified not_reactable thread_locked too_many_emoji
    too_many_reactions`,
  'reactions.remove': `bad_timestamp channel_not_found external_channel_migrating file_comment_not_found file_not_found
    invalid_name message_not_found no_access no_item_specified no_reaction thread_locked`,
  'usergroups.list': 'invalid_cursor invalid_team missing_argument plan_upgrade_required users_not_found',
  'usergroups.users.list': 'invalid_cursor no_such_subteam plan_upgrade_required',
  'users.info': 'too_many_users user_not_found user_not_visible',
  'views.open':
    'duplicate_external_id exchanged_trigger_id expired_trigger_id invalid_trigger_id view_too_large',
  'views.publish':
    'duplicate_external_id hash_conflict missing_profile_id not_enabled not_implemented view_too_large',
  'views.push': `duplicate_external_id exchanged_trigger_id expired_trigger_id invalid_trigger_id not_found
    push_limit_reached view_too_large`,
  'views.update': 'duplicate_external_id hash_conflict not_found view_too_large',
} as const;

export type Method = keyof typeof BY_METHOD;
export const METHODS = Object.keys(BY_METHOD) as Method[];

const OWN_ERRORS = Object.fromEntries(
  METHODS.map((method) => [method, BY_METHOD[method].split(/\s+/).filter(Boolean)]),
) as unknown as Readonly<Record<Method, readonly string[]>>;

/** Everything that Slack documents a method to be refused with. */
export function errorsOf(method: Method): readonly string[] {
  return [...OWN_ERRORS[method], ...ANY_METHOD];
}

export type Refusable = Method | 'response_url';

/** What Herald is told this of, it does not ask for half a minute. */
export const TOO_MANY: readonly string[] = ['rate_limited', 'ratelimited', 'message_limit_exceeded'];

/** What the line of an attack says of refusals that any method may answer with. */
export const SHARE = isFull ? '' : `, one in ${ONE_IN} of those of any method`;

/** All that may come of a call instead of what it is for; at last what Herald then waits for. */
export function faultsOf(method: Refusable): readonly Fault[] {
  const own: readonly string[] =
    method === 'response_url' ? ['used_url', 'expired_url', 'no_text'] : OWN_ERRORS[method];
  const any = method === 'response_url' ? [] : sample(ANY_METHOD, ONE_IN, METHODS.indexOf(method));
  const errors = [...own, ...any].toSorted(
    (one, other) => Number(TOO_MANY.includes(one)) - Number(TOO_MANY.includes(other)),
  );
  const on = { on: 'api', method, times: 99 } as const;
  return [
    { ...on, do: 'drop_answer' },
    { ...on, do: 'status', status: 503 },
    // By this one Slack says that the window of a click is open already, because the click came twice.
    ...errors
      .filter((error) => error !== 'exchanged_trigger_id')
      .map((error): Fault => ({ ...on, do: 'error', error })),
    { ...on, do: 'rate_limit', retryAfterSeconds: 1 },
  ];
}
