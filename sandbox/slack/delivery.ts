import type { WorkspaceClock } from './clock.ts';
import type { Attempt, DeliveryRequest, DeliveryResult, Retry } from './delivery-request.ts';
import type { FaultList } from './faults.ts';
import { HttpDelivery } from './http-delivery.ts';
import type { SocketMode } from './socket-mode.ts';
import type { WorkspaceState } from './state.ts';

/** How Slack reaches the app. */
export type DeliveryMode = { mode: 'socket' } | { mode: 'http'; url: string; signingSecret: string };

/**
 * An event that is not taken is brought again: at once, a minute later, and five minutes after that.
 * Source: https://docs.slack.dev/apis/events-api#retries
 */
const RETRY_AFTER_MS = [0, 60_000, 300_000] as const;

/** Brings requests to the app by socket or by HTTP, events again that it did not take, and plays the faults of delivery. */
export class AppDelivery {
  #socketMode: SocketMode;
  #faults: FaultList;
  #state: WorkspaceState;
  #http: HttpDelivery | null = null;
  #ackTimeoutMs: number;
  #clock: WorkspaceClock;
  #waiting = new Set<() => void>();
  #isClosed = false;

  constructor(parts: {
    socketMode: SocketMode;
    faults: FaultList;
    state: WorkspaceState;
    ackTimeoutMs: number;
    clock: WorkspaceClock;
  }) {
    this.#socketMode = parts.socketMode;
    this.#faults = parts.faults;
    this.#state = parts.state;
    this.#ackTimeoutMs = parts.ackTimeoutMs;
    this.#clock = parts.clock;
    parts.state.watchConnection(() => this.isConnected());
  }

  setMode(delivery: DeliveryMode): void {
    const now = () => this.#clock.now();
    this.#http =
      delivery.mode === 'http' ? new HttpDelivery(delivery.url, delivery.signingSecret, now) : null;
    this.#state.emit({ type: 'app', connected: this.isConnected() });
  }

  isConnected(): boolean {
    return this.#http !== null || this.#socketMode.isConnected();
  }

  /** Asks the app, and waits for its acknowledgement as long as Slack does: three seconds. */
  async deliver(request: DeliveryRequest): Promise<DeliveryResult> {
    const attempt = await this.#try(request, this.#faults.takeDuplicate() ? 2 : 1);
    if (request.kind === 'events_api') this.#bringAgain(request, attempt, 1);
    return attempt.ok ? attempt : { ok: false, error: attempt.error, message: attempt.message };
  }

  /** Brings nothing again from now on. */
  close(): void {
    this.#isClosed = true;
    for (const callOff of this.#waiting) callOff();
    this.#waiting.clear();
  }

  #try(request: DeliveryRequest, times: number, retry?: Retry): Promise<Attempt> {
    const transport = this.#http ?? this.#socketMode;
    return transport.deliver(request, { times, ackTimeoutMs: this.#ackTimeoutMs, retry });
  }

  #bringAgain(request: DeliveryRequest, last: Attempt, number: number): void {
    const afterMs = RETRY_AFTER_MS[number - 1];
    if (last.ok || last.isFinal || this.#isClosed || afterMs === undefined) return;
    const { reason } = last;
    const again = async () => {
      const attempt = await this.#try(request, 1, { number, reason });
      this.#bringAgain(request, attempt, number + 1);
    };
    if (afterMs === 0) return void again();
    const callOff = this.#clock.after(afterMs, () => {
      this.#waiting.delete(callOff);
      void again();
    });
    this.#waiting.add(callOff);
  }
}
