import { webApi } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Random } from '../../core/random.ts';
import type { SlackMetrics } from './health.ts';
import { createSignIn } from './identity.ts';
import { createLatestUrls, createResponseUrls, SLACK_RESPONSE_ORIGINS } from './response-url.ts';
import { createBoltLogger, createSlackFetch, webClientOptions } from './web-client.ts';

interface SlackClientSettings {
  readonly botToken: string;
  /** Where the Web API is; another workspace server than Slack's moves everything, Socket Mode included. */
  readonly slackApiUrl: string;
  /** What the bot token must be allowed. */
  readonly scopes: readonly string[];
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: SlackMetrics;
}

export type SlackClient = ReturnType<typeof createSlackClient>;

/** What Herald calls Slack with. */
export function createSlackClient(settings: SlackClientSettings) {
  const { botToken, logger, clock, metrics } = settings;
  const slackApiUrl = settings.slackApiUrl.replace(/\/?$/, '/');
  const boltLogger = createBoltLogger(logger);
  const responseUrls = createResponseUrls([...SLACK_RESPONSE_ORIGINS, new URL(slackApiUrl).origin], clock);
  const apiCalled: SlackMetrics['apiCalled'] = (method, result, seconds) => {
    metrics.apiCalled(method, result, seconds);
    signIn.heard(method, result);
  };
  const { slackClock, fetch, aheadOfSlack } = createSlackClock(
    createSlackFetch(slackApiUrl, responseUrls, { ...metrics, apiCalled }, clock),
    clock,
  );
  const clientOptions = () => webClientOptions({ slackApiUrl, logger: boltLogger, fetch });
  const client = new webApi.WebClient(botToken, clientOptions());
  const signIn = createSignIn({ ...settings, client });
  return {
    botToken,
    /** With its closing slash. */
    slackApiUrl,
    /** Carries the bot token; Bolt's own client has none, because Herald authorises from its configuration. */
    client,
    /** What Slack dates is compared with this one. */
    slackClock,
    aheadOfSlack: () => aheadOfSlack(slackApiUrl),
    fetch,
    latestUrls: createLatestUrls(fetch, clock),
    /** For another client of the same kind, which may write into them. */
    clientOptions,
    boltLogger,
    signIn,
    identity: signIn.identity,
  };
}

/** A later answer says too little about when Slack has looked at its clock. */
const PATIENCE_MS = 10_000;

/**
 * Slack's clock, by the dates of its answers: this machine's may be wrong, and what Slack dates is measured by its own.
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
    const said = saidIn(response);
    if (said !== undefined) heard = { said, at: clock.monotonic() };
    return response;
  }
  return {
    slackClock,
    fetch: heardFetch,
    /** How far this machine's clock is ahead of Slack's, in milliseconds, to some seconds; undefined while Slack does not say. */
    aheadOfSlack: async (slackApiUrl: string): Promise<number | undefined> => {
      const request = { method: 'POST', signal: AbortSignal.timeout(PATIENCE_MS) };
      const answer = await heardFetch(`${slackApiUrl}api.test`, request).catch(() => undefined);
      const said = answer && saidIn(answer);
      return said === undefined ? undefined : clock.now() - said;
    },
  };
}

function saidIn({ headers }: Pick<Awaited<ReturnType<webApi.FetchFunction>>, 'headers'>): number | undefined {
  const said = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(said) ? undefined : said;
}
