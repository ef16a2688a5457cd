import type { webApi } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import { fullJitterDelayMs } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Random } from '../../core/random.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { type ApiFailure, classifyApiError, TOKEN_REFUSED } from './api-error.ts';

/** Who Herald is in its workspace, asked once and then known. */
export interface Identity {
  readonly teamId: string;
  readonly teamName: string;
  readonly botUserId: string;
  readonly botId: string;
  /** In an Enterprise Grid. */
  readonly enterpriseId?: string;
}

/** Why there is no connection to Slack, in a sentence for the operator. */
export interface ConnectionProblem {
  /** `refused`: only the operator can put it right. `unreachable`: it is tried again. */
  readonly kind: 'refused' | 'unreachable';
  readonly sentence: string;
  /** When Slack said how long to wait. */
  readonly retryAfterMs?: number;
}

/** Asks Slack by `auth.test` who the bot token is, and whether it is allowed `scopes`. */
export async function askIdentity(
  client: webApi.WebClient,
  scopes: readonly string[],
): Promise<Result<Identity, ConnectionProblem>> {
  try {
    return readIdentity(await client.auth.test(), scopes);
  } catch (error) {
    const failure = classifyApiError(error);
    if (failure.kind !== 'refused') return fail(unreachable(failure));
    return fail({ kind: 'refused', sentence: botTokenRefused(failure.code) });
  }
}

function readIdentity(
  answer: webApi.AuthTestResponse,
  scopes: readonly string[],
): Result<Identity, ConnectionProblem> {
  const { team_id: teamId, team, user_id: botUserId, bot_id: botId, enterprise_id: enterpriseId } = answer;
  if (!teamId || !botUserId) {
    return fail({
      kind: 'unreachable',
      sentence: 'What answers at SLACK_API_URL does not answer like Slack: check the address.',
    });
  }
  if (!botId) {
    return fail({
      kind: 'refused',
      sentence:
        'SLACK_BOT_TOKEN belongs to a person, not to an app. Copy the “Bot User OAuth Token”, which starts with xoxb-, from “OAuth & Permissions” in the app\u2019s settings, and start Herald again.',
    });
  }
  // Its token names no workspace: user groups, and who is a member, would be those of every workspace at once.
  if (answer.is_enterprise_install === true) {
    return fail({
      kind: 'refused',
      sentence: `The Slack app is installed for the whole organisation “${team ?? teamId}”, and Herald works for one workspace. Install the app to one workspace of it, set SLACK_BOT_TOKEN to the “Bot User OAuth Token” of that, and start Herald again.`,
    });
  }
  const granted = answer.response_metadata?.scopes;
  // Slack names a token's scopes in a header of every answer; without the header nothing is known to be missing.
  const missing = granted === undefined ? [] : scopes.filter((scope) => !granted.includes(scope));
  if (missing.length > 0) {
    return fail({
      kind: 'refused',
      sentence: `The Slack app lacks these permissions: ${missing.join(', ')}. Add them under “OAuth & Permissions”, “Bot Token Scopes” in the app\u2019s settings, reinstall the app, and start Herald again with the new SLACK_BOT_TOKEN.`,
    });
  }
  return ok({ teamId, teamName: team ?? teamId, botUserId, botId, ...(enterpriseId && { enterpriseId }) });
}

/** The sentence for trouble on the way to Slack. */
export function unreachable(failure: Exclude<ApiFailure, { kind: 'refused' }>): ConnectionProblem {
  if (failure.kind === 'rate_limited') {
    const seconds = Math.ceil(failure.retryAfterMs / 1000);
    return {
      kind: 'unreachable',
      sentence: `Slack asked to wait ${seconds} s before connecting. Herald tries again by itself.`,
      retryAfterMs: failure.retryAfterMs,
    };
  }
  const why = failure.kind === 'not_reached' ? 'could not be reached' : 'gave no usable answer';
  return {
    kind: 'unreachable',
    sentence: `Slack ${why} (${failure.cause}). Herald tries again by itself; if this stays, check the network, the proxy and SLACK_API_URL.`,
  };
}

const REINSTALL =
  'Reinstall the app to the workspace in its settings, set SLACK_BOT_TOKEN to the new “Bot User OAuth Token”, and start Herald again.';

function botTokenRefused(code: string): string {
  switch (code) {
    case 'invalid_auth':
    case 'not_authed':
      return `Slack does not know SLACK_BOT_TOKEN (${code}). Copy the “Bot User OAuth Token”, which starts with xoxb-, from “OAuth & Permissions” in the app\u2019s settings, and start Herald again.`;
    case 'account_inactive':
    case 'token_revoked':
      return `SLACK_BOT_TOKEN is no longer valid (${code}): the app was removed from the workspace, or its token revoked. ${REINSTALL}`;
    case 'token_expired':
      return `SLACK_BOT_TOKEN has expired (${code}): Herald needs token rotation to be off. ${REINSTALL}`;
    default:
      return `Slack refused SLACK_BOT_TOKEN (${code}). Check the app\u2019s “OAuth & Permissions” page, and start Herald again.`;
  }
}

export function appTokenRefused(code: string): string {
  const copy =
    'Under “Basic Information”, “App-Level Tokens” in the app\u2019s settings make one with the scope connections:write, set SLACK_APP_TOKEN to it, and start Herald again.';
  switch (code) {
    case 'not_allowed_token_type':
    case 'missing_scope':
    case 'no_permission':
      return `SLACK_APP_TOKEN may not open a Socket Mode connection (${code}). ${copy}`;
    case 'socket_mode_disabled':
    case 'not_allowed':
      return `Socket Mode is off for this app (${code}). Turn it on under “Socket Mode” in the app\u2019s settings, or leave SLACK_APP_TOKEN empty and set SLACK_SIGNING_SECRET to use HTTP; then start Herald again.`;
    default:
      return `Slack refused SLACK_APP_TOKEN (${code}). ${copy}`;
  }
}

const RETRY_BASE_MS = 1_000;
const RETRY_CAP_MS = 30_000;

interface SignInDependencies {
  readonly client: webApi.WebClient;
  /** What the bot token must be allowed. */
  readonly scopes: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

type Connect = () => Promise<Result<void, ConnectionProblem>>;

export interface SignIn {
  /**
   * Fails only when Slack refuses; when it cannot be reached, trying goes on.
   *
   * @param connect what follows once Slack knows Herald: the socket, where there is one
   */
  start(connect: Connect, stopping: AbortSignal): Promise<Result<void, string>>;
  /** Takes in what Slack answered to any call: a token that was good may be refused at any time. */
  heard(method: string, result: string): void;
  identity(): Identity | undefined;
  problem(): ConnectionProblem | undefined;
}

/** Asks Slack who Herald is, as often as it takes to get an answer, and again while Slack refuses a token that was good. */
export function createSignIn(dependencies: SignInDependencies): SignIn {
  const { client, scopes, clock, random, logger } = dependencies;
  let identity: Identity | undefined;
  let problem: ConnectionProblem | undefined = {
    kind: 'unreachable',
    sentence: 'Herald has not asked Slack yet.',
  };

  let keepAsking = async (): Promise<void> => {};

  async function attempt(connect: Connect): Promise<void> {
    const answer = await askIdentity(client, scopes);
    const wasKnown = identity !== undefined;
    // What was good may be so again.
    problem = answer.ok ? undefined : { ...answer.error, ...(wasKnown && { kind: 'unreachable' }) };
    if (!answer.ok) return;
    identity = answer.value;
    logger.info({ team: identity.teamName }, 'Slack knows Herald');
    if (wasKnown) return;
    const connected = await connect();
    if (!connected.ok && connected.error.kind === 'refused') problem = connected.error;
  }

  async function keepTrying(connect: Connect, stopping: AbortSignal): Promise<void> {
    for (let retry = 0; problem?.kind === 'unreachable' && !stopping.aborted; retry += 1) {
      logger.warn({ problem: problem.sentence }, 'Slack does not know Herald; asking again');
      const backOffMs = fullJitterDelayMs(retry, RETRY_BASE_MS, RETRY_CAP_MS, random.fraction());
      await clock.sleep(Math.max(problem.retryAfterMs ?? 0, backOffMs), stopping);
      if (!stopping.aborted) await attempt(connect);
    }
    if (problem?.kind === 'refused') logger.error({}, problem.sentence);
  }

  return {
    start: async (connect, stopping) => {
      keepAsking = () => keepTrying(connect, stopping);
      await attempt(connect);
      if (problem?.kind === 'refused') return fail(problem.sentence);
      if (problem !== undefined) void keepAsking();
      return ok(undefined);
    },
    heard: (method, result) => {
      // Of the app's own token the socket tells, and before the first answer the start.
      const isOurs = identity !== undefined && method !== 'apps.connections.open';
      if (!isOurs || problem !== undefined || !TOKEN_REFUSED.includes(result)) return;
      problem = { kind: 'unreachable', sentence: botTokenRefused(result) };
      logger.error({}, problem.sentence);
      void keepAsking();
    },
    identity: () => identity,
    problem: () => problem,
  };
}
