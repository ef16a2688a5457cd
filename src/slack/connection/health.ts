export interface SlackHealth {
  readonly mode: 'socket' | 'http';
  /** Slack has said who Herald is. */
  readonly authenticated: boolean;
  /** Authenticated, and in Socket Mode connected. */
  readonly ready: boolean;
  /** Slack refuses a token: trying again cannot help. */
  readonly isRefused?: true;
  /** Why it is not ready, for the operator. */
  readonly problem?: string;
}
