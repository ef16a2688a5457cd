import { expect, test } from 'vitest';
import { remedyOf } from '../../../src/slack/connection/api-error.ts';

/* The codes that chat.postMessage and chat.update are documented to answer, and what nobody has documented yet. */
const REMEDIES = {
  plain_text: `block_mismatch invalid_arguments invalid_attachments invalid_blocks invalid_blocks_format
    msg_blocks_too_long msg_too_long`,
  operator: `account_inactive invalid_auth missing_scope not_allowed_token_type not_authed team_access_not_granted
    token_expired token_revoked`,
  elsewhere: `cannot_reply_to_message cant_update_message channel_not_found edit_window_closed is_archived is_inactive
    message_not_found messages_tab_disabled not_in_channel posting_to_channel_denied restricted_action
    restricted_action_non_threadable_channel restricted_action_read_only_channel restricted_action_thread_locked
    restricted_action_thread_only_channel slack_connect_canvas_sharing_blocked
    slack_connect_file_link_sharing_blocked slack_connect_lists_sharing_blocked streaming_state_conflict
    thread_not_found user_disabled user_not_found`,
  later: `access_denied accesslimited as_user_not_supported attachment_payload_limit_exceeded deprecated_endpoint
    duplicate_message_not_found ekm_access_denied enterprise_is_restricted external_channel_migrating
    invalid_arg_name invalid_array_arg invalid_charset invalid_form_data invalid_metadata_format invalid_post_type
    messaging_processing_failed method_deprecated missing_post_type no_permission no_text org_login_required
    team_added_to_org team_not_found two_factor_setup_required update_failed a_word_of_tomorrow constructor`,
};

test.each(Object.entries(REMEDIES))('%s is the remedy for its codes', (remedy, codes) => {
  for (const code of codes.split(/\s+/)) expect([code, remedyOf(code)]).toEqual([code, remedy]);
});
