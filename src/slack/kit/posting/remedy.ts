/**
 * What can still be done when Slack refuses to post or update a message or a view, by the codes that it documents:
 * `plain_text` it does not like the blocks; `elsewhere` this channel, thread, message or person is out of reach;
 * `operator` only whoever runs Herald can put it right, and then it is to be tried again; `later` the code names
 * neither place nor message, so nothing else would be taken either, and it may pass by itself.
 */
export type Remedy = 'plain_text' | 'operator' | 'elsewhere' | 'later';

const CODES: Readonly<Record<Exclude<Remedy, 'later'>, readonly string[]>> = {
  plain_text: [
    'block_mismatch',
    'invalid_arguments',
    'invalid_attachments',
    'invalid_blocks',
    'invalid_blocks_format',
    'msg_blocks_too_long',
    'msg_too_long',
    'view_too_large',
  ],
  operator: [
    'account_inactive',
    'invalid_auth',
    'missing_scope',
    'not_allowed_token_type',
    'not_authed',
    'team_access_not_granted',
    'token_expired',
    'token_revoked',
  ],
  elsewhere: [
    'cannot_dm_bot',
    'cannot_reply_to_message',
    'cant_update_message',
    'channel_not_found',
    'edit_window_closed',
    'invalid_channel',
    'is_archived',
    'is_inactive',
    'message_not_found',
    'messages_tab_disabled',
    'not_in_channel',
    'posting_to_channel_denied',
    'streaming_state_conflict',
    'thread_not_found',
    'user_disabled',
    'user_not_found',
    'user_not_visible',
  ],
};

const REMEDIES: ReadonlyMap<string, Remedy> = new Map(
  (Object.keys(CODES) as (keyof typeof CODES)[]).flatMap((remedy) =>
    CODES[remedy].map((code) => [code, remedy]),
  ),
);

/** What a workspace forbids in some of its channels, or in those shared with others. */
const OF_THE_CHANNEL = /^(?:restricted_action|slack_connect_)/;

/** A code in brackets and, where nobody else can put it right, that whoever runs Herald must. Ends a sentence. */
export function whyRefused(code: string): string {
  return `(${code}).${remedyOf(code) === 'operator' ? ' Whoever runs Herald must mend that first.' : ''}`;
}

export function remedyOf(code: string): Remedy {
  return REMEDIES.get(code) ?? (OF_THE_CHANNEL.test(code) ? 'elsewhere' : 'later');
}
