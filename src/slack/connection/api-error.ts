import { webApi } from '@slack/bolt';
import { given } from '../../core/given.ts';
import { asOutage, isOutage } from '../../core/outage.ts';

/** Why a Web API call did not answer ok, by what that says of its effect. */
export type ApiFailure =
  /** Slack answered no: nothing was done. `code` is Slack's own word. */
  | { readonly kind: 'refused'; readonly code: string }
  /** Slack said "not now" before doing anything. */
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number }
  /** The request never reached Slack: nothing was done. */
  | { readonly kind: 'not_reached'; readonly cause: string }
  /** No readable answer: it may have been done. */
  | { readonly kind: 'ambiguous'; readonly cause: string };

const ERROR_CODE = /^[a-z][a-z0-9_]{1,79}$/;

/** Slack's own words for trouble on its side; its documentation adds that the call may have been carried out. */
const SLACK_IN_TROUBLE: ReadonlySet<string> = new Set([
  'fatal_error',
  'internal_error',
  'request_timeout',
  'service_unavailable',
]);

/** Slack's words for "too many", where it answers 200 instead of 429. */
const TOO_MANY: ReadonlySet<string> = new Set(['rate_limited', 'ratelimited', 'message_limit_exceeded']);

/** Causes that prove that no connection was made. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The wait when Slack says "too many" but not for how long. */
export const DEFAULT_RETRY_AFTER_MS = 30_000;
/** The wait when Slack gave no usable answer. */
export const LATER_MS = 5_000;

export function classifyApiError(error: unknown): ApiFailure {
  if (error instanceof webApi.WebAPIRateLimitedError) {
    return { kind: 'rate_limited', retryAfterMs: error.retryAfter * 1000 };
  }
  if (error instanceof webApi.WebAPIPlatformError) return classifyCode(error.data.error);
  if (error instanceof webApi.WebAPIHTTPError) {
    return { kind: 'ambiguous', cause: `http_${error.statusCode}` };
  }
  const codes = causeCodes(error);
  const never = codes.find((code) => NEVER_CONNECTED.has(code));
  if (never !== undefined) return { kind: 'not_reached', cause: never };
  return { kind: 'ambiguous', cause: codes[0] ?? (error instanceof Error ? error.name : 'unknown') };
}

/** The wait before it is tried again: as Slack says, or else `otherwiseMs`. */
export function retryAfterOf(failure: ApiFailure, otherwiseMs = LATER_MS): number {
  return failure.kind === 'rate_limited' ? failure.retryAfterMs : otherwiseMs;
}

function classifyCode(code: unknown): ApiFailure {
  // An answer that is no JSON (a proxy's page) comes out of the client as an error whose "code" is the page.
  if (typeof code !== 'string' || !ERROR_CODE.test(code))
    return { kind: 'ambiguous', cause: 'unreadable_answer' };
  if (TOO_MANY.has(code)) return { kind: 'rate_limited', retryAfterMs: DEFAULT_RETRY_AFTER_MS };
  if (SLACK_IN_TROUBLE.has(code)) return { kind: 'ambiguous', cause: code };
  return { kind: 'refused', code };
}

/** Lists every `code`, and `timeout` by its name, of an error and its causes, outermost first. */
function causeCodes(error: unknown): string[] {
  const codes: string[] = [];
  const queue: unknown[] = [error];
  for (let steps = 0; steps < 20 && queue.length > 0; steps += 1) {
    const current = queue.shift();
    if (!(current instanceof Error)) continue;
    const code = 'code' in current ? current.code : undefined;
    if (typeof code === 'string' && !code.startsWith('slack_')) codes.push(code);
    if (current.name === 'TimeoutError') codes.push('timeout');
    if (current instanceof AggregateError) queue.push(...current.errors);
    queue.push(current.cause);
  }
  return codes;
}

/** Describes an error for the log: never its properties, which can hold whole requests and answers. */
export function describeError(error: unknown) {
  if (!(error instanceof Error))
    return { name: typeof error, message: 'something that is no error was thrown' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const cause = error.cause instanceof Error ? `${error.cause.name}: ${error.cause.message}` : undefined;
  const { name, message, stack } = error;
  const description = given({ name, message, code, stack, cause });
  return isOutage(error) ? asOutage(description) : description;
}

/** Slack's error codes for a token that it takes from no call, whatever the method. */
export const TOKEN_REFUSED = [
  'account_inactive',
  'invalid_auth',
  'not_authed',
  'token_expired',
  'token_revoked',
];

/** Slack's error codes, by what can be done about them; see `remedyOf`. */
const CODES = {
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
 * Says what can still be done when Slack refuses to post or update a message or a view, by the codes that it documents:
 * `plain_text` it does not like the blocks; `elsewhere` this channel, thread, message or person is out of reach;
 * `operator` only whoever runs Herald can put it right, and then it is to be tried again; `later` the code names
 * neither place nor message, so nothing else would be taken either, and it may pass by itself.
 */
export function remedyOf(code: string): keyof typeof CODES | 'later' {
  const remedies = Object.keys(CODES) as (keyof typeof CODES)[];
  const known = remedies.find((remedy) => CODES[remedy].includes(code));
  return known ?? (OF_THE_CHANNEL.test(code) ? 'elsewhere' : 'later');
}

/** A workspace forbids this in some of its channels, or in those shared with others. */
const OF_THE_CHANNEL = /^(?:restricted_action|slack_connect_)/;

/** While only whoever runs Herald can put it right, asking often helps nobody. */
export const OPERATOR_LATER_MS = 30_000;

/** A code in brackets and, where nobody else can put it right, that whoever runs Herald must. Ends a sentence. */
export function whyRefused(code: string): string {
  return `(${code}).${remedyOf(code) === 'operator' ? ' Whoever runs Herald must mend that first.' : ''}`;
}

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

export function countedError(code: string): string {
  return COUNTED.has(code) ? code : 'other';
}
