/** One thing the app is told, as Slack names the three ways it does so. */
export interface DeliveryRequest {
  kind: 'slash_commands' | 'interactive' | 'events_api';
  payload: Record<string, unknown>;
}

/** The app's acknowledgement (its payload, if it gave one), or why there was none in time. */
export type DeliveryResult =
  | { ok: true; body: unknown }
  | { ok: false; error: 'app_not_connected' | 'operation_timeout' | 'dispatch_failed'; message: string };
