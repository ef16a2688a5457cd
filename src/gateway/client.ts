import { Client, type Dispatcher } from 'undici';
import { createConnections } from './connections.ts';
import type { Evidence } from './evidence.ts';
import { Exchange } from './exchange.ts';
import { createTunnels, type Proxies } from './proxy.ts';

/** Time-outs of one request, in milliseconds. */
export interface Timeouts {
  /** To open a connection, TLS included. */
  readonly connectMs: number;
  /** From the request written to the answer's headers. */
  readonly headersMs: number;
  /** Between two pieces of the answer's body. */
  readonly bodyMs: number;
  /** From the call to its end, waiting for a free connection included. */
  readonly totalMs: number;
}

/** A service that takes longer has most likely lost the request; a person is waiting. */
export const TIMEOUTS: Timeouts = {
  connectMs: 5_000,
  headersMs: 30_000,
  bodyMs: 15_000,
  totalMs: 60_000,
};

export interface HttpClient {
  /**
   * One POST, never repeated. Resolves with what is known of it and never rejects.
   *
   * @param mayStart asked right before it is written, which may be long after this call
   */
  post(path: string, body: string, mayStart: () => boolean): Promise<Evidence>;
  /** Waits for the requests on their way, then closes every connection. */
  close(): Promise<void>;
}

export interface HttpClientOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Sent with every request, as name and value by turns. */
  readonly headers: readonly string[];
  readonly timeouts: Timeouts;
  /** Most connections open at once; further requests wait for one. */
  readonly connections: number;
  readonly proxy?: Proxies | undefined;
}

/**
 * A POST client whose every result can be judged: no retry, no redirect, no HTTP/2 (undici has been seen to
 * repeat a POST there by itself), one request at a time a connection, every time-out set.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { origin, headers, timeouts, connections, proxy } = options;
  const settings = {
    pipelining: 1,
    allowH2: false,
    connectTimeout: timeouts.connectMs,
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
  };
  const open = (): Dispatcher =>
    proxy === undefined
      ? new Client(origin, settings)
      : createTunnels(proxy, { ...settings, connections: 1 });
  const lines = createConnections(connections, open);
  const sharedHeaders = [...headers];
  let closed: Promise<void> | undefined;

  return {
    post: (path, body, mayStart) =>
      new Promise((resolve) => {
        const exchange = new Exchange(timeouts.totalMs, resolve, mayStart);
        lines.dispatch({ origin, path, method: 'POST', headers: sharedHeaders, body }, exchange);
      }),
    close: () => {
      // Whoever asks again waits for the same end.
      closed ??= lines.close();
      return closed;
    },
  };
}
