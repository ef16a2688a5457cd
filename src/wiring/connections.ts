import type { Environment } from '../config/environment.ts';
import { createTunnels, installFetch, type Proxies, TIMEOUTS } from '../gateway/client.ts';
import { createGateway } from '../gateway/gateway.ts';
import { createSlackClient } from '../slack/connection/client.ts';
import { SLACK_API_URL } from '../slack/connection/web-client.ts';
import { NEEDED_SCOPES } from '../slack/features.ts';
import type { Foundation } from './foundation.ts';

function proxyOf({ HTTP_PROXY = '', HTTPS_PROXY = '', NO_PROXY = '' }: Environment): Proxies | undefined {
  const isNone = HTTP_PROXY === '' && HTTPS_PROXY === '';
  return isNone ? undefined : { httpProxy: HTTP_PROXY, httpsProxy: HTTPS_PROXY, noProxy: NO_PROXY };
}

export type Outside = Omit<Foundation, 'stores' | 'storeTrouble' | 'stopping'>;

/** Makes the clients of Slack and of the messaging service; neither is asked anything yet. */
export function wireConnections(outside: Outside) {
  const { environment, team } = outside.configuration;
  const { metrics } = outside;
  const proxy = proxyOf(environment);
  installFetch(proxy);
  const slackClient = createSlackClient({
    ...outside,
    botToken: environment.SLACK_BOT_TOKEN,
    scopes: NEEDED_SCOPES,
    slackApiUrl: environment.SLACK_API_URL ?? SLACK_API_URL,
  });
  const gateway = createGateway({
    ...outside,
    baseUrl: environment.MESSAGING_BASE_URL,
    flashUrl: environment.MESSAGING_FLASH_URL,
    apiKey: environment.MESSAGING_API_KEY,
    wire: team.wire,
    timeouts: TIMEOUTS,
    proxy,
    connections: Math.max(...Object.values(team.pacing).map(({ concurrency }) => concurrency)),
    onRequest: ({ row, state, durationMs, keyRefused }) => {
      metrics.requestEnded(row, state, durationMs / 1_000);
      metrics.keyRefused(keyRefused);
    },
  });
  return { slackClient, gateway, socketDispatcher: proxy && createTunnels(proxy) };
}
