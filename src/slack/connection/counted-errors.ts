/**
 * Slack's error codes that are counted by name: what can go wrong with the methods that Herald calls. Whatever else
 * an answer says is counted as `other`, so that no text of an answer becomes a label.
 */
const COUNTED: ReadonlySet<string> = new Set([
  // The app and its token.
  ...['account_inactive', 'invalid_auth', 'missing_scope', 'not_allowed_token_type', 'not_authed'],
  ...['org_login_required', 'team_access_not_granted', 'token_expired', 'token_revoked', 'no_permission'],
  // The place, the message or the person.
  ...['cannot_dm_bot', 'cannot_reply_to_message', 'cant_update_message', 'channel_not_found'],
  ...['edit_window_closed', 'invalid_channel', 'is_archived', 'message_not_found', 'messages_tab_disabled'],
  ...['no_such_subteam', 'not_in_channel', 'restricted_action', 'thread_not_found', 'user_disabled'],
  ...['user_not_found', 'user_not_visible', 'users_not_found', 'already_reacted'],
  // What was asked.
  ...['block_mismatch', 'invalid_arguments', 'invalid_blocks', 'invalid_blocks_format', 'invalid_cursor'],
  ...['msg_blocks_too_long', 'msg_too_long', 'no_text', 'view_too_large'],
  // Views, files and workflows.
  ...['exchanged_trigger_id', 'expired_trigger_id', 'hash_conflict', 'invalid_trigger_id', 'not_found'],
  ...['push_limit_reached', 'trigger_exchanged', 'trigger_expired', 'file_deleted', 'file_not_found'],
  ...['file_uploads_disabled', 'storage_limit_reached', 'function_execution_not_found'],
  // Slack itself.
  ...['fatal_error', 'internal_error', 'message_limit_exceeded', 'rate_limited', 'ratelimited'],
  ...['request_timeout', 'service_unavailable', 'team_added_to_org', 'unknown_error'],
]);

/** An error code as the metrics name it. */
export function countedError(code: string): string {
  return COUNTED.has(code) ? code : 'other';
}
