import { risksOf } from '../config/risks.ts';
import type { Finding } from '../core/finding.ts';
import { checkWorkspace } from '../slack/check-workspace.ts';
import type { SlackClient } from '../slack/connection/client.ts';
import type { Identity } from '../slack/connection/identity.ts';
import { checkBackups, checkDatabase } from '../store/check.ts';
import type { Outside, wireConnections } from './connections.ts';
import { mentionsIn } from './mentions.ts';

/** What Slack knows of what herald.yml names. */
export function findInWorkspace(
  outside: Outside,
  slack: SlackClient,
  identity: Identity,
): Promise<readonly Finding[]> {
  const { team } = outside.configuration;
  return checkWorkspace({ ...outside, slack, mentions: mentionsIn(team), policy: team.approvals }, identity);
}

interface Started extends Outside, Pick<ReturnType<typeof wireConnections>, 'slackClient' | 'gateway'> {
  readonly stopping: AbortSignal;
}

/** Says in the log what `doctor` would, of a Herald that has started. Never rejects. */
export async function logFindings(started: Started): Promise<void> {
  const { configuration, slackClient, gateway, clock, logger, stopping } = started;
  const { environment, team } = configuration;
  const identity = slackClient.identity();
  const looks: readonly (() => readonly Finding[] | Promise<readonly Finding[]>)[] = [
    () => risksOf(configuration),
    // That the server answers is known by now.
    () => checkDatabase(environment.DATABASE_URL, true),
    () => checkBackups(environment.DATABASE_URL, team.backup, clock.now()),
    () => gateway.reach(),
    () => (identity === undefined ? [] : findInWorkspace(started, slackClient, identity)),
  ];
  try {
    for (const look of looks) {
      const findings = await look();
      if (stopping.aborted) return;
      for (const { weight, what, fix } of findings)
        logger[weight === 'wrong' ? 'warn' : 'info']({ fix }, what);
    }
  } catch (error) {
    logger.warn({ error }, 'what doctor looks at could not be looked at');
  }
}
