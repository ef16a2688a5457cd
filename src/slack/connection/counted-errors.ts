/** Slack's error codes for a token that it takes from no call, whatever the method. */
export const TOKEN_REFUSED = [
  'account_inactive',
  'invalid_auth',
  'not_authed',
  'token_expired',
  'token_revoked',
];

/** Slack's error codes, by what can be done about them; see `remedyOf`. */
export const CODES = {
  operator: [...TOKEN_REFUSED, 'missing_scope', 'not_allowed_token_type', 'team_access_not_granted'],
  elsewhere: [
    ...['cannot_dm_bot', 'cannot_reply_to_message', 'cant_update_message', 'channel_not_found'],
    ...['edit_window_closed', 'invalid_channel', 'is_archived', 'is_inactive', 'message_not_found'],
    ...['messages_tab_disabled', 'not_in_channel', 'posting_to_channel_denied', 'streaming_state_conflict'],
    ...['thread_not_found', 'user_disabled', 'user_not_found', 'user_not_visible'],
  ],
  plain_text: [
    ...['block_mismatch', 'invalid_arguments', 'invalid_attachments', 'invalid_blocks'],
    ...['invalid_blocks_format', 'msg_blocks_too_long', 'msg_too_long', 'view_too_large'],
  ],
};

/**
 * Slack's error codes that are counted by name: what can go wrong with the methods that Herald calls. Whatever else an answer says is
 * counted as `other`, so that no text of an answer becomes a label.
 */
const COUNTED: ReadonlySet<string> = new Set([
  ...Object.values(CODES).flat(),
  ...[
    'already_reacted',
    'invalid_cursor',
    'no_such_subteam',
    'no_text',
    'restricted_action',
    'users_not_found',
  ],
  // Views, files and workflows.
  ...['exchanged_trigger_id', 'expired_trigger_id', 'hash_conflict', 'invalid_trigger_id', 'not_found'],
  ...['push_limit_reached', 'trigger_exchanged', 'trigger_expired', 'file_deleted', 'file_not_found'],
  ...['file_uploads_disabled', 'storage_limit_reached', 'function_execution_not_found'],
  // Slack itself.
  ...['fatal_error', 'internal_error', 'message_limit_exceeded', 'no_permission', 'org_login_required'],
  ...['rate_limited', 'ratelimited', 'request_timeout', 'service_unavailable', 'team_added_to_org'],
  'unknown_error',
]);

/** An error code as the metrics name it. */
export function countedError(code: string): string {
  return COUNTED.has(code) ? code : 'other';
}
