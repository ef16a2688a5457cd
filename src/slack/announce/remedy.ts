/**
 * What can still be done when Slack refuses to post or update a result:
 * `plain_text` it does not like the blocks; `operator` only whoever runs Herald can put it right, and then it is
 * to be tried again; `elsewhere` this channel or message is out of reach, tell the person directly.
 */
export type Remedy = 'plain_text' | 'operator' | 'elsewhere';

const REMEDIES: Readonly<Record<string, Remedy>> = {
  invalid_blocks: 'plain_text',
  invalid_blocks_format: 'plain_text',
  msg_blocks_too_long: 'plain_text',
  invalid_arguments: 'plain_text',
  account_inactive: 'operator',
  invalid_auth: 'operator',
  missing_scope: 'operator',
  not_authed: 'operator',
  org_login_required: 'operator',
  team_access_not_granted: 'operator',
  token_expired: 'operator',
  token_revoked: 'operator',
};

export function remedyOf(code: string): Remedy {
  return REMEDIES[code] ?? 'elsewhere';
}
