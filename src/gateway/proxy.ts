import { EnvHttpProxyAgent, install, Pool, setGlobalDispatcher } from 'undici';

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
