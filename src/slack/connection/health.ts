import type { PayloadKind } from './payload.ts';

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
  /** The moment when Slack last said that it drops events, within the last hour. Milliseconds since the epoch. */
  readonly droppedAt?: number;
}

/** Slack counts events by the hour, too. */
export const DROPPED_KEPT_MS = 60 * 60_000;
export const EVENTS_DROPPED =
  'Slack drops events: more than 30,000 came in an hour, or too many were not answered. Alerts may have woken nobody: look into their channels, and take Herald out of busy channels that no rule watches.';

/** Counts for Slack's side of Herald; telemetry gives the real one. */
export interface SlackMetrics {
  /** An interaction was acknowledged, `seconds` after it arrived. Slack gives three. */
  acknowledged(kind: PayloadKind, seconds: number): void;
  /** Slack said that it drops events, as it does once a minute while it drops them. */
  eventsDropped(): void;
  /** A Web API method was called: `ok`, Slack's error code where it is a known one, else `other`, `http_<status>`, `timeout` or `network_error`. */
  apiCalled(method: string, result: string, seconds: number): void;
}
