import type { webApi } from '@slack/bolt';
import { fullJitterDelayMs } from '../../core/clock.ts';
import type { Random } from '../../core/random.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import type { Surroundings } from '../../core/surroundings.ts';
import { type ApiFailure, classifyApiError, TOKEN_REFUSED } from './api-error.ts';

/** Herald as its workspace knows it, asked once and then kept. */
export interface Identity {
  readonly teamId: string;
  readonly teamName: string;
  readonly botUserId: string;
  readonly botId: string;
  /** In an Enterprise Grid. */
  readonly enterpriseId?: string;
  /** The app is installed for all workspaces of the organisation, and Herald works for this one. */
  readonly isForAll?: true;
}

/** Why there is no connection to Slack, in a sentence for the operator. */
export interface ConnectionProblem {
  /** `refused`: only the operator can put it right. `unreachable`: it is tried again. */
  readonly kind: 'refused' | 'unreachable';
  readonly sentence: string;
  /** Slack said to wait so long. */
  readonly retryAfterMs?: number;
}

/**
 * Asks Slack by `auth.test` who the bot token is, and whether it is allowed `scopes`.
 *
 * @param home the workspace that Herald works for, where the operator has named it
 */
export async function askIdentity(
  client: webApi.WebClient,
  scopes: readonly string[],
  home?: string,
): Promise<Result<Identity, ConnectionProblem>> {
  try {
    const known = readIdentity(await client.auth.test(), scopes, home);
    return known.ok && known.value.isForAll ? ifGranted(client, known.value) : known;
  } catch (error) {
    const failure = classifyApiError(error);
    if (failure.kind !== 'refused') return fail(unreachable(failure));
    return refused(botTokenRefused(failure.code));
  }
}

function readIdentity(
  answer: webApi.AuthTestResponse,
  scopes: readonly string[],
  home: string | undefined,
): Result<Identity, ConnectionProblem> {
  const { team_id: teamId, team, user_id: botUserId, bot_id: botId, enterprise_id: enterpriseId } = answer;
  if (!teamId || !botUserId) {
    return fail({
      kind: 'unreachable',
      sentence: 'What answers at SLACK_API_URL does not answer like Slack: check the address.',
    });
  }
  if (!botId) {
    return refused(
      'SLACK_BOT_TOKEN belongs to a person, not to an app. Copy the “Bot User OAuth Token”, which starts with xoxb-, from “OAuth & Permissions” in the app\u2019s settings, and start Herald again.',
    );
  }
  // Such a token names no workspace: user groups, and who is a member, would be those of every workspace at once.
  const isForAll = answer.is_enterprise_install === true;
  if (isForAll && home === undefined) {
    return refused(
      `The Slack app is installed for the whole organisation “${team ?? teamId}”, and Herald works for one workspace. Set SLACK_TEAM_ID to the id of that workspace, which begins with T, and start Herald again.`,
    );
  }
  if (!isForAll && home !== undefined && home !== teamId) {
    return refused(
      `SLACK_TEAM_ID is ${home}, and SLACK_BOT_TOKEN belongs to the workspace “${team ?? teamId}”, ${teamId}. Take the token of the other, or leave SLACK_TEAM_ID empty, and start Herald again.`,
    );
  }
  const granted = answer.response_metadata?.scopes;
  // Slack names a token's scopes in a header of every answer; without the header nothing is known to be missing.
  const missing = granted === undefined ? [] : scopes.filter((scope) => !granted.includes(scope));
  if (missing.length > 0) {
    return refused(
      `The Slack app lacks these permissions: ${missing.join(', ')}. Add them under “OAuth & Permissions”, “Bot Token Scopes” in the app\u2019s settings, reinstall the app, and start Herald again with the new SLACK_BOT_TOKEN.`,
    );
  }
  const names = { teamId: home ?? teamId, teamName: team ?? teamId, botUserId, botId };
  return ok({ ...names, ...(enterpriseId && { enterpriseId }), ...(isForAll && { isForAll }) });
}

/** Refuses a workspace that the app is not granted to: nothing would ever come from it. Where Slack does not say, it is granted. */
async function ifGranted(
  client: webApi.WebClient,
  known: Identity,
): Promise<Result<Identity, ConnectionProblem>> {
  const answer = await client.auth.teams.list({ limit: 1_000 }).catch(() => undefined);
  const { teams = [], response_metadata: more } = answer ?? {};
  const isSaid = answer !== undefined && !more?.next_cursor;
  if (!isSaid || teams.some(({ id }) => id === known.teamId)) return ok(known);
  const others = teams.map(({ id, name }) => `“${name}”, ${id}`).join('; ') || 'none';
  return refused(
    `SLACK_TEAM_ID is ${known.teamId}, and the Slack app is not granted to that workspace. Those that it is granted to: ${others}. Name one of them, or have an admin of the organisation grant it, and start Herald again.`,
  );
}

function refused(sentence: string): Result<never, ConnectionProblem> {
  return fail({ kind: 'refused', sentence });
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
    sentence: `Slack ${why} (${failure.cause}). Herald tries again by itself; if this stays, check the network, SLACK_API_URL, and the proxy of HTTPS_PROXY or HTTP_PROXY, where there is one.`,
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
    case 'link_disabled':
    case 'socket_mode_disabled':
    case 'not_allowed':
      return `Socket Mode is off for this app (${code}). Turn it on under “Socket Mode” in the app\u2019s settings, or leave SLACK_APP_TOKEN empty and set SLACK_SIGNING_SECRET to use HTTP; then start Herald again.`;
    default:
      return `Slack refused SLACK_APP_TOKEN (${code}). ${copy}`;
  }
}

const RETRY_BASE_MS = 500;
/** Even after hours without Slack the next attempt is at most this far away. */
const RETRY_CAP_MS = 30_000;

/** The wait before the connection is tried again: as Slack says, or else ever longer. */
export function retryDelayMs(
  failures: number,
  problem: ConnectionProblem | undefined,
  random: Random,
): number {
  const backOffMs = fullJitterDelayMs(failures, RETRY_BASE_MS, RETRY_CAP_MS, random.fraction());
  return Math.max(problem?.retryAfterMs ?? 0, backOffMs);
}

export interface SignInSettings extends Surroundings {
  /** The bot token must be allowed these. */
  readonly scopes: readonly string[];
  /** The workspace that Herald works for, where the operator has named it. */
  readonly teamId?: string | undefined;
  readonly random: Random;
}

type Connect = () => Promise<Result<void, ConnectionProblem>>;

/** Asks Slack who Herald is, as often as it takes to get an answer, and again while Slack refuses a token that was good. */
export function createSignIn(client: webApi.WebClient, settings: SignInSettings) {
  const { scopes, teamId, clock, random, logger } = settings;
  let identity: Identity | undefined;
  let problem: ConnectionProblem | undefined = {
    kind: 'unreachable',
    sentence: 'Herald has not asked Slack yet.',
  };

  let keepAsking = async (): Promise<void> => {};

  async function attempt(connect: Connect): Promise<void> {
    const answer = await askIdentity(client, scopes, teamId);
    const wasKnown = identity !== undefined;
    // A token that was good may be so again.
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
      await clock.sleep(retryDelayMs(retry + 1, problem, random), stopping);
      if (!stopping.aborted) await attempt(connect);
    }
    if (problem?.kind === 'refused') logger.error({}, problem.sentence);
  }

  return {
    /**
     * Fails only when Slack refuses; when it cannot be reached, trying goes on.
     *
     * @param connect what follows once Slack knows Herald: the socket, where there is one
     */
    start: async (connect: Connect, stopping: AbortSignal): Promise<Result<void, string>> => {
      keepAsking = () => keepTrying(connect, stopping);
      await attempt(connect);
      if (problem?.kind === 'refused') return fail(problem.sentence);
      if (problem !== undefined) void keepAsking();
      return ok(undefined);
    },
    /** Takes in what Slack answered to any call: a token that was good may be refused at any time. */
    heard: (method: string, result: string): void => {
      // A refusal of the app's own token is for the socket, and before the first answer for the start.
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
