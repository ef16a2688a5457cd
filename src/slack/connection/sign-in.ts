import type { webApi } from '@slack/bolt';
import { type Clock, fullJitterDelayMs } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Random } from '../../core/random.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { TOKEN_REFUSED } from './counted-errors.ts';
import { askIdentity, botTokenRefused, type ConnectionProblem, type Identity } from './identity.ts';

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
