import type { ReceiverEvent } from '@slack/bolt';
import { App, webApi } from '@slack/bolt';
import { fullJitterDelayMs } from '../core/back-off.ts';
import type { Clock } from '../core/clock.ts';
import { newFailureReference } from '../core/ids.ts';
import type { Logger } from '../core/logger.ts';
import type { Random } from '../core/random.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { createBoltLogger } from './connection/bolt-logger.ts';
import { createDeliveries } from './connection/deliveries.ts';
import { createFailureReport, createTeamGuard, refuse } from './connection/guards.ts';
import { createHttpHandler, type HttpHandler } from './connection/http-receiver.ts';
import { askIdentity, type ConnectionProblem, type Identity } from './connection/identity.ts';
import { createResponseUrls, SLACK_RESPONSE_ORIGIN } from './connection/response-url.ts';
import { createSocketConnection } from './connection/socket.ts';
import { createTellPerson } from './connection/tell-person.ts';
import { createSlackFetch, SLACK_API_URL, webClientOptions } from './connection/web-client.ts';
import { noSlackMetrics, type SlackMetrics } from './metrics.ts';

const RETRY_BASE_MS = 1_000;
const RETRY_CAP_MS = 30_000;

const STARTING = 'Herald is just starting. Nothing was sent. Try again in a minute.';
const STOPPING = 'Herald is being restarted and takes nothing new. Nothing was sent. Try again in a minute.';

export type SlackMode =
  | { readonly kind: 'socket'; readonly appToken: string }
  | { readonly kind: 'http'; readonly signingSecret: string };

export interface SlackAppOptions {
  readonly mode: SlackMode;
  readonly botToken: string;
  /** Another workspace server than Slack's; moves everything, Socket Mode included. */
  readonly slackApiUrl?: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics?: SlackMetrics;
  /** Adds Herald's handlers. What they throw is logged, and told to the person under a reference. */
  readonly register: (app: App) => void;
}

export interface SlackHealth {
  readonly mode: SlackMode['kind'];
  /** Slack has said who Herald is. */
  readonly authenticated: boolean;
  /** Authenticated, and in Socket Mode connected. */
  readonly ready: boolean;
  /** Why it is not ready, for the operator. */
  readonly problem?: string;
}

export interface SlackApp {
  /**
   * Asks who Herald is and connects. Fails with a sentence for the operator when Slack refuses a token; when Slack
   * cannot be reached it succeeds, keeps trying, and `health` says why it is not ready.
   */
  start(): Promise<Result<void, string>>;
  /** Refuses what is new, waits at most `deadlineMs` for handlers under way, and disconnects. */
  stop(deadlineMs: number): Promise<void>;
  health(): SlackHealth;
  /** Undefined until Slack has answered. */
  identity(): Identity | undefined;
  readonly client: webApi.WebClient;
  /** Only in HTTP mode: answers `POST /slack/events`. */
  readonly httpHandler?: HttpHandler;
}

export function createSlackApp(options: SlackAppOptions): SlackApp {
  const { mode, botToken, logger, clock, random, metrics = noSlackMetrics } = options;
  const slackApiUrl = withClosingSlash(options.slackApiUrl ?? SLACK_API_URL);
  const boltLogger = createBoltLogger(logger);
  const responseUrls = createResponseUrls([SLACK_RESPONSE_ORIGIN, new URL(slackApiUrl).origin], clock);
  const fetch = createSlackFetch(slackApiUrl, responseUrls, metrics);
  const clientOptions = () => webClientOptions({ slackApiUrl, logger: boltLogger, fetch });
  const client = new webApi.WebClient(botToken, clientOptions());
  const tell = createTellPerson(client, fetch, logger);

  const stopping = new AbortController();
  let identity: Identity | undefined;
  let problem: ConnectionProblem | undefined = {
    kind: 'unreachable',
    sentence: 'Herald has not asked Slack yet.',
  };

  const app = new App({
    // Herald's own receivers feed `processEvent`; Bolt is given one that does nothing.
    receiver: { init: () => {}, start: async () => {}, stop: async () => {} },
    authorize: async () => ({
      botToken,
      ...(identity && { botId: identity.botId, botUserId: identity.botUserId, teamId: identity.teamId }),
    }),
    clientOptions: clientOptions(),
    logger: boltLogger,
    convoStore: false,
  });
  app.error(async (error) => {
    throw error;
  });
  app.use(createFailureReport(tell, () => newFailureReference(random), logger));
  app.use(createTeamGuard(() => identity, tell, logger));
  options.register(app);

  const deliveries = createDeliveries({ process, clock, logger, metrics });
  const socket =
    mode.kind === 'socket'
      ? createSocketConnection({
          appToken: mode.appToken,
          clientOptions: clientOptions(),
          boltLogger,
          deliveries,
          clock,
          random,
          logger,
        })
      : undefined;

  async function process(event: ReceiverEvent): Promise<void> {
    if (stopping.signal.aborted) return refuse(event, STOPPING, tell);
    if (identity === undefined) return refuse(event, STARTING, tell);
    return app.processEvent(event);
  }

  async function identify(): Promise<void> {
    const answer = await askIdentity(client);
    problem = answer.ok ? undefined : answer.error;
    if (!answer.ok) return;
    identity = answer.value;
    logger.info({ team: identity.teamName, mode: mode.kind }, 'Slack knows Herald');
    const connected = await socket?.start();
    if (connected?.ok === false && connected.error.kind === 'refused') problem = connected.error;
  }

  async function keepIdentifying(): Promise<void> {
    for (let attempt = 0; problem?.kind === 'unreachable' && !stopping.signal.aborted; attempt += 1) {
      logger.warn({ problem: problem.sentence }, 'not connected to Slack yet');
      const backOffMs = fullJitterDelayMs(attempt, RETRY_BASE_MS, RETRY_CAP_MS, random.fraction());
      await clock.sleep(Math.max(problem.retryAfterMs ?? 0, backOffMs), stopping.signal);
      if (!stopping.signal.aborted) await identify();
    }
    if (problem?.kind === 'refused') logger.error({}, problem.sentence);
  }

  const currentProblem = () => problem ?? socket?.problem();

  return {
    start: async () => {
      await identify();
      if (problem?.kind === 'refused') return fail(problem.sentence);
      if (problem !== undefined) void keepIdentifying();
      return ok(undefined);
    },
    stop: async (deadlineMs) => {
      stopping.abort();
      const left = await deliveries.drain(deadlineMs);
      if (left > 0) logger.warn({ left }, 'stopped while handlers were still running');
      await socket?.stop();
    },
    health: () => {
      const current = currentProblem();
      return {
        mode: mode.kind,
        authenticated: identity !== undefined,
        ready: current === undefined,
        ...(current && { problem: current.sentence }),
      };
    },
    identity: () => identity,
    client,
    ...(mode.kind === 'http' && {
      httpHandler: createHttpHandler({ signingSecret: mode.signingSecret, deliveries, clock, logger }),
    }),
  };
}

function withClosingSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}
