import { type Logger as BoltLogger, webApi } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Random } from '../../core/random.ts';
import { createBoltLogger } from './bolt-logger.ts';
import type { SlackMetrics } from './metrics.ts';
import { createResponseUrls, SLACK_RESPONSE_ORIGIN } from './response-url.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
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

/** What Herald calls Slack with. */
export interface SlackClient {
  readonly botToken: string;
  /** With its closing slash. */
  readonly slackApiUrl: string;
  /** Carries the bot token; Bolt's own client has none, because Herald authorises from its configuration. */
  readonly client: webApi.WebClient;
  /** What Slack dates is compared with this one. */
  readonly slackClock: Clock;
  readonly fetch: webApi.FetchFunction;
  /** For another client of the same kind, which may write into them. */
  clientOptions(): webApi.WebClientOptions;
  readonly boltLogger: BoltLogger;
  readonly signIn: SignIn;
  readonly identity: SignIn['identity'];
}

export function createSlackClient(settings: SlackClientSettings): SlackClient {
  const { botToken, logger, clock, metrics } = settings;
  const slackApiUrl = settings.slackApiUrl.replace(/\/?$/, '/');
  const boltLogger = createBoltLogger(logger);
  const responseUrls = createResponseUrls([SLACK_RESPONSE_ORIGIN, new URL(slackApiUrl).origin], clock);
  const { slackClock, fetch } = createSlackClock(
    createSlackFetch(slackApiUrl, responseUrls, metrics, clock),
    clock,
  );
  const clientOptions = () => webClientOptions({ slackApiUrl, logger: boltLogger, fetch });
  const client = new webApi.WebClient(botToken, clientOptions());
  const signIn = createSignIn({ ...settings, client });
  return {
    botToken,
    slackApiUrl,
    client,
    slackClock,
    fetch,
    clientOptions,
    boltLogger,
    signIn,
    identity: signIn.identity,
  };
}
