import { Client, type Dispatcher, EnvHttpProxyAgent, install, Pool, setGlobalDispatcher } from 'undici';
import { CLOSED_CODE, type Evidence } from './evidence.ts';
import { Exchange } from './exchange.ts';

/**
 * Splits a configured address into scheme, host and port, and what stands before every path: nothing or `/prefix`.
 *
 * @param name the setting's name, for the error
 * @throws Error when it is no http(s) address, or has a part that a prefix cannot have
 */
export function parseEndpoint(name: string, address: string) {
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

/** Time-outs of one request, in milliseconds. A service that takes longer has most likely lost it; a person is waiting. */
export const TIMEOUTS = {
  /** To open a connection, TLS included. */
  connectMs: 5_000,
  /** From the request written to the answer's headers. */
  headersMs: 30_000,
  /** Between two pieces of the answer's body. */
  bodyMs: 15_000,
  /** From the call to its end, waiting for a free connection included. */
  totalMs: 60_000,
};

export type HttpClient = ReturnType<typeof createHttpClient>;

export interface HttpClientOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Sent with every request, as name and value by turns. */
  readonly headers: readonly string[];
  readonly timeouts: Readonly<typeof TIMEOUTS>;
  /** Most connections to each host at once; further requests wait for one. */
  readonly connections: number;
  /** What stands between Herald and the service. */
  readonly proxy?: Proxies | undefined;
}

/**
 * A POST client whose every result can be judged: no retry, no redirect, no HTTP/2 (undici has been seen to
 * repeat a POST there by itself), one request at a time a connection, every time-out set.
 */
export function createHttpClient({ origin, headers, timeouts, connections, proxy }: HttpClientOptions) {
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

  const once = (
    request: Pick<Dispatcher.DispatchOptions, 'path' | 'method' | 'body'>,
    mayStart: () => boolean,
  ) =>
    new Promise<Evidence>((resolve) => {
      const exchange = new Exchange(timeouts.totalMs, resolve, mayStart);
      lines.dispatch({ origin, headers: sharedHeaders, ...request }, exchange);
    });

  return {
    /**
     * One POST, never repeated. Resolves with what is known of it and never rejects.
     *
     * @param mayStart asked right before it is written, which may be long after this call
     */
    post: (path: string, body: string, mayStart: () => boolean) =>
      once({ path, method: 'POST', body }, mayStart),
    /** The same of a GET, which cannot send a message. */
    get: (path: string) => once({ path, method: 'GET', body: null }, () => true),
    /** Waits for the requests on their way, then closes every connection. */
    close: () => {
      // Whoever asks again waits for the same end.
      closed ??= lines.close();
      return closed;
    },
  };
}

/**
 * One undici client a connection, each given one request at a time, and a queue of our own in front: undici's pool
 * looks through its connections anew for every request, which at a hundred of them costs a tenth of the sending.
 * A connection is opened when it is first needed, and again by its client when the other side closes it.
 */
function createConnections(most: number, open: () => Dispatcher) {
  const clients: Dispatcher[] = [];
  /** Used last first: a few warm connections serve a slow pace. */
  const free: Dispatcher[] = [];
  const waiting: (readonly [Dispatcher.DispatchOptions, Exchange])[] = [];
  let isClosed = false;

  function take(): Dispatcher | undefined {
    const client = free.pop();
    if (client !== undefined || clients.length >= most) return client;
    const opened = open();
    clients.push(opened);
    return opened;
  }

  function start(client: Dispatcher, request: Dispatcher.DispatchOptions, exchange: Exchange): void {
    exchange.whenOver(() => next(client));
    client.dispatch(request, exchange);
  }

  function next(client: Dispatcher): void {
    for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
      if (first[1].isSettled) continue;
      start(client, ...first);
      return;
    }
    free.push(client);
  }

  return {
    /** Writes the request on a free connection, or as soon as one is free; in the order of the calls. */
    dispatch: (request: Dispatcher.DispatchOptions, exchange: Exchange): void => {
      if (isClosed) {
        exchange.refuse(CLOSED_CODE);
        return;
      }
      const client = take();
      if (client === undefined) waiting.push([request, exchange]);
      else start(client, request, exchange);
    },
    /** Waits for the requests on their way; what still waits for a connection and what comes later is refused. */
    close: async (): Promise<void> => {
      isClosed = true;
      for (const [, exchange] of waiting.splice(0)) exchange.refuse(CLOSED_CODE);
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}
