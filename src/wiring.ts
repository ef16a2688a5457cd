import type { Configuration } from './config/load.ts';
import { systemClock } from './core/clock.ts';
import { systemRandom } from './core/random.ts';
import { createGateway } from './gateway/gateway.ts';
import { answerHealth, answerMetrics, answerReadiness } from './http/health.ts';
import { createHttpServer } from './http/server.ts';
import { createRefusedPosts } from './sends/refused-posts.ts';
import { createStoreTrouble } from './sends/store-trouble.ts';
import { createSlackApp, type SlackApp, type SlackMode } from './slack/app.ts';
import { registerHeraldCommand } from './slack/herald-command.ts';
import { createStatusSource } from './status.ts';
import { alertIntake, registerAlerts } from './wiring/alerts.ts';
import type { Foundation } from './wiring/foundation.ts';
import { registerHandlers } from './wiring/handlers.ts';
import { webhookRoutes, wireReplies } from './wiring/replies.ts';
import { type Services, wireServices } from './wiring/services.ts';

export type WiredHerald = ReturnType<typeof wire>;

/** Makes every room and hands each what it needs of the others; nothing listens or sends yet. */
export function wire(foundation: Foundation) {
  const { configuration, store, metrics, logger } = foundation;
  const { environment, team } = configuration;
  const clock = systemClock;
  const random = systemRandom;
  const stop = new AbortController();
  const storeTrouble = createStoreTrouble();
  const refusedPosts = createRefusedPosts(logger, () => metrics.announcementSetAside());
  const status = createStatusSource({
    ...foundation,
    storeTrouble,
    clock,
    slack: () => slack.health(),
    keyRefusal: () => gateway.keyRefusal(),
    refusedPosts,
  });
  const gateway = createGateway({
    baseUrl: environment.MESSAGING_BASE_URL,
    flashUrl: environment.MESSAGING_FLASH_URL,
    apiKey: environment.MESSAGING_API_KEY,
    wire: team.wire,
    connections: Math.max(...Object.values(team.pacing).map(({ concurrency }) => concurrency)),
    clock,
    logger,
    onRequest: ({ row, state, durationMs }) => {
      metrics.requestEnded(row, state, durationMs / 1_000);
      metrics.keyRefused(gateway.keyRefusal() !== undefined);
      status.requestEnded(state);
    },
  });
  // The services need Slack's client, and the app that makes it needs the services for its handlers.
  let services: Services | undefined;
  function wired(): Services {
    if (services === undefined) throw new Error('The Slack app was made without registering its handlers.');
    return services;
  }
  const slack: SlackApp = createSlackApp({
    mode: slackMode(environment),
    botToken: environment.SLACK_BOT_TOKEN,
    ...(environment.SLACK_API_URL === undefined ? {} : { slackApiUrl: environment.SLACK_API_URL }),
    logger,
    clock,
    random,
    metrics,
    claim: (key, keepMs) => foundation.notes.claim(key, keepMs),
    keepEvent: alertIntake(
      configuration,
      () => wired().alerts,
      () => wired().names,
      () => wired().botApps,
      clock,
    ),
    whyNot: (payload) => wired().entrances.whyNot(payload),
    register: (app, client) => {
      const identity = () => slack.identity();
      services = wireServices({
        ...foundation,
        client,
        identity,
        gateway,
        clock,
        random,
        metrics,
        stopping: stop.signal,
        storeTrouble,
        refusedPosts,
      });
      registerHandlers(app, client, services, foundation, clock, stop.signal);
      registerHeraldCommand(
        app,
        status,
        registerAlerts(app, { ...foundation, client, identity, clock, services }),
      );
    },
  });
  const { sends, bulkSends, alerts, templates } = wired();
  const replies = wireReplies({
    ...foundation,
    client: slack.client,
    alerts,
    refresh: (send) =>
      send.audience === undefined ? sends.announceAgain(send.id) : bulkSends.announceAgain(send.id),
    metrics,
    clock,
    stopping: stop.signal,
  });
  const http = createHttpServer({
    host: environment.HOST,
    port: environment.PORT,
    logger,
    routes: {
      '/healthz': { GET: answerHealth },
      '/readyz': { GET: answerReadiness(status.checks) },
      '/metrics': { GET: answerMetrics(metrics) },
      ...webhookRoutes(configuration, replies, metrics, logger),
      ...(slack.httpHandler === undefined ? {} : { '/slack/events': { POST: slack.httpHandler } }),
    },
  });
  return {
    store,
    gateway,
    slack,
    sends,
    bulkSends,
    replies,
    alerts,
    http,
    stop,
    tasks: foundation.tasks,
    templates,
  };
}

function slackMode({ SLACK_APP_TOKEN, SLACK_SIGNING_SECRET }: Configuration['environment']): SlackMode {
  if (SLACK_APP_TOKEN !== undefined) return { kind: 'socket', appToken: SLACK_APP_TOKEN };
  if (SLACK_SIGNING_SECRET !== undefined) return { kind: 'http', signingSecret: SLACK_SIGNING_SECRET };
  throw new Error('The configuration was accepted with neither an app token nor a signing secret.');
}
