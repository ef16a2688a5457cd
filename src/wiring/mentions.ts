import type { Team } from '../config/team.ts';
import type { Mention } from '../slack/check-workspace.ts';

/** Every id of Slack's that herald.yml names, once for each place. */
export function mentionsIn({ access, approvals, webhooks, operators, alerts }: Team): readonly Mention[] {
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
