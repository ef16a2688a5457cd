export type AnnounceResult =
  | { readonly state: 'posted'; readonly channelId: string; readonly ts: string }
  /**
   * Try again later: Slack is down, slow or said 429; or, with its code as `refusal`, it refuses for a reason that lies
   * neither in the place nor in the message, and waits get longer.
   */
  | { readonly state: 'later'; readonly retryAfterMs: number; readonly refusal?: string }
  /** It was said where it cannot be updated: by a response_url. */
  | { readonly state: 'elsewhere' }
  /** Slack refuses for good and there is nowhere else to say it. */
  | { readonly state: 'refused'; readonly reason: string };
