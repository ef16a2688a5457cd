import type { Clock } from '../core/clock.ts';
import { onCallAt } from '../sends/alerts/plan.ts';
import type { AlertStore } from '../sends/alerts/ports.ts';
import type { AlertSettings } from '../sends/alerts/rules.ts';
import { handleAlertsCommand } from '../slack/alerts/alerts-command.ts';
import type { AlertDependencies } from '../slack/alerts/dependencies.ts';
import { alertsFeature } from '../slack/alerts/feature.ts';
import { createAlertIntake } from '../slack/alerts/intake.ts';
import type { OnCallGroups } from '../slack/compose/dependencies.ts';
import type { CommandArguments } from '../slack/kit/clicks/arguments.ts';
import type { AddFeature } from '../slack/kit/feature/register.ts';
import type { Services } from './services.ts';

/** What keeps the messages of alert channels before Slack hears that they arrived. */
export function alertIntake(
  { alertSettings: { rules }, ...services }: Services,
  clocks: Pick<AlertDependencies, 'clock' | 'slackClock'>,
) {
  return createAlertIntake({
    ...services,
    channels: new Set(rules.map(({ channel }) => channel)),
    botChannels: new Set(rules.filter(({ from }) => from.apps ?? from.names).map(({ channel }) => channel)),
    receive: services.alerts.receive,
    ...clocks,
  });
}

/** Adds the buttons and forms of alerts, and returns what answers `/herald alerts`. */
export function registerAlerts(add: AddFeature, dependencies: AlertDependencies) {
  add(alertsFeature, dependencies);
  return (args: CommandArguments) => handleAlertsCommand(args, dependencies);
}

/** Who can be reached by the name of a group. */
export function onCallGroups(
  settings: AlertSettings,
  alertStore: Pick<AlertStore, 'numbers'>,
  clock: Clock,
): OnCallGroups {
  return {
    names: Object.keys(settings.groups),
    approvalOver: settings.approvalOver,
    numbersOf: async (group) => {
      const onFile = await alertStore.numbers();
      const numbers = new Map(onFile.map(({ userId, number }) => [userId, number]));
      return onCallAt([group], settings, numbers, clock.now()).people.map(({ number }) => number);
    },
  };
}
