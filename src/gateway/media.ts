import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { Clock } from '../core/clock.ts';
import { within } from '../core/within.ts';
import { isPublicHost, readLink } from '../messages/form/link.ts';
import type { MediaAnswer } from '../messages/media.ts';
import { createTunnels, type Proxies } from './client.ts';

/** For one link, with all its redirects: Slack waits three seconds for the answer to a form. */
const LOOK_MS = 1_500;
const MOST_REDIRECTS = 3;
/** How many bytes are asked for of a server that refuses HEAD. */
const FIRST_BYTE = 'bytes=0-0';

/** Whoever fetches it without a key gets the same. */
const NOT_FOR_EVERYBODY: Readonly<Record<number, string>> = {
  401: 'asks for a password: use one that everybody may open.',
  403: 'may not be opened by everybody (403).',
  404: 'leads to nothing (404).',
  410: 'leads to nothing (410).',
};
const PRIVATE = 'leads into a private network, where the service cannot fetch it.';

interface MediaDependencies {
  readonly clock: Clock;
  readonly proxy?: Proxies | undefined;
  /** For tests: what connects in place of undici's own. */
  readonly connect?: buildConnector.connector;
}

/** A name was asked for that is of a private network. */
class PrivateAddress extends Error {}

/**
 * Asks links what they lead to, by HEAD, or by GET for one byte where HEAD is refused: without cookies, keys or a body that is
 * kept, and only at public addresses. That is looked at for each redirect, and once more for the address of each connection;
 * behind a proxy, which connects itself, only for the name.
 */
export function createMediaLook({ clock, proxy, connect = publicConnector() }: MediaDependencies) {
  const settings = { connect, headersTimeout: LOOK_MS, bodyTimeout: LOOK_MS };
  const open = () => (proxy === undefined ? new Agent(settings) : createTunnels(proxy, settings));

  return async (link: string): Promise<MediaAnswer> => {
    const dispatcher = open();
    const stop = new AbortController();
    const asked = follow(link, { dispatcher, signal: stop.signal }).catch(
      (error: unknown): MediaAnswer =>
        isPrivate(error) ? { state: 'unfit', why: PRIVATE } : { state: 'silent' },
    );
    const answer = await within(asked, LOOK_MS, clock);
    stop.abort();
    await dispatcher.destroy();
    return typeof answer === 'symbol' ? { state: 'silent' } : answer;
  };
}

type Way = Required<Pick<Dispatcher.RequestOptions, 'signal'>> & { readonly dispatcher: Dispatcher };

async function follow(link: string, way: Way): Promise<MediaAnswer> {
  let at = link;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    if (!readLink('')(at).ok)
      return { state: 'unfit', why: 'leads on to an address that the service cannot fetch.' };
    const head = await ask('HEAD', at, way);
    const { status, headers } = head.status < 400 ? head : await ask('GET', at, way);
    const next = status >= 300 && status < 400 ? headers.location : undefined;
    if (typeof next !== 'string' || !URL.canParse(next, at)) return judged(status, headers);
    at = new URL(next, at).href;
  }
  return { state: 'unfit', why: `leads on more than ${MOST_REDIRECTS} times.` };
}

async function ask(method: 'HEAD' | 'GET', link: string, { dispatcher, signal }: Way) {
  const { origin, pathname, search } = new URL(link);
  const headers = { 'user-agent': 'Herald', ...(method === 'GET' && { range: FIRST_BYTE }) };
  const answer = await dispatcher.request({ origin, path: `${pathname}${search}`, method, headers, signal });
  // Whatever follows is not read: the connection goes with it.
  answer.body.on('error', () => {}).destroy();
  return { status: answer.statusCode, headers: answer.headers };
}

function judged(status: number, headers: Dispatcher.ResponseData['headers']): MediaAnswer {
  const why = NOT_FOR_EVERYBODY[status];
  if (why !== undefined) return { state: 'unfit', why };
  if (status !== 200 && status !== 206) return { state: 'silent' };
  const [type = ''] = String(headers['content-type'] ?? '').split(';');
  const contentType = type.trim().toLowerCase();
  const size = status === 206 ? String(headers['content-range']).split('/')[1] : headers['content-length'];
  const bytes = Number(size);
  return { state: 'found', ...(contentType && { contentType }), ...(Number.isFinite(bytes) && { bytes }) };
}

/** Connects to addresses of the internet only: a name may lead to another one each time that it is looked up. */
export function publicConnector(lookUp: typeof lookup = lookup): buildConnector.connector {
  const publicLookup: LookupFunction = (host, options, done) => {
    lookUp(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      const isPublic = first !== undefined && addresses.every(({ address }) => isPublicHost(address));
      if (error || !isPublic) done(error ?? new PrivateAddress(), '', 0);
      else if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
  const settings = { lookup: publicLookup, timeout: LOOK_MS, allowH2: false };
  return buildConnector(settings as buildConnector.BuildOptions);
}

function isPrivate(error: unknown): boolean {
  return error instanceof PrivateAddress || (error instanceof Error && error.cause instanceof PrivateAddress);
}
