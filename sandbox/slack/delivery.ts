import type { DeliveryRequest, DeliveryResult } from './delivery-request.ts';
import type { FaultList } from './faults.ts';
import { HttpDelivery } from './http-delivery.ts';
import type { SocketMode } from './socket-mode.ts';
import type { WorkspaceState } from './state.ts';

/** How Slack reaches the app. */
export type DeliveryMode = { mode: 'socket' } | { mode: 'http'; url: string; signingSecret: string };

/** Brings requests to the app by socket or by HTTP, and plays the faults of delivery. */
export class AppDelivery {
  #socketMode: SocketMode;
  #faults: FaultList;
  #state: WorkspaceState;
  #http: HttpDelivery | null = null;
  #ackTimeoutMs: number;
  #now: () => number;

  constructor(parts: {
    socketMode: SocketMode;
    faults: FaultList;
    state: WorkspaceState;
    ackTimeoutMs: number;
    now: () => number;
  }) {
    this.#socketMode = parts.socketMode;
    this.#faults = parts.faults;
    this.#state = parts.state;
    this.#ackTimeoutMs = parts.ackTimeoutMs;
    this.#now = parts.now;
    parts.state.watchConnection(() => this.isConnected());
  }

  setMode(delivery: DeliveryMode): void {
    this.#http =
      delivery.mode === 'http' ? new HttpDelivery(delivery.url, delivery.signingSecret, this.#now) : null;
    this.#state.emit({ type: 'app', connected: this.isConnected() });
  }

  isConnected(): boolean {
    return this.#http !== null || this.#socketMode.isConnected();
  }

  /** Asks the app, and waits for its acknowledgement as long as Slack does: three seconds. */
  async deliver(request: DeliveryRequest): Promise<DeliveryResult> {
    const times = this.#faults.takeDuplicate() ? 2 : 1;
    const transport = this.#http ?? this.#socketMode;
    return transport.deliver(request, { times, ackTimeoutMs: this.#ackTimeoutMs });
  }
}
