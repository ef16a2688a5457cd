import type { Configuration } from '../config/load.ts';
import type { Random } from '../core/random.ts';
import type { StoppableSurroundings } from '../core/surroundings.ts';
import { createTunnels, installFetch, TIMEOUTS } from '../gateway/client.ts';
import { createGateway } from '../gateway/gateway.ts';
import { createMediaLook } from '../gateway/media.ts';
import type { StoreTrouble } from '../sends/store-trouble.ts';
import { createSlackClient, SLACK_API_URL } from '../slack/connection/client.ts';
import { NEEDED_SCOPES } from '../slack/features.ts';
import type { Stores } from '../store/stores.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** These exist before any part of Herald is made. */
export interface Foundation extends StoppableSurroundings {
  readonly configuration: Configuration;
  readonly stores: Stores;
  readonly storeTrouble: StoreTrouble;
  readonly metrics: Metrics;
  readonly random: Random;
}

export type Outside = Omit<Foundation, 'stores' | 'storeTrouble' | 'stopping'>;

/** Makes the clients of Slack and of the messaging service; neither is asked anything yet. */
export function wireConnections(outside: Outside) {
  const { environment, team } = outside.configuration;
  const { metrics } = outside;
  const { HTTP_PROXY: httpProxy = '', HTTPS_PROXY: httpsProxy = '', NO_PROXY: noProxy = '' } = environment;
  const proxy = httpProxy || httpsProxy ? { httpProxy, httpsProxy, noProxy } : undefined;
  installFetch(proxy);
  const slackClient = createSlackClient({
    ...outside,
    botToken: environment.SLACK_BOT_TOKEN,
    teamId: environment.SLACK_TEAM_ID,
    scopes: NEEDED_SCOPES,
    slackApiUrl: environment.SLACK_API_URL ?? SLACK_API_URL,
  });
  const gateway = createGateway({
    ...outside,
    baseUrl: environment.MESSAGING_BASE_URL,
    flashUrl: environment.MESSAGING_FLASH_URL,
    apiKey: environment.MESSAGING_API_KEY,
    flashApiKey: environment.MESSAGING_FLASH_API_KEY,
    wire: team.wire,
    keyRequest: team.doctor.request,
    timeouts: TIMEOUTS,
    proxy,
    connections: Math.max(...Object.values(team.pacing).map(({ concurrency }) => concurrency)),
    onRequest: ({ row, state, durationMs, keyRefused }) => {
      metrics.requestEnded(row, state, durationMs / 1_000);
      metrics.keyRefused(keyRefused);
    },
  });
  const lookAtMedia = team.media.check ? createMediaLook({ ...outside, proxy }) : undefined;
  return { slackClient, gateway, lookAtMedia, socketDispatcher: proxy && createTunnels(proxy) };
}
