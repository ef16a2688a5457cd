import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createBodyReader } from '../core/body-reader.ts';
import type { Clock } from '../core/clock.ts';
import { given } from '../core/given.ts';
import { createSparseLog, type Surroundings } from '../core/surroundings.ts';
import type { WebhookBody } from '../sends/replies/event.ts';
import { type AddressRange, isInRanges, senderOf } from './address-range.ts';
import { answerJson, type Handler } from './server.ts';

/**
 * So much at once, and `perSecond` more as time goes by: of requests, or of bytes. Takes `amount` and returns 0, or takes nothing
 * and returns after how many seconds there will be enough.
 *
 * @param most taken at once; an `amount` must not be larger
 */
function createAllowance(
  { most, perSecond }: { readonly most: number; readonly perSecond: number },
  clock: Pick<Clock, 'monotonic'>,
) {
  let left = most;
  let countedAt = clock.monotonic();
  return (amount: number): number => {
    const now = clock.monotonic();
    left = Math.min(most, left + ((now - countedAt) / 1_000) * perSecond);
    countedAt = now;
    if (amount > left) return Math.ceil((amount - left) / perSecond);
    left -= amount;
    return 0;
  };
}

export const WEBHOOK_PATH = '/webhooks/messaging/:token';

const MAX_BODY_BYTES = 256 * 1024;
const LONGEST_CONTENT_TYPE = 200;
const FORM = 'application/x-www-form-urlencoded';
const LONGEST_CHALLENGE = 500;
/** Whoever holds the token must not fill the disk: the reports of a million messages fit in a day. */
const WEBHOOK_LIMITS = {
  requests: { most: 100_000, perSecond: 2_000 },
  bytes: { most: 2 * 1024 ** 3, perSecond: (2 * 1024 ** 3) / 86_400 },
};

interface WebhookOptions extends Surroundings {
  /** Any of them will do; without any the address answers 404. */
  readonly tokens: readonly string[];
  /** A header that must hold this secret, in constant time. */
  readonly header?: { readonly name: string; readonly secret: string } | undefined;
  /** How the service may call; a GET carries its report in the query. */
  readonly methods?: readonly string[];
  /** The fields of the GET by which a service verifies a new address. */
  readonly verify?: { readonly mode: string; readonly token: string; readonly challenge: string } | undefined;
  /** Proves a body, beside the token of the address or in its place. */
  readonly signature?: Signature | undefined;
  /** Empty: anybody who knows the token. */
  readonly allowFrom: readonly AddressRange[];
  readonly proxies: readonly AddressRange[];
  /** Stores a body that came under a token; rejects when it cannot. A text says why this body is none, for a 400. */
  readonly receive: (body: WebhookBody, token: string) => Promise<unknown>;
  readonly onRefused: (reason: string) => void;
  readonly limits?: typeof WEBHOOK_LIMITS;
}

interface Signature {
  readonly header: string;
  /** What stands before the signature in the header, e.g. `sha256=`. */
  readonly prefix: string;
  readonly algorithm: 'sha1' | 'sha256';
  readonly secret: string;
}

/** Status and sentence, by the reason that log and metrics name. */
const REFUSALS = {
  token: [404, 'There is nothing at this address.'],
  address: [403, 'This address may not post here.'],
  header: [401, 'The secret header is wrong.'],
  signature: [401, 'The signature is wrong.'],
  verify: [403, 'The token of this request is wrong.'],
  method: [405, 'This address does not take reports by this method.'],
  too_long: [413, `A body may have ${MAX_BODY_BYTES} bytes. This one was not kept.`],
  too_much: [503, 'More came than Herald keeps in this time. Send it again later.'],
  body: [400, 'This body cannot be read.'],
  store: [503, 'Herald could not keep this. Send it again later.'],
} as const;
type Refusal = keyof typeof REFUSALS;

/**
 * `/webhooks/messaging/:token`, for the messaging service, by POST and where it is set up so by GET. 200 once the body is on disk; it is read later, so that no
 * content can make this fail. 503 asks the service to repeat it.
 */
export function answerWebhook(options: WebhookOptions): Handler {
  const { receive, onRefused, limits = WEBHOOK_LIMITS, clock, logger } = options;
  const { methods = ['POST'], signature, verify } = options;
  const take = createAllowance(limits.requests, clock);
  const readBody = createBodyReader(MAX_BODY_BYTES);
  const warn = createSparseLog(options);
  const keep = createAllowance(limits.bytes, clock);
  return async (request, response) => {
    const refuse = (reason: Refusal, retryAfter = 0, why?: string) => {
      const [status, sentence] = REFUSALS[reason];
      onRefused(reason);
      warn(reason, { status }, 'a webhook was refused');
      // The rest of a body would otherwise be read as the next request.
      const later = retryAfter > 0 ? { 'retry-after': `${retryAfter}` } : undefined;
      answerJson(response, status, { error: why ?? sentence }, { connection: 'close', ...later });
    };
    const refusal = whyNot(request, options);
    if (refusal !== undefined) return refuse(refusal);
    const early = take(1);
    if (early > 0) return refuse('too_much', early);
    const { method = '', url = '' } = request;
    const query = url.slice(url.indexOf('?') + 1);
    const challenge = method === 'GET' ? verify && challengeIn(query, verify, options.tokens) : undefined;
    if (challenge?.isRight) {
      const type = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
      response.writeHead(200, { ...type, 'cache-control': 'no-store' }).end(challenge.text);
      return;
    }
    if (challenge !== undefined) return refuse('verify');
    if (!methods.includes(method)) return refuse('method');
    const bytes = method === 'GET' ? Buffer.from(url.includes('?') ? query : '') : await readBody(request);
    // Whoever sent it will repeat it.
    if (bytes === 'broken off') return;
    if (bytes === 'too long') return refuse('too_long');
    if (signature !== undefined && !isSigned(request, bytes, signature)) return refuse('signature');
    const full = keep(bytes.length);
    if (full > 0) return refuse('too_much', full);
    const written = method === 'GET' ? FORM : request.headers['content-type'];
    const contentType = written?.slice(0, LONGEST_CONTENT_TYPE);
    try {
      const wrong = await receive(given({ bytes, contentType }), lastPart(request.url));
      if (typeof wrong === 'string') return refuse('body', 0, wrong);
    } catch (error) {
      logger.error({ error }, 'a webhook could not be kept');
      return refuse('store');
    }
    answerJson(response, 200, { status: 'kept' });
  };
}

function whyNot(
  request: IncomingMessage,
  { tokens, header, signature, allowFrom, proxies }: WebhookOptions,
): Refusal | undefined {
  const given = lastPart(request.url);
  const needsToken = signature === undefined || tokens.length > 0;
  if (needsToken && !tokens.some((token) => isSame(given, token))) return 'token';
  const forwardedFor = request.headersDistinct['x-forwarded-for']?.join(',');
  const sender = senderOf(request.socket.remoteAddress ?? '', forwardedFor, proxies);
  if (allowFrom.length > 0 && !isInRanges(sender, allowFrom)) return 'address';
  if (header === undefined) return undefined;
  const secret = request.headers[header.name.toLowerCase()];
  return typeof secret === 'string' && isSame(secret, header.secret) ? undefined : 'header';
}

/** The challenge of a request that verifies the address, where it is one, and whether it knows the token. */
function challengeIn(query: string, keys: NonNullable<WebhookOptions['verify']>, tokens: readonly string[]) {
  const fields = new URLSearchParams(query);
  const text = fields.get(keys.challenge);
  if (text === null) return undefined;
  const mode = fields.get(keys.mode) ?? 'subscribe';
  const isKnown = tokens.some((token) => isSame(fields.get(keys.token) ?? '', token));
  return { text, isRight: isKnown && mode === 'subscribe' && text.length <= LONGEST_CHALLENGE };
}

/** HMAC over the bytes as they came, in hex or in base64. */
function isSigned(
  request: IncomingMessage,
  bytes: Uint8Array,
  { header, prefix, algorithm, secret }: Signature,
): boolean {
  const given = request.headers[header.toLowerCase()];
  if (typeof given !== 'string' || !given.startsWith(prefix)) return false;
  const code = createHmac(algorithm, secret).update(bytes).digest();
  const written = given.slice(prefix.length).trim();
  return isSame(written.toLowerCase(), code.toString('hex')) || isSame(written, code.toString('base64'));
}

/** Compares in constant time; the hashes have equal lengths. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}

function lastPart(url = ''): string {
  const part = url.split('?', 1)[0]?.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
