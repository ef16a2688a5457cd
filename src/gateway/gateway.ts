import type { Clock } from '../core/clock.ts';
import type { Finding } from '../core/finding.ts';
import type { Logger } from '../core/logger.ts';
import type { Surroundings } from '../core/surroundings.ts';
import { kindOf, type Message } from '../messages/kinds.ts';
import type { Outcome } from '../sends/outcome.ts';
import type { Gateway } from '../sends/ports.ts';
import { createHttpClient, type HttpClientOptions, parseEndpoint } from './client.ts';
import { hasTemplate } from './codes.ts';
import type { Evidence } from './evidence.ts';
import { filledHeaders } from './headers.ts';
import { judge } from './outcome.ts';
import { type KeyRequest, reachHost, tryKey } from './reach.ts';
import { answerSecrets } from './secrets.ts';
import { withShape } from './unread.ts';
import { rowOf, type WireRow, type WireTable } from './wire.ts';

export interface GatewayOptions extends Surroundings, Omit<HttpClientOptions, 'origin' | 'headers'> {
  /** API host, with or without a path before `/v1`. */
  readonly baseUrl: string;
  /** Host of the flash SMS endpoint. */
  readonly flashUrl: string;
  /** Sent as `wire.headers` says, and kept nowhere else. */
  readonly apiKey: string;
  /** The key of the flash SMS endpoint, where it has one of its own. */
  readonly flashApiKey?: string | undefined;
  /** What `wireSchema` made of `wire:`. */
  readonly wire: WireTable;
  /** How the key is tried, where that can be. */
  readonly keyRequest?: KeyRequest | undefined;
  /** Called with every request when it has ended. */
  readonly onRequest: (request: EndedRequest) => void;
}

interface EndedRequest {
  /** Row of the interface document, e.g. `1` or `2b`. */
  readonly row: string;
  readonly state: Outcome['state'];
  readonly durationMs: number;
  /** Whether the service refuses the API key, as far as it is known. */
  readonly keyRefused: boolean;
}

export type ClosableGateway = ReturnType<typeof createGateway>;

/**
 * The gateway to the messaging service: one call of `deliver` is one HTTP request, sent at most once.
 *
 * @throws Error at start-up when an address or the API key cannot be used; neither appears in it
 */
export function createGateway(options: GatewayOptions) {
  const { wire, clock, logger } = options;
  const endpoints = openEndpoints(options);
  const keyWatch = createKeyWatch(clock, logger);
  let latest: { readonly state: Outcome['state']; readonly at: number } | undefined;
  const keys = [options.apiKey, options.flashApiKey].filter((key) => key !== undefined);
  const keysAlone = answerSecrets(keys);

  const deliver: Gateway['deliver'] = async (message, recipients, mayStart = () => true) => {
    const { row, values } = rowOf(message, recipients, wire);
    const isUnsent = 'sender' in values && values.sender === undefined;
    const missing = isUnsent ? ['the sender of its country'] : row.shape.missing(values);
    if (missing.length > 0) return incomplete(missing);
    const { client, pathPrefix } = endpoints[row.endpoint];
    const startedAt = clock.monotonic();
    const body = JSON.stringify(row.shape.fill(values));
    const evidence = await client.post(pathPrefix + row.path, body, mayStart);
    const durationMs = clock.monotonic() - startedAt;
    const kind = kindOf(message);
    const isSecret = kind.needsSecret(message);
    const secrets = isSecret ? answerSecrets(keys, passwordsIn(message)) : keysAlone;
    const judged = judge(evidence, {
      now: clock.now(),
      recipients,
      fieldNames: namesOf(body, row, wire),
      mapping: row.answers,
      hasTemplate: hasTemplate(message),
      secrets,
      isTextSecret: isSecret && kind.text(message, undefined) === undefined,
    });
    const outcome = isSecret ? judged : withShape(judged, evidence, secrets);
    report(row, outcome, evidence, durationMs);
    return outcome;
  };

  function report(row: WireRow, { state }: Outcome, { status, failure }: Evidence, durationMs: number): void {
    const ended = { row: row.number, state, status, failure: failure?.code, durationMs };
    logger.debug(ended, 'messaging request ended');
    keyWatch.ended(row.path, state, status);
    latest = { state, at: clock.now() };
    options.onRequest({ row: row.number, state, durationMs, keyRefused: keyWatch.refusal() !== undefined });
  }

  return {
    deliver,
    /** Opens a connection to each host, asks nothing but `keyRequest`, and says what is wrong. */
    reach: async (): Promise<readonly Finding[]> => {
      const { base, flash } = endpoints;
      const { proxy, baseUrl, flashUrl, keyRequest } = options;
      const unreached = await reachHost('MESSAGING_BASE_URL', baseUrl, { ...base, proxy });
      const isAsked = unreached.length === 0 && keyRequest !== undefined;
      return [
        ...unreached,
        ...(await reachHost('MESSAGING_FLASH_URL', flashUrl, { ...flash, proxy })),
        ...(isAsked ? await tryKey(base.client, base.pathPrefix, keyRequest) : []),
      ];
    },
    /** What is known of the service from its answers. */
    health: () => ({ keyRefusal: keyWatch.refusal(), latest }),
    /** Waits for the requests on their way; later ones are `not_sent`. */
    close: async (): Promise<void> => {
      await Promise.all(
        [...new Set([endpoints.base.client, endpoints.flash.client])].map((one) => one.close()),
      );
    },
  };
}

/** The fields that a request has or may have, looked for once an answer blames one. A quote within a text has a backslash. */
function namesOf(body: string, row: WireRow, wire: GatewayOptions['wire']) {
  let names: ReadonlySet<string> | undefined;
  return {
    has: (name: string): boolean => {
      names ??= new Set([
        ...row.shape.keys,
        ...Object.keys(wire.terms.addressFields),
        ...Array.from(body.matchAll(/"([^"\\]+)":/g), ([, key = '']) => key),
      ]);
      return names.has(name);
    },
  };
}

/** Each word with a digit may be the password, if it stands somewhere in a text. */
function passwordsIn(message: Message): readonly string[] {
  const password = kindOf(message).secretOf(message);
  if (password !== undefined) return [password];
  const words = 'text' in message ? message.text.split(/[^\p{L}\p{Nd}]/u) : [];
  return words.filter((word) => /\p{Nd}/u.test(word));
}

/** Both hosts may be one: then, with one key, they share their connections. */
function openEndpoints(options: GatewayOptions) {
  const base = parseEndpoint('MESSAGING_BASE_URL', options.baseUrl);
  const flash = parseEndpoint('MESSAGING_FLASH_URL', options.flashUrl);
  const { apiKey, flashApiKey = apiKey, wire } = options;
  const open = (origin: string, name: string, key: string) =>
    createHttpClient({ ...options, origin, headers: requestHeaders(name, key, wire) });
  const baseClient = open(base.origin, 'MESSAGING_API_KEY', apiKey);
  const isShared = flash.origin === base.origin && flashApiKey === apiKey;
  const flashClient = isShared ? baseClient : open(flash.origin, 'MESSAGING_FLASH_API_KEY', flashApiKey);
  return {
    base: { client: baseClient, pathPrefix: base.pathPrefix },
    flash: { client: flashClient, pathPrefix: flash.pathPrefix },
  };
}

function requestHeaders(name: string, apiKey: string, { headers }: WireTable): readonly string[] {
  // Checked here because undici would refuse every single request instead.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new Error(`${name} is empty or holds a blank, a line break or a letter beyond ASCII.`);
  }
  const json = 'application/json';
  const own = filledHeaders(headers, apiKey);
  return [...own, 'content-type', json, 'accept', json, 'user-agent', 'Herald'];
}

function incomplete(missing: readonly string[]): Outcome {
  return {
    state: 'rejected',
    failure: {
      what: `Herald did not send this message, because it has no value for ${missing.join(', ')}.`,
      next: 'Fill it in and send the message again.',
      scope: 'recipient',
    },
  };
}

/**
 * Knows whether the service refuses the API key (401, 403), and says in the log when that begins and when it is over:
 * once for each address, since a key may have the right to one of them only.
 */
function createKeyWatch(clock: Pick<Clock, 'now'>, logger: Logger) {
  const refusing = new Set<string>();
  /** Since when, in milliseconds since the epoch. */
  let current: { readonly status: number; readonly since: number } | undefined;

  function ended(path: string, state: Outcome['state'], status: number | undefined): void {
    if (state !== 'accepted' && state !== 'rejected') return;
    if (state === 'accepted' || (status !== 401 && status !== 403)) {
      current = undefined;
      if (refusing.delete(path))
        logger.info({ path, status }, 'the messaging service takes Herald’s API key again');
      return;
    }
    current ??= { status, since: clock.now() };
    if (refusing.has(path)) return;
    refusing.add(path);
    logger.error(
      { path, status },
      'the messaging service refuses Herald’s API key and nothing can be sent: ' +
        'have the key in MESSAGING_API_KEY and its rights checked',
    );
  }

  /** Undefined while the latest answer that says anything of the key did not refuse it. */
  return { ended, refusal: () => current };
}
