import type { Clock } from '../core/clock.ts';
import { type Finding, wrong } from '../core/finding.ts';
import type { Logger } from '../core/logger.ts';
import type { Surroundings } from '../core/surroundings.ts';
import { kindOf, type Message } from '../messages/kinds.ts';
import type { Recipient } from '../messages/submission.ts';
import type { Outcome, RequestOutcome } from '../sends/outcome.ts';
import type { Gateway } from '../sends/ports.ts';
import { causeBeforeHeaders } from './causes.ts';
import { createHttpClient, type HttpClient, type Proxies, parseEndpoint, type Timeouts } from './client.ts';
import { hasTemplate } from './codes.ts';
import { type Evidence, NO_LEAVE_CODE } from './evidence.ts';
import { judge } from './outcome.ts';
import { answerSecrets } from './secrets.ts';
import { rowOf, type WireRow, type WireTable } from './wire.ts';

export interface GatewayOptions extends Surroundings {
  /** API host, with or without a path before `/v1`. */
  readonly baseUrl: string;
  /** Host of the flash SMS endpoint. */
  readonly flashUrl: string;
  /** Sent as the header `apikey` and kept nowhere else. */
  readonly apiKey: string;
  /** What `wireSchema` made of `wire:`. */
  readonly wire: WireTable;
  readonly timeouts: Timeouts;
  /** Most connections to each host at once. */
  readonly connections: number;
  /** What stands between Herald and the service. */
  readonly proxy?: Proxies | undefined;
  /** Told of every request when it has ended. */
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

/** What is known of the service from its answers. */
interface ServiceHealth {
  /** Absent while the service takes the API key. */
  readonly keyRefusal: KeyRefusal | undefined;
  /** The request that ended last, at `at` in milliseconds since the epoch; absent before the first. */
  readonly latest: { readonly state: Outcome['state']; readonly at: number } | undefined;
}

export interface ClosableGateway extends Gateway {
  health(): ServiceHealth;
  /** Opens a connection to each host and writes nothing to it; says what keeps it from that. */
  reach(): Promise<readonly Finding[]>;
  /** Waits for the requests on their way; later ones are `not_sent`. */
  close(): Promise<void>;
}

interface Endpoint {
  readonly client: HttpClient;
  readonly pathPrefix: string;
}

/**
 * The gateway to the messaging service: one call of `deliver` is one HTTP request, sent at most once.
 *
 * @throws Error at start-up when an address or the API key cannot be used; neither appears in it
 */
export function createGateway(options: GatewayOptions): ClosableGateway {
  const { wire, clock, logger } = options;
  const endpoints = openEndpoints(options);
  const keyWatch = createKeyWatch(clock, logger);
  let latest: ServiceHealth['latest'];
  const keyAlone = answerSecrets(options.apiKey);

  async function deliver(
    message: Message,
    recipients: readonly Recipient[],
    mayStart = () => true,
  ): Promise<RequestOutcome> {
    const { row, values } = rowOf(message, recipients, wire);
    const missing = row.shape.missing(values);
    if (missing.length > 0) return incomplete(missing);
    const { client, pathPrefix } = endpoints[row.endpoint];
    const startedAt = clock.monotonic();
    const body = JSON.stringify(row.shape.fill(values));
    const evidence = await client.post(pathPrefix + row.path, body, mayStart);
    const durationMs = clock.monotonic() - startedAt;
    const kind = kindOf(message);
    const isSecret = kind.needsSecret(message);
    const outcome = judge(evidence, {
      now: clock.now(),
      recipients,
      fieldNames: wire.fieldNames,
      mapping: row.answers,
      hasTemplate: hasTemplate(message),
      secrets: isSecret ? answerSecrets(options.apiKey, passwordsIn(message)) : keyAlone,
      isTextSecret: isSecret && kind.text(message, undefined) === undefined,
    });
    report(row, outcome, evidence, durationMs);
    return outcome;
  }

  function report(row: WireRow, { state }: Outcome, { status, failure }: Evidence, durationMs: number): void {
    const ended = { row: row.number, state, status, failure: failure?.code, durationMs };
    logger.debug(ended, 'messaging request ended');
    keyWatch.ended({ path: row.path, state, status });
    latest = { state, at: clock.now() };
    options.onRequest({ row: row.number, state, durationMs, keyRefused: keyWatch.refusal() !== undefined });
  }

  return {
    deliver,
    reach: async () => {
      const { base, flash } = endpoints;
      const found = [
        await reachOne('MESSAGING_BASE_URL', base),
        await reachOne('MESSAGING_FLASH_URL', flash),
      ];
      return found.flat();
    },
    health: () => ({ keyRefusal: keyWatch.refusal(), latest }),
    close: async () => {
      await Promise.all(
        [...new Set([endpoints.base.client, endpoints.flash.client])].map((one) => one.close()),
      );
    },
  };
}

async function reachOne(name: string, { client }: Endpoint): Promise<readonly Finding[]> {
  // Leave is asked for once the connection stands, right before the first byte.
  const { failure } = await client.post('/', '', () => false);
  if (failure?.code === NO_LEAVE_CODE) return [];
  const fix = `Check ${name}, the network, and the proxy where there is one.`;
  return [wrong(`${name}: ${causeBeforeHeaders(failure?.code).what}`, fix)];
}

/** Where the password stands somewhere in a text, each word with a digit may be it. */
function passwordsIn(message: Message): readonly string[] {
  const password = kindOf(message).secretOf(message);
  if (password !== undefined) return [password];
  const words = 'text' in message ? message.text.split(/[^\p{L}\p{Nd}]/u) : [];
  return words.filter((word) => /\p{Nd}/u.test(word));
}

/** Both hosts may be one: then they share their connections. */
function openEndpoints(options: GatewayOptions): Readonly<Record<WireRow['endpoint'], Endpoint>> {
  const base = parseEndpoint('MESSAGING_BASE_URL', options.baseUrl);
  const flash = parseEndpoint('MESSAGING_FLASH_URL', options.flashUrl);
  const open = (origin: string) =>
    createHttpClient({
      origin,
      headers: requestHeaders(options.apiKey),
      timeouts: options.timeouts,
      connections: options.connections,
      proxy: options.proxy,
    });
  const baseClient = open(base.origin);
  const flashClient = flash.origin === base.origin ? baseClient : open(flash.origin);
  return {
    base: { client: baseClient, pathPrefix: base.pathPrefix },
    flash: { client: flashClient, pathPrefix: flash.pathPrefix },
  };
}

function requestHeaders(apiKey: string): readonly string[] {
  // Checked here because undici would refuse every single request instead.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new Error('MESSAGING_API_KEY is empty or holds a blank, a line break or a letter beyond ASCII.');
  }
  const json = 'application/json';
  return ['apikey', apiKey, 'content-type', json, 'accept', json, 'user-agent', 'Herald'];
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

/** The service refuses the API key, or what it may do. */
export interface KeyRefusal {
  readonly status: number;
  /** When it was first seen, in milliseconds since the epoch. */
  readonly since: number;
}

interface AnsweredRequest {
  readonly path: string;
  readonly state: Outcome['state'];
  readonly status: number | undefined;
}

interface KeyWatch {
  ended(request: AnsweredRequest): void;
  /** Undefined while the latest answer that tells anything of the key did not refuse it. */
  refusal(): KeyRefusal | undefined;
}

/**
 * Knows whether the service refuses the API key (401, 403), and says in the log when that begins and when it is over:
 * once for each address, since a key may have the right to one of them only.
 */
function createKeyWatch(clock: Pick<Clock, 'now'>, logger: Logger): KeyWatch {
  const refusing = new Set<string>();
  let current: KeyRefusal | undefined;

  function refused(path: string, status: number): void {
    current ??= { status, since: clock.now() };
    if (refusing.has(path)) return;
    refusing.add(path);
    logger.error(
      { path, status },
      'the messaging service refuses Herald’s API key and nothing can be sent: ' +
        'have the key in MESSAGING_API_KEY and its rights checked',
    );
  }

  return {
    ended: ({ path, state, status }) => {
      if (state !== 'accepted' && state !== 'rejected') return;
      if (state === 'rejected' && (status === 401 || status === 403)) return refused(path, status);
      current = undefined;
      if (refusing.delete(path))
        logger.info({ path, status }, 'the messaging service takes Herald’s API key again');
    },
    refusal: () => current,
  };
}
