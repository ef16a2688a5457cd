import type { WorkspaceClock } from './clock.ts';
import type { AppDelivery } from './delivery.ts';
import type { AppEvents } from './events.ts';
import type { FaultList } from './faults.ts';
import type { Files } from './files.ts';
import type { Messages } from './messages.ts';
import type { RateLimits } from './rate-limits.ts';
import type { ResponseUrls } from './response-urls.ts';
import type { SocketMode } from './socket-mode.ts';
import type { WorkspaceState } from './state.ts';
import type { TriggerIds } from './trigger-ids.ts';
import type { Views } from './views.ts';

/** The parts of a running workspace, as its routes and acts use them. */
export interface WorkspaceParts {
  state: WorkspaceState;
  clock: WorkspaceClock;
  faults: FaultList;
  socketMode: SocketMode;
  delivery: AppDelivery;
  events: AppEvents;
  messages: Messages;
  views: Views;
  files: Files;
  triggers: TriggerIds;
  /** Null: every call is answered. */
  rateLimits: RateLimits | null;
  responseUrls: ResponseUrls;
  tokens: { bot: string; app: string };
  /** e.g. http://127.0.0.1:8080, known once the server listens. */
  origin: () => string;
}
