import type { Configuration } from './config/load.ts';
import { type Clock, systemClock } from './core/clock.ts';
import type { Logger } from './core/logger.ts';
import { type Random, systemRandom } from './core/random.ts';
import { createGateway } from './gateway/gateway.ts';
import { wireSchema } from './gateway/wire.ts';
import { addressRangeSchema } from './http/address-range.ts';
import { answerHealth, answerMetrics, answerReadiness } from './http/health.ts';
import { createHttpServer } from './http/server.ts';
import { countryCodeSchema, msisdnSchema } from './messages/numbers/phone-number.ts';
import { sendersSchema } from './messages/senders.ts';
import { templateListSchema } from './messages/templates/template.ts';
import { patternSchema } from './sends/alerts/pattern.ts';
import type { AlertStore } from './sends/alerts/ports.ts';
import type { Alerts } from './sends/alerts/service.ts';
import type { AudienceStore } from './sends/audience.ts';
import { createAudiences } from './sends/audiences/service.ts';
import { createLastLook } from './sends/bulk/last-look.ts';
import { createBulkSends } from './sends/bulk/service.ts';
import { createDispatcher } from './sends/dispatch/dispatcher.ts';
import type { DraftStore } from './sends/drafts.ts';
import type { Notes } from './sends/notes.ts';
import type { Gateway, Lease, SendStore } from './sends/ports.ts';
import { createQuietHours } from './sends/quiet-hours.ts';
import { createRefusedPosts, type RefusedPosts } from './sends/refused-posts.ts';
import type { ReplyStore } from './sends/replies/ports.ts';
import { createSendService } from './sends/service.ts';
import type { InputAttempts } from './sends/set-aside.ts';
import type { Sharing } from './sends/sharing.ts';
import { createStoreTrouble, type StoreTrouble } from './sends/store-trouble.ts';
import type { Tasks } from './sends/tasks.ts';
import { createStoredCatalogue } from './sends/templates/catalogue.ts';
import { createTemplates } from './sends/templates/service.ts';
import type { TemplateStore } from './sends/templates/store.ts';
import { createBotApps } from './slack/alerts/bot-apps.ts';
import { createAnnouncer } from './slack/announce/announcer.ts';
import { createPlacing } from './slack/announce/placing.ts';
import { createSlackApp, type SlackApp, type SlackMode } from './slack/app.ts';
import { createApproverDirectory } from './slack/approve/directory.ts';
import { SLACK_API_URL } from './slack/connection/web-client.ts';
import { createSlackFiles } from './slack/files/files.ts';
import { registerHeraldCommand } from './slack/herald-command.ts';
import { createMembers } from './slack/people/membership.ts';
import { createNames } from './slack/people/names.ts';
import { createStandings } from './slack/people/standing.ts';
import { createBulkAnnouncer } from './slack/progress/bulk-announcer.ts';
import { createAnswers } from './slack/replies/answers.ts';
import { createStatusSource } from './status.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { wireAccess } from './wiring/access.ts';
import { alertIntake, announcerFor, registerAlerts, wireAlerts } from './wiring/alerts.ts';
import { registerHandlers } from './wiring/handlers.ts';
import { webhookRoutes, wireReplies } from './wiring/replies.ts';

/** What other rooms bring to the configuration: their own schemas for their own parts. */
export const configurationParts = {
  senders: sendersSchema,
  templates: templateListSchema,
  wire: wireSchema,
  country: countryCodeSchema,
  number: msisdnSchema(),
  pattern: patternSchema,
  addressRange: addressRangeSchema,
};

export type HeraldConfiguration = Configuration<typeof configurationParts>;

export interface Foundation {
  readonly configuration: HeraldConfiguration;
  readonly store: SendStore;
  readonly audienceStore: AudienceStore;
  readonly templateStore: TemplateStore;
  readonly draftStore: DraftStore;
  readonly replyStore: ReplyStore;
  readonly alertStore: AlertStore;
  readonly inputs: InputAttempts;
  readonly lease: Lease;
  readonly tasks: Tasks;
  readonly sharing: Sharing;
  readonly notes: Notes;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export type WiredHerald = ReturnType<typeof wire>;

/** Makes every room and hands each what it needs of the others; nothing listens or sends yet. */
export function wire(foundation: Foundation) {
  const { configuration, store, metrics, logger } = foundation;
  const { environment, team } = configuration;
  const clock = systemClock;
  const random = systemRandom;
  const stop = new AbortController();
  const storeTrouble = createStoreTrouble(() => services?.bulkSends.stalledOrNot());
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
      send.audience === undefined ? sends.tellAgain(send.id) : bulkSends.tellAgain(send.id),
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

export type Services = ReturnType<typeof wireServices>;

interface ServiceDependencies extends Foundation {
  readonly client: SlackApp['client'];
  readonly identity: SlackApp['identity'];
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly stopping: AbortSignal;
  readonly storeTrouble: StoreTrouble;
  readonly refusedPosts: RefusedPosts;
}

/** By then whoever takes over a send knows by its age that it may have been told. */
const POSTS_REMEMBERED_MS = 24 * 60 * 60_000;

/** Everything that handlers may ask of. */
function wireServices(dependencies: ServiceDependencies) {
  const { configuration, store, audienceStore, templateStore, client, clock, logger } = dependencies;
  const answers = createAnswers(dependencies.replyStore, logger);
  const { environment, team } = configuration;
  const catalogue = createStoredCatalogue(templateStore);
  const audiences = createAudiences({
    ...dependencies,
    store: audienceStore,
    defaultCountry: team.defaults.country,
  });
  const members = createMembers(dependencies);
  const standings = createStandings(dependencies);
  const slackApiUrl = environment.SLACK_API_URL ?? SLACK_API_URL;
  const files = createSlackFiles({ client, botToken: environment.SLACK_BOT_TOKEN, slackApiUrl, logger });
  const directory = createApproverDirectory({
    ...dependencies,
    members,
    approvers: team.approvals.approvers,
  });
  const holds = createQuietHours(team.quietHours);
  const { sms } = team.pacing;
  // A body of the team's own may name one recipient only.
  const together = Math.min(sms.recipientsPerRequest, team.wire.rows.sms.recipientsPerRequest);
  const dispatcher = createDispatcher({
    ...dependencies,
    channels: dependencies.sharing.channels,
    pacing: { ...team.pacing, sms: { ...sms, recipientsPerRequest: together } },
    beforeAttempt: createLastLook({
      store,
      audiences: audienceStore,
      clock,
      frequencyCap: team.frequencyCap,
    }),
    holds,
    onProgress: (sendId) => bulkSends.progressed(sendId),
  });
  const claimPost = (mark: string) => dependencies.notes.claim(`post:${mark}`, POSTS_REMEMBERED_MS);
  const announcer = createBulkAnnouncer({
    ...dependencies,
    placing: createPlacing({ ...dependencies, claimPost }),
    answers,
    audiences,
    catalogue,
    files,
    approvalChannel: team.approvals.channel,
    prices: team.prices,
  });
  const bulkSends = createBulkSends({
    ...dependencies,
    audiences: audienceStore,
    catalogue,
    dispatcher,
    announcer,
    directory,
    policy: team.approvals,
  });
  const sends = createSendService({
    ...dependencies,
    optOuts: audienceStore,
    catalogue,
    holds,
    dispatcher,
    announcer: announcerFor(
      () => alerts,
      createAnnouncer({ ...dependencies, claimPost, catalogue, answers }),
    ),
  });
  const alerts: Alerts = wireAlerts({ ...dependencies, sends, bulkSends, audiences });
  const templates = createTemplates({ ...dependencies, bulkSends });
  const names = createNames(dependencies);
  const botApps = createBotApps(dependencies);
  return {
    catalogue,
    answers,
    templates,
    audiences,
    ...wireAccess({ ...dependencies, members, standings, names, directory, audiences }),
    names,
    botApps,
    standings,
    files,
    directory,
    announcer,
    bulkSends,
    sends,
    alerts,
  };
}

function slackMode({ SLACK_APP_TOKEN, SLACK_SIGNING_SECRET }: HeraldConfiguration['environment']): SlackMode {
  if (SLACK_APP_TOKEN !== undefined) return { kind: 'socket', appToken: SLACK_APP_TOKEN };
  if (SLACK_SIGNING_SECRET !== undefined) return { kind: 'http', signingSecret: SLACK_SIGNING_SECRET };
  throw new Error('The configuration was accepted with neither an app token nor a signing secret.');
}
