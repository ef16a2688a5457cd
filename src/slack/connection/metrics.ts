import type { PayloadKind } from './payload.ts';

/** What Slack's side of Herald counts; telemetry gives the real one. */
export interface SlackMetrics {
  /** An interaction was acknowledged, `seconds` after it arrived. Slack gives three. */
  acknowledged(kind: PayloadKind, seconds: number): void;
  /** Slack said that it drops events, as it does once a minute while it drops them. */
  eventsDropped(): void;
  /** A Web API method was called: `ok`, Slack's error code where it is a known one, else `other`, `http_<status>`, `timeout` or `network_error`. */
  apiCalled(method: string, result: string, seconds: number): void;
}
