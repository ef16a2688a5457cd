import { type Logger as BoltLogger, LogLevel, type webApi } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { countedError, DEFAULT_RETRY_AFTER_MS } from './api-error.ts';
import type { SlackMetrics } from './health.ts';
import { isRecord } from './payload.ts';
import type { ResponseUrls } from './response-url.ts';

export const SLACK_API_URL = 'https://slack.com/api/';

/** Slack answers in well under a second; a longer wait is trouble, and the caller decides what then. */
const CALL_TIMEOUT_MS = 10_000;

interface WebClientSettings {
  /** Where the Web API is, with its closing slash. */
  readonly slackApiUrl: string;
  readonly logger: BoltLogger;
  readonly fetch: webApi.FetchFunction;
}

/**
 * Options for one Slack client, made anew on each call: Bolt hands the object on to the Socket Mode client, which
 * writes its own hundred retries into it.
 *
 * Nothing is repeated automatically: a repeated `chat.postMessage` is a second message. A 429 comes back to the
 * caller instead of stopping every other call of the client until it is over.
 */
export function webClientOptions(settings: WebClientSettings): webApi.WebClientOptions {
  return {
    ...settings,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: CALL_TIMEOUT_MS,
    allowAbsoluteUrls: false,
  };
}

/**
 * The one way out to Slack: the Web API at `slackApiUrl`, and response_urls within their budget. Answers are read
 * whole here, so that one cut short is an error of this call and not of some later line.
 */
export function createSlackFetch(
  slackApiUrl: string,
  responseUrls: ResponseUrls,
  metrics: SlackMetrics,
  clock: Pick<Clock, 'monotonic'>,
  fetch: webApi.FetchFunction = globalThis.fetch,
): webApi.FetchFunction {
  return async (url, init) => {
    const address = String(url);
    if (!address.startsWith(slackApiUrl)) {
      const use = responseUrls.use(address);
      if (!use.ok) throw new Error(use.error);
      const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
      const response = await fetch(address, { redirect: 'error', signal, ...init });
      const text = await response.text();
      // "ok" alone is no JSON. Some refusals come with the status 200.
      const refused = response.ok && !['ok', 'unreadable_answer'].includes(resultOf(200, text));
      return new Response(text, { status: refused ? 400 : response.status });
    }
    const method = address.slice(slackApiUrl.length);
    const since = clock.monotonic();
    const called = (result: string) => metrics.apiCalled(method, result, (clock.monotonic() - since) / 1_000);
    try {
      const response = await fetch(address, init);
      const text = await response.text();
      called(resultOf(response.status, text));
      return new Response(response.status === 204 ? null : text, {
        status: response.status,
        statusText: response.statusText,
        headers: withRetryAfter(response),
      });
    } catch (error) {
      const timedOut = error instanceof Error && error.name === 'TimeoutError';
      called(timedOut ? 'timeout' : 'network_error');
      throw error;
    }
  };
}

/** A 429 that does not say how long to wait comes out of the client as an error of unknown effect. */
function withRetryAfter({ status, headers }: Awaited<ReturnType<webApi.FetchFunction>>): Headers {
  const all = new Headers([...headers.entries()]);
  const seconds = Number.parseInt(all.get('retry-after') ?? '', 10);
  if (status === 429 && Number.isNaN(seconds)) all.set('retry-after', String(DEFAULT_RETRY_AFTER_MS / 1000));
  return all;
}

function resultOf(status: number, text: string): string {
  if (status !== 200) return `http_${status}`;
  try {
    const answer: unknown = JSON.parse(text);
    if (!isRecord(answer)) return 'unreadable_answer';
    if (answer.ok === true) return 'ok';
    return typeof answer.error === 'string' ? countedError(answer.error) : 'unreadable_answer';
  } catch {
    return 'unreadable_answer';
  }
}

/**
 * What Slack's libraries log, on Herald's logger. Their debug lines hold whole requests and envelopes, message
 * texts and phone numbers included, and are dropped whatever the level; of an error only its name, code and
 * message are kept.
 */
export function createBoltLogger(logger: Logger): BoltLogger {
  const log = logger.child({ component: 'slack' });
  return {
    debug: () => {},
    info: (...messages) => log.debug({}, sentence(messages)),
    warn: (...messages) => log.warn({}, sentence(messages)),
    error: (...messages) => log.error({}, sentence(messages)),
    setLevel: () => {},
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  };
}

function sentence(messages: readonly unknown[]): string {
  return messages.map(describe).join(' ');
}

function describe(message: unknown): string {
  if (typeof message === 'string') return message;
  if (message instanceof Error) return `${message.name}: ${message.message}`;
  return '';
}
