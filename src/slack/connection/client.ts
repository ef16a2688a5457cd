import { type Logger as BoltLogger, LogLevel, webApi } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { classifyApiError, countedError, DEFAULT_RETRY_AFTER_MS, remedyOf } from './api-error.ts';
import type { SlackMetrics } from './health.ts';
import { createSignIn, type SignInSettings } from './identity.ts';
import { createNewBlocks, type NewBlocks } from './new-blocks.ts';
import { createLatestUrls, isResponseUrl, SLACK_RESPONSE_ORIGINS } from './notify-person.ts';
import { isRecord } from './payload.ts';

interface SlackClientSettings extends SignInSettings {
  readonly botToken: string;
  /** The address of the Web API; another workspace server than Slack's moves everything, Socket Mode included. */
  readonly slackApiUrl: string;
  readonly metrics: SlackMetrics;
}

export type SlackClient = ReturnType<typeof createSlackClient>;

export function createSlackClient(settings: SlackClientSettings) {
  const { botToken, teamId, logger, clock, metrics } = settings;
  const slackApiUrl = settings.slackApiUrl.replace(/\/?$/, '/');
  const boltLogger = createBoltLogger(logger);
  const responseOrigins = [...SLACK_RESPONSE_ORIGINS, new URL(slackApiUrl).origin];
  const apiCalled: SlackMetrics['apiCalled'] = (method, result, seconds) => {
    metrics.apiCalled(method, result, seconds);
    signIn.heard(method, result);
  };
  const { slackClock, fetch, aheadOfSlack } = createSlackClock(
    createSlackFetch(slackApiUrl, responseOrigins, { ...metrics, apiCalled }, clock),
    clock,
  );
  const clientOptions = () => webClientOptions({ slackApiUrl, logger: boltLogger, fetch });
  const newBlocks = createNewBlocks(clock);
  const client = createClient(settings, newBlocks, clientOptions());
  const signIn = createSignIn(client, settings);
  return {
    botToken,
    teamId,
    /** It ends with a slash. */
    slackApiUrl,
    client,
    newBlocks,
    /** Dates of Slack's are compared with this one. */
    slackClock,
    aheadOfSlack: () => aheadOfSlack(slackApiUrl),
    fetch,
    latestUrls: createLatestUrls(fetch, clock),
    /** Makes them for another client of the same kind, which may write into them. */
    clientOptions,
    boltLogger,
    signIn,
    identity: signIn.identity,
  };
}

/** These ask which workspace is meant where the app is installed for several; of others Slack documents nothing of the kind. */
const OF_A_WORKSPACE = /^(?:bots|conversations|usergroups|users)\./;

/** Carries the bot token, names the workspace where Slack must know it, and shows older blocks where it does not take new ones. */
function createClient(
  { botToken, teamId }: Pick<SlackClientSettings, 'botToken' | 'teamId'>,
  newBlocks: NewBlocks,
  options: webApi.WebClientOptions,
): webApi.WebClient {
  class Client extends webApi.WebClient {
    override async apiCall(method: string, given: Record<string, unknown> = {}) {
      const call = (request: Record<string, unknown>) => super.apiCall(method, request);
      const { blocks, view } = given;
      if (isRecord(view) && Array.isArray(view.blocks)) {
        const inView = (shown: unknown) => call({ ...given, view: { ...view, blocks: shown } });
        return newBlocks.show('window', view.blocks, inView, areRefused);
      }
      const inMessage = (shown: unknown) => call({ ...given, blocks: shown });
      if (Array.isArray(blocks)) return newBlocks.show('message', blocks, inMessage, areRefused);
      return call(teamId && OF_A_WORKSPACE.test(method) ? { team_id: teamId, ...given } : given);
    }
  }
  return new Client(botToken, options);
}

function areRefused(error: unknown): boolean {
  const failure = classifyApiError(error);
  return failure.kind === 'refused' && remedyOf(failure.code) === 'plain_text';
}

/** A later answer says too little about when Slack has looked at its clock. */
const PATIENCE_MS = 10_000;

/**
 * Slack's clock, by the dates of its answers: this machine's may be wrong, and dates of Slack's are measured by its own.
 * Until Slack has answered it is this machine's.
 */
export function createSlackClock(fetch: webApi.FetchFunction, clock: Clock) {
  let heard: { readonly said: number; readonly at: number } | undefined;
  const slackClock: Clock = {
    ...clock,
    now: () => (heard === undefined ? clock.now() : heard.said + clock.monotonic() - heard.at),
  };
  async function heardFetch(...request: Parameters<webApi.FetchFunction>) {
    const response = await fetch(...request);
    const said = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(said)) heard = { said, at: clock.monotonic() };
    return response;
  }
  return {
    slackClock,
    fetch: heardFetch,
    /** Says how far this machine's clock is ahead of Slack's, in milliseconds, to some seconds; undefined while Slack does not say. */
    aheadOfSlack: async (slackApiUrl: string): Promise<number | undefined> => {
      const before = heard;
      const request = { method: 'POST', signal: AbortSignal.timeout(PATIENCE_MS) };
      await heardFetch(`${slackApiUrl}api.test`, request).catch(() => undefined);
      return heard === before ? undefined : clock.now() - slackClock.now();
    },
  };
}

export const SLACK_API_URL = 'https://slack.com/api/';

/** Slack answers in well under a second; a longer wait is trouble, and the caller decides what then. */
const CALL_TIMEOUT_MS = 10_000;

/**
 * Options for one Slack client, made anew on each call: Bolt hands the object on to the Socket Mode client, which
 * writes its own hundred retries into it.
 *
 * Nothing is repeated automatically: a repeated `chat.postMessage` is a second message. A 429 comes back to the
 * caller instead of stopping every other call of the client until it is over.
 */
export function webClientOptions(
  settings: Pick<webApi.WebClientOptions, 'slackApiUrl' | 'logger' | 'fetch'>,
): webApi.WebClientOptions {
  return {
    ...settings,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: CALL_TIMEOUT_MS,
    allowAbsoluteUrls: false,
  };
}

/**
 * The one way out to Slack: the Web API at `slackApiUrl`, and response_urls. Answers are read
 * whole here, so that one cut short is an error of this call and not of some later line.
 */
export function createSlackFetch(
  slackApiUrl: string,
  responseOrigins: readonly string[],
  metrics: SlackMetrics,
  clock: Pick<Clock, 'monotonic'>,
  fetch: webApi.FetchFunction = globalThis.fetch,
): webApi.FetchFunction {
  return async (url, init) => {
    const address = String(url);
    if (!address.startsWith(slackApiUrl)) {
      if (!isResponseUrl(address, responseOrigins))
        throw new Error('The response_url is not on Slack\u2019s host.');
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
 * Puts the log of Slack's libraries on Herald's logger. Their debug lines hold whole requests and envelopes, message
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
