import type { Configuration } from './config/load.ts';
import { answerHealth, answerMetrics, answerReadiness, createReadiness } from './http/health.ts';
import { createHttpServer } from './http/server.ts';
import { createRefusedPosts } from './sends/refused-posts.ts';
import { createAlertIntake } from './slack/alerts/intake.ts';
import { createSlackApp, type SlackMode } from './slack/app.ts';
import type { SocketDispatcher } from './slack/connection/socket-session.ts';
import { ENTRANCES } from './slack/features.ts';
import { createAddFeature } from './slack/kit/feature/register.ts';
import { createThreadHints } from './slack/replies/feature.ts';
import { createStatusSource } from './status.ts';
import { accountInWords } from './wiring/account.ts';
import { type Foundation, wireConnections } from './wiring/connections.ts';
import { registerHandlers } from './wiring/handlers.ts';
import { alertRoutes, webhookRoutes, wireReplies } from './wiring/routes.ts';
import { wireServices } from './wiring/services.ts';

export type WiredHerald = ReturnType<typeof wire>;

/** Makes every room and hands each what it needs of the others; nothing listens or sends yet. */
export function wire(foundation: Foundation) {
  const { configuration, stores, metrics, logger } = foundation;
  const { environment } = configuration;
  const shared = {
    ...foundation,
    refusedPosts: createRefusedPosts(logger, metrics.announcementSetAside),
  };
  const { slackClient, gateway, lookAtMedia, socketDispatcher } = wireConnections(foundation);
  const services = wireServices({ ...shared, slackClient, gateway, lookAtMedia });
  const keepAlert = createAlertIntake(services);
  const hint = createThreadHints(services);
  const slack = createSlackApp({
    ...foundation,
    ...slackClient,
    mode: slackMode(environment, socketDispatcher),
    claim: stores.lease.exclusive ? undefined : stores.notes.claim,
    keepEvent: async (payload, herald) => {
      await keepAlert(payload, herald);
      void hint(payload, herald);
    },
    ...services.entrances,
  });
  const account = () => accountInWords(environment.DATABASE_URL, configuration.team.wire);
  const status = createStatusSource({ ...shared, stores, slack, gateway, account });
  const readiness = createReadiness(status.checks);
  registerHandlers(createAddFeature(slack.bolt, ENTRANCES, slackClient.newBlocks), services, status);
  const replies = wireReplies({ ...foundation, ...services });
  const { HOST: host, PORT, METRICS_PORT } = environment;
  const counted = { '/metrics': { GET: answerMetrics(metrics, foundation.clock) } };
  const http = createHttpServer({
    host,
    port: PORT,
    beside:
      METRICS_PORT === undefined
        ? undefined
        : createHttpServer({ host, port: METRICS_PORT, setting: 'METRICS_PORT', logger, routes: counted }),
    logger,
    routes: {
      '/healthz': { GET: answerHealth },
      '/readyz': { GET: answerReadiness(readiness) },
      ...(METRICS_PORT === undefined && counted),
      ...webhookRoutes(replies, foundation),
      ...alertRoutes(services, foundation),
      ...(slack.httpHandler === undefined ? {} : { '/slack/events': { POST: slack.httpHandler } }),
    },
  });
  return { ...services, slackClient, gateway, slack, replies, http, readiness };
}

function slackMode(
  environment: Configuration['environment'],
  dispatcher: SocketDispatcher | undefined,
): SlackMode {
  const { SLACK_APP_TOKEN, SLACK_SIGNING_SECRET, SLACK_SIGNING_SECRET_OLD } = environment;
  if (SLACK_APP_TOKEN !== undefined) return { kind: 'socket', appToken: SLACK_APP_TOKEN, dispatcher };
  const secrets = [SLACK_SIGNING_SECRET, SLACK_SIGNING_SECRET_OLD];
  return { kind: 'http', signingSecrets: secrets.filter((secret) => secret !== undefined) };
}
