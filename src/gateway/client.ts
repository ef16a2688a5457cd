import { Client, type Dispatcher, EnvHttpProxyAgent, install, Pool, setGlobalDispatcher } from 'undici';
import { createConnections } from './connections.ts';
import type { Evidence } from './evidence.ts';
import { Exchange } from './exchange.ts';

export interface ParsedEndpoint {
  /** Scheme, host and port. */
  readonly origin: string;
  /** What stands before every path; empty or `/prefix`, without a slash at the end. */
  readonly pathPrefix: string;
}

/**
 * Splits a configured address.
 *
 * @param name the setting's name, for the error
 * @throws Error when it is no http(s) address, or has a part that a prefix cannot have
 */
export function parseEndpoint(name: string, address: string): ParsedEndpoint {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Error(`${name} must be an address that begins with https:// or http://.`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new Error(`${name} must be scheme, host, port and path only, without user, query or fragment.`);
  }
  let pathPrefix = url.pathname;
  while (pathPrefix.endsWith('/')) pathPrefix = pathPrefix.slice(0, -1);
  return { origin: url.origin, pathPrefix };
}

/** Addresses of proxies by the scheme of what is asked for, empty for none, and the hosts that none is used for. */
export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** A proxy that takes the connection and opens no tunnel would hold up also the end of Herald. */
const TUNNEL_MS = 10_000;

/**
 * What connects through a proxy, by a tunnel also to http://: what the proxy refuses has then not left, and what comes back is
 * the other side's own answer.
 */
export function createTunnels(
  proxy: Proxies,
  settings: EnvHttpProxyAgent.Options & { readonly connectTimeout?: number } = {},
): EnvHttpProxyAgent {
  const { connectTimeout: headersTimeout = TUNNEL_MS } = settings;
  return new EnvHttpProxyAgent({
    allowH2: false,
    ...settings,
    ...proxy,
    proxyTunnel: true,
    clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout }),
  });
}

/** Gives the whole process this undici's fetch, by which Slack is called: to read Node's own as well is a tenth of a start. */
export function installFetch(proxy: Proxies | undefined): void {
  install();
  if (proxy !== undefined) setGlobalDispatcher(new EnvHttpProxyAgent(proxy));
}

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
