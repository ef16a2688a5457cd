/** One thing the app is told, as Slack names the ways it does so. */
export interface DeliveryRequest {
  /** `url_verification` is asked by HTTP only, and once. */
  kind: 'slash_commands' | 'interactive' | 'events_api' | 'url_verification';
  payload: Record<string, unknown>;
}

/** The app's acknowledgement (its payload, if it gave one), or why there was none in time. */
export type DeliveryResult =
  | { ok: true; body: unknown }
  | { ok: false; error: 'app_not_connected' | 'operation_timeout' | 'dispatch_failed'; message: string };

/** Why an event was not taken, as Slack says when it brings it again. */
type RetryReason =
  | 'http_timeout'
  | 'http_error'
  | 'connection_failed'
  | 'too_many_redirects'
  | 'unknown_error';

/** How one try to bring something ended. */
export type Attempt =
  | Extract<DeliveryResult, { ok: true }>
  | (Extract<DeliveryResult, { ok: false }> & {
      reason: RetryReason;
      /** The app asked not to be told again. */
      isFinal?: boolean;
    });

/** The how-manyeth time after the first something is brought, and why again. */
export interface Retry {
  number: number;
  reason: RetryReason;
}

export interface DeliveryOptions {
  /** How often the same bytes go out: twice to play a delivery that is doubled. */
  times: number;
  ackTimeoutMs: number;
  retry?: Retry | undefined;
}
