import type { Configuration } from './config/load.ts';
import { TIMEOUTS } from './gateway/client.ts';
import { createGateway } from './gateway/gateway.ts';
import { answerHealth, answerMetrics, answerReadiness } from './http/health.ts';
import { createHttpServer } from './http/server.ts';
import { createRefusedPosts } from './sends/refused-posts.ts';
import { createStoreTrouble } from './sends/store-trouble.ts';
import { createSlackApp, type SlackMode } from './slack/app.ts';
import { createSlackClient } from './slack/connection/client.ts';
import { SLACK_API_URL } from './slack/connection/web-client.ts';
import { COMMANDS, ENTRANCES, NEEDED_SCOPES } from './slack/features.ts';
import { heraldFeature } from './slack/herald-command.ts';
import { createAddFeature } from './slack/kit/feature/register.ts';
import { createThreadHints } from './slack/replies/thread-hints.ts';
import { createStatusSource } from './status.ts';
import { alertIntake, registerAlerts } from './wiring/alerts.ts';
import type { Foundation } from './wiring/foundation.ts';
import { registerHandlers } from './wiring/handlers.ts';
import { webhookRoutes, wireReplies } from './wiring/replies.ts';
import { wireServices } from './wiring/services.ts';

export type WiredHerald = ReturnType<typeof wire>;

/** Makes every room and hands each what it needs of the others; nothing listens or sends yet. */
export function wire(foundation: Foundation) {
  const { configuration, stores, metrics, logger } = foundation;
  const { environment, team } = configuration;
  const shared = {
    ...foundation,
    storeTrouble: createStoreTrouble(),
    refusedPosts: createRefusedPosts(logger, metrics.announcementSetAside),
  };
  const slackClient = createSlackClient({
    ...foundation,
    botToken: environment.SLACK_BOT_TOKEN,
    scopes: NEEDED_SCOPES,
    slackApiUrl: environment.SLACK_API_URL ?? SLACK_API_URL,
  });
  const { client, identity } = slackClient;
  const gateway = createGateway({
    ...foundation,
    baseUrl: environment.MESSAGING_BASE_URL,
    flashUrl: environment.MESSAGING_FLASH_URL,
    apiKey: environment.MESSAGING_API_KEY,
    wire: team.wire,
    timeouts: TIMEOUTS,
    connections: Math.max(...Object.values(team.pacing).map(({ concurrency }) => concurrency)),
    onRequest: ({ row, state, durationMs, keyRefused }) => {
      metrics.requestEnded(row, state, durationMs / 1_000);
      metrics.keyRefused(keyRefused);
    },
  });
  const services = wireServices({ ...shared, slack: slackClient, gateway });
  const keepAlert = alertIntake(services, foundation.clock);
  const hint = createThreadHints({ client, conversations: stores.conversations, logger });
  const slack = createSlackApp({
    ...foundation,
    ...slackClient,
    mode: slackMode(environment),
    claim: stores.notes.claim,
    keepEvent: async (payload, herald) => {
      await keepAlert(payload, herald);
      void hint(payload, herald);
    },
    whyNot: services.entrances.whyNot,
  });
  const status = createStatusSource({ ...shared, stores, slack, gateway });
  const add = createAddFeature(slack.bolt, ENTRANCES);
  registerHandlers(add, client, services, foundation);
  const alerts = registerAlerts(add, {
    ...foundation,
    ...services,
    client,
    identity,
    store: stores.alerts,
    settings: services.alertSettings,
    defaultCountry: team.defaults.country,
  });
  add(heraldFeature, { status, commands: COMMANDS, alerts });
  const replies = wireReplies({ ...foundation, ...services, client });
  const http = createHttpServer({
    host: environment.HOST,
    port: environment.PORT,
    logger,
    routes: {
      '/healthz': { GET: answerHealth },
      '/readyz': { GET: answerReadiness(status.checks) },
      '/metrics': { GET: answerMetrics(metrics) },
      ...webhookRoutes(replies, foundation),
      ...(slack.httpHandler === undefined ? {} : { '/slack/events': { POST: slack.httpHandler } }),
    },
  });
  return { ...services, client, gateway, slack, replies, http };
}

function slackMode({ SLACK_APP_TOKEN, SLACK_SIGNING_SECRET }: Configuration['environment']): SlackMode {
  if (SLACK_APP_TOKEN !== undefined) return { kind: 'socket', appToken: SLACK_APP_TOKEN };
  if (SLACK_SIGNING_SECRET !== undefined) return { kind: 'http', signingSecret: SLACK_SIGNING_SECRET };
  throw new Error('The configuration was accepted with neither an app token nor a signing secret.');
}
