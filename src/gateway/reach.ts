import { advice, type Finding, wrong } from '../core/finding.ts';
import { notSent } from './causes.ts';
import type { HttpClient, Proxies } from './client.ts';
import { NO_LEAVE_CODE } from './evidence.ts';

/** `doctor.request` of herald.yml: a GET, which sends nothing, by which the service shows whether it takes the key. */
export interface KeyRequest {
  /** After the API host, e.g. `/v1/balance`. */
  readonly path: string;
  /** What it answers to a key that it takes. */
  readonly status: number;
}

/** Opens a connection to a host and writes nothing to it. Says what keeps it from that, with the proxy by its name. */
export async function reachHost(
  name: string,
  origin: string,
  { client, proxy }: { readonly client: HttpClient; readonly proxy: Proxies | undefined },
): Promise<readonly Finding[]> {
  // Leave is asked for once the connection stands, right before the first byte.
  const { failure } = await client.post('/', '', () => false);
  if (failure?.code === NO_LEAVE_CODE) return [];
  const fix = `Check ${name}${proxy === undefined ? ' and the network' : `, the network, and ${inWords(proxy, origin)}`}.`;
  return [wrong(`${name}: ${notSent(failure?.code).failure.what}`, fix)];
}

/** Without its user and password. */
function inWords({ httpProxy, httpsProxy, noProxy }: Proxies, origin: string): string {
  const isHttps = origin.startsWith('https:') && httpsProxy !== '';
  const [name, address] = isHttps ? ['HTTPS_PROXY', httpsProxy] : ['HTTP_PROXY', httpProxy];
  const host = URL.parse(address)?.host ?? 'nowhere';
  return `the proxy ${host} of ${name}${noProxy === '' ? '' : ', where NO_PROXY does not name the host'}`;
}

/** Whether the service takes the key, as far as its answer shows. */
export async function tryKey(
  client: HttpClient,
  pathPrefix: string,
  { path, status: expected }: KeyRequest,
): Promise<readonly Finding[]> {
  const { status } = await client.get(pathPrefix + path);
  if (status === expected) return [];
  const answered = `It answers GET ${path} with ${status ?? 'nothing'}`;
  if (status === 401 || status === 403) {
    const what = `The messaging service refuses MESSAGING_API_KEY: ${answered}.`;
    return [wrong(what, 'Have the key and its rights checked.')];
  }
  const what = `${answered}, and doctor.request expects ${expected}: whether the key is good is not known.`;
  return [advice(what, 'Put doctor.request in herald.yml right.')];
}
