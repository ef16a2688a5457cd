import { risksOf } from '../config/risks.ts';
import type { Team } from '../config/team.ts';
import { advice, type Finding, wrong } from '../core/finding.ts';
import { userGroupsOf } from '../sends/alerts/rules.ts';
import { createAskUserGroups } from '../slack/alerts/sight.ts';
import { checkWorkspace, type Mention } from '../slack/check-workspace.ts';
import type { SlackClient } from '../slack/connection/client.ts';
import type { Identity } from '../slack/connection/identity.ts';
import { checkBackups, checkDatabase, usersOnFile } from '../store/check.ts';
import type { Outside, wireConnections } from './connections.ts';

/** Asks Slack about the channels, people and groups that herald.yml names. */
export async function findInWorkspace(
  outside: Outside,
  slack: SlackClient,
  identity: Identity,
): Promise<readonly Finding[]> {
  const { team } = outside.configuration;
  const named = await checkWorkspace(slack, mentionsIn(team), team.approvals, identity, outside);
  return [...named, ...(await findUnreached(outside, slack))];
}

/** Members of user groups whom alerts do not reach, for lack of a number on file. */
async function findUnreached(
  { configuration, logger }: Outside,
  { client }: SlackClient,
): Promise<readonly Finding[]> {
  const { environment, team } = configuration;
  const groups = new Set(team.alerts.rules.flatMap((rule) => userGroupsOf(rule, team.alerts)));
  const known = groups.size === 0 ? undefined : await createAskUserGroups({ client, logger })();
  const onFile = known && (await usersOnFile(environment.DATABASE_URL));
  return [...groups].flatMap((group) => {
    const members = known?.get(group);
    const unknown = `Slack knows no user group ${group}, which rules for alerts notify.`;
    if (known !== undefined && members === undefined) return [wrong(unknown, 'Check its id or handle.')];
    const unreached = (members ?? []).filter((user) => onFile?.has(user) === false);
    if (unreached.length === 0) return [];
    const what = `Alerts to the user group ${group} do not reach ${unreached.join(', ')}: no number is on file.`;
    return [advice(what, 'Let each of them enter one: /herald alerts numbers.')];
  });
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

/** Every id of Slack's that herald.yml names, once for each place. */
function mentionsIn({ access, approvals, webhooks, operators, alerts }: Team): readonly Mention[] {
  const at = (key: string, ids: readonly (string | undefined)[] = [], mustBeIn = false) =>
    ids.flatMap((id) => (id === undefined ? [] : [{ id, key, mustBeIn }]));
  const people = Object.entries(alerts.groups);
  return [
    ...at('approvals.channel', [approvals.channel], true),
    ...at('approvals.approvers', approvals.approvers),
    ...at('webhooks.channel', [webhooks.channel], true),
    ...at('operators', [operators], true),
    ...alerts.rules.flatMap(({ name, channel }) => at(`the rule ${name}`, [channel], true)),
    ...people.flatMap(([name, group]) =>
      at(
        `alerts.groups.${name}`,
        group.map(({ user }) => user),
      ),
    ),
    ...Object.entries(access.send).flatMap(([kind, ids]) => at(`access.send.${kind}`, ids)),
    ...(['templates', 'lists', 'reports', 'audit'] as const).flatMap((key) =>
      at(`access.${key}`, access[key]),
    ),
  ];
}
