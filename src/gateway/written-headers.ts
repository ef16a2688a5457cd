import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/**
 * Tells, for each request, whether undici has begun to write it. Published by undici right before it hands the
 * request line and headers to the socket (docs, "DiagnosticsChannel"); error codes cannot tell, because ECONNRESET
 * means both.
 */
const CHANNEL = 'undici:client:sendHeaders';

export interface WrittenHeaders {
  /** Tells `exchange` when the request that carries this very buffer as its body is written. */
  watch(body: Buffer, exchange: { noteHeadersWritten(): void }): void;
  /** Stops listening. */
  close(): void;
}

/**
 * undici publishes its own request object, which nobody outside has seen before, but that object holds the body
 * it was given: the buffer's identity ties the two together, also when requests wait and start in another
 * order. Other undici clients in this process publish on the same channel; their bodies are not ours.
 */
export function watchWrittenHeaders(): WrittenHeaders {
  // A property costs a fraction of a WeakMap entry, and dies with the buffer just the same.
  const exchangeOf = Symbol('exchange');
  type Watched = { [exchangeOf]?: { noteHeadersWritten(): void } };

  function onSendHeaders(message: unknown): void {
    const { request } = message as { readonly request: { readonly body?: unknown } };
    (request.body as Watched | null | undefined)?.[exchangeOf]?.noteHeadersWritten();
  }

  subscribe(CHANNEL, onSendHeaders);
  return {
    watch: (body, exchange) => {
      (body as Watched)[exchangeOf] = exchange;
    },
    close: () => {
      unsubscribe(CHANNEL, onSendHeaders);
    },
  };
}
