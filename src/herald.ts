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
import { createTemplateCatalogue } from './sends/catalogue.ts';
import type { SendStore } from './sends/ports.ts';
import { createSendService } from './sends/service.ts';
import { createAnnouncer } from './slack/announce/announcer.ts';
import { createSlackApp, type SlackMode } from './slack/app.ts';
import { registerCompose } from './slack/compose/register.ts';
import { registerHeraldCommand } from './slack/herald-command.ts';
import { createSendAccess } from './slack/people/access.ts';
import { createMembers } from './slack/people/membership.ts';
import { createStatusSource } from './status.ts';
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
  const herald = wire(configuration, store, logger);

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
  return ok({ stop: () => stop(herald, logger) });
}

function wire({ environment, team }: HeraldConfiguration, store: SendStore, logger: Logger) {
  const clock = systemClock;
  const random = systemRandom;
  const metrics = createMetrics();
  const catalogue = createTemplateCatalogue(team.templates);
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
  const sends = createSendService({ store, gateway, announcer, clock, random, logger });
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
  return { store, gateway, slack, sends, http };
}

type WiredHerald = ReturnType<typeof wire>;

function slackMode({ SLACK_APP_TOKEN, SLACK_SIGNING_SECRET }: HeraldConfiguration['environment']): SlackMode {
  if (SLACK_APP_TOKEN !== undefined) return { kind: 'socket', appToken: SLACK_APP_TOKEN };
  if (SLACK_SIGNING_SECRET !== undefined) return { kind: 'http', signingSecret: SLACK_SIGNING_SECRET };
  throw new Error('The configuration was accepted with neither an app token nor a signing secret.');
}

async function abandon(herald: WiredHerald, sentence: string) {
  await herald.http.close(0);
  await herald.sends.drain(0);
  await herald.slack.stop(0);
  await herald.gateway.close();
  await herald.store.close();
  return fail(sentence);
}

/** New work stops first, then what is on its way is waited for, and the store closes last. */
async function stop({ slack, sends, gateway, http, store }: WiredHerald, logger: Logger): Promise<void> {
  logger.info({}, 'Herald is stopping');
  await slack.stop(SLACK_DEADLINE_MS);
  const left = await sends.drain(DRAIN_DEADLINE_MS);
  await gateway.close();
  await http.close(HTTP_DEADLINE_MS);
  await store.close();
  if (left > 0)
    logger.warn({ left }, 'Herald stopped before these sends had ended; their outcome will be unknown');
  else logger.info({}, 'Herald stopped; nothing was left');
}
