import { webApi } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Random } from '../../core/random.ts';
import { createBoltLogger } from './bolt-logger.ts';
import type { SlackMetrics } from './metrics.ts';
import { createLatestUrls, createResponseUrls, SLACK_RESPONSE_ORIGINS } from './response-url.ts';
import { createSignIn } from './sign-in.ts';
import { createSlackClock } from './slack-clock.ts';
import { createSlackFetch, webClientOptions } from './web-client.ts';

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
