import { readFileSync } from 'node:fs';
import { type Configuration, loadConfiguration } from './config/load.ts';
import { renderProblem } from './config/problems.ts';
import { environmentSummary, secretsOf } from './config/summary.ts';
import { systemClock } from './core/clock.ts';
import type { Logger } from './core/logger.ts';
import { systemRandom } from './core/random.ts';
import { fail, ok, type Result } from './core/result.ts';
import { createGateway } from './gateway/gateway.ts';
import { wireSchema } from './gateway/wire.ts';
import { answerHealth, answerMetrics, answerReadiness } from './http/health.ts';
import { createHttpServer } from './http/server.ts';
import { countryCodeSchema, msisdnSchema } from './messages/phone-number.ts';
import { sendersSchema } from './messages/senders.ts';
import { templateListSchema } from './messages/template.ts';
import type { AudienceStore } from './sends/audience.ts';
import { createAudiences } from './sends/audiences/service.ts';
import { createTemplateCatalogue } from './sends/catalogue.ts';
import { createDispatcher } from './sends/dispatch/dispatcher.ts';
import type { SendStore } from './sends/ports.ts';
import { createSendService } from './sends/service.ts';
import { createAnnouncer } from './slack/announce/announcer.ts';
import { createSlackApp, type SlackMode } from './slack/app.ts';
import { registerAudiences } from './slack/audiences/register.ts';
import { registerCompose } from './slack/compose/register.ts';
import { SLACK_API_URL } from './slack/connection/web-client.ts';
import { createSlackFiles } from './slack/files/files.ts';
import { registerHeraldCommand } from './slack/herald-command.ts';
import { createSendAccess } from './slack/people/access.ts';
import { createMembers } from './slack/people/membership.ts';
import { createStatusSource } from './status.ts';
import { createSqliteAudienceStore } from './store/sqlite/audience-store.ts';
import { openDatabase } from './store/sqlite/open.ts';
import { createSqliteSendStore } from './store/sqlite/send-store.ts';
import { createLogger } from './telemetry/logger.ts';
import { createMetrics } from './telemetry/metrics.ts';

/** How long a stopping Herald waits for what is on its way; orchestrators kill after 30 s, as a rule. */
const SLACK_DEADLINE_MS = 3_000;
const DRAIN_DEADLINE_MS = 15_000;
const HTTP_DEADLINE_MS = 2_000;

/** What other rooms bring to the configuration: their own schemas for their own parts. */
export const configurationParts = {
  senders: sendersSchema,
  templates: templateListSchema,
  wire: wireSchema,
  country: countryCodeSchema,
  number: msisdnSchema(),
};

type HeraldConfiguration = Configuration<typeof configurationParts>;

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Tells the operator, at the terminal. */
  say(text: string): void;
  /** Resolves when Herald is asked to stop. */
  readonly untilStopped: Promise<unknown>;
}

/** Runs Herald until it is asked to stop. Returns the exit code: 1 when it could not start. */
export async function runHerald({ env, say, untilStopped }: Surroundings): Promise<number> {
  const configuration = loadConfiguration({
    env,
    readFile: (path) => readFileSync(path, 'utf8'),
    parts: configurationParts,
  });
  if (!configuration.ok) {
    say(
      ['Herald cannot start:', ...configuration.error.map((problem) => `  - ${renderProblem(problem)}`)].join(
        '\n',
      ),
    );
    return 1;
  }
  const { environment } = configuration.value;
  const logger = createLogger({ level: environment.LOG_LEVEL, secrets: secretsOf(environment) });
  const started = await start(configuration.value, logger);
  if (!started.ok) {
    say(`Herald cannot start: ${started.error}`);
    return 1;
  }
  await untilStopped;
  await started.value.stop();
  return 0;
}

interface RunningHerald {
  stop(): Promise<void>;
}

/** Wires the rooms together and opens them, in an order in which nothing can arrive before it can be handled. */
async function start(
  configuration: HeraldConfiguration,
  logger: Logger,
): Promise<Result<RunningHerald, string>> {
  const { environment, team } = configuration;
  const database = openDatabase(environment.DATABASE_URL.replace(/^file:/, ''));
  if (!database.ok) return database;
  const store = createSqliteSendStore(database.value);
  const audienceStore = createSqliteAudienceStore(database.value);
  const herald = wire(configuration, store, audienceStore, logger);

  const listening = await herald.http.listen();
  if (!listening.ok) return abandon(herald, listening.error);
  logger.info(
    { port: listening.value, ...environmentSummary(environment), templates: team.templates.length },
    'Herald starts',
  );
  // What an earlier process left behind is put in order before Slack can bring anything new.
  await herald.sends.start();
  const connected = await herald.slack.start();
  if (!connected.ok) return abandon(herald, connected.error);
  return ok({ stop: () => stopInOrder(herald, logger) });
}

function wire(
  { environment, team }: HeraldConfiguration,
  store: SendStore,
  audienceStore: AudienceStore,
  logger: Logger,
) {
  const clock = systemClock;
  const random = systemRandom;
  const metrics = createMetrics();
  const catalogue = createTemplateCatalogue(team.templates);
  const audiences = createAudiences({
    store: audienceStore,
    clock,
    random,
    logger,
    defaultCountry: team.defaults.country,
  });
  const status = createStatusSource({ store, clock, slack: () => slack.health() });
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
      status.requestEnded(state);
    },
  });
  const slack = createSlackApp({
    mode: slackMode(environment),
    botToken: environment.SLACK_BOT_TOKEN,
    ...(environment.SLACK_API_URL === undefined ? {} : { slackApiUrl: environment.SLACK_API_URL }),
    logger,
    clock,
    random,
    metrics,
    register: (app, client) => {
      const members = createMembers({ client, clock, logger });
      registerCompose(app, {
        catalogue,
        // The service needs the announcer, and the announcer the app that is being made here.
        sends: { submit: (request) => sends.submit(request) },
        senders: team.senders,
        defaults: team.defaults,
        clock,
        logger,
        access: createSendAccess(team.access.send, members),
      });
      const files = createSlackFiles({
        client,
        botToken: environment.SLACK_BOT_TOKEN,
        slackApiUrl: environment.SLACK_API_URL ?? SLACK_API_URL,
        logger,
      });
      registerAudiences(app, { audiences, files, defaults: team.defaults, clock, logger });
      registerHeraldCommand(app, status);
    },
  });
  const announcer = createAnnouncer({
    client: slack.client,
    catalogue,
    identity: () => slack.identity(),
    clock,
    logger,
  });
  const stop = new AbortController();
  const stopping = stop.signal;
  const dispatcher = createDispatcher({
    store,
    gateway,
    pacing: team.pacing,
    clock,
    random,
    logger,
    stopping,
  });
  const sends = createSendService({
    store,
    optOuts: audienceStore,
    dispatcher,
    announcer,
    clock,
    random,
    logger,
    stopping,
  });
  const http = createHttpServer({
    host: environment.HOST,
    port: environment.PORT,
    logger,
    routes: {
      '/healthz': { GET: answerHealth },
      '/readyz': { GET: answerReadiness(status.checks) },
      '/metrics': { GET: answerMetrics(metrics) },
      ...(slack.httpHandler === undefined ? {} : { '/slack/events': { POST: slack.httpHandler } }),
    },
  });
  return { store, gateway, slack, sends, http, stop };
}

type WiredHerald = ReturnType<typeof wire>;

function slackMode({ SLACK_APP_TOKEN, SLACK_SIGNING_SECRET }: HeraldConfiguration['environment']): SlackMode {
  if (SLACK_APP_TOKEN !== undefined) return { kind: 'socket', appToken: SLACK_APP_TOKEN };
  if (SLACK_SIGNING_SECRET !== undefined) return { kind: 'http', signingSecret: SLACK_SIGNING_SECRET };
  throw new Error('The configuration was accepted with neither an app token nor a signing secret.');
}

async function abandon(herald: WiredHerald, sentence: string) {
  await herald.http.close(0);
  herald.stop.abort();
  await herald.sends.drain(0);
  await herald.slack.stop(0);
  await herald.gateway.close();
  await herald.store.close();
  return fail(sentence);
}

/** New work stops first, then what is on its way is waited for, and the store closes last. */
async function stopInOrder(
  { slack, sends, gateway, http, store, stop }: WiredHerald,
  logger: Logger,
): Promise<void> {
  logger.info({}, 'Herald is stopping');
  await slack.stop(SLACK_DEADLINE_MS);
  stop.abort();
  const left = await sends.drain(DRAIN_DEADLINE_MS);
  await gateway.close();
  await http.close(HTTP_DEADLINE_MS);
  await store.close();
  if (left > 0)
    logger.warn({ left }, 'Herald stopped before these sends had ended; their outcome will be unknown');
  else logger.info({}, 'Herald stopped; nothing was left');
}
