import type { Clock } from '../core/clock.ts';
import { onCallAt } from '../sends/alerts/on-call.ts';
import type { AlertStore } from '../sends/alerts/ports.ts';
import type { AlertSettings } from '../sends/alerts/rules.ts';
import { createAlertIntake } from '../slack/alerts/intake.ts';
import type { OnCallGroups, SlackServices } from '../slack/kit/services.ts';

/** What keeps the messages of alert channels before Slack hears that they arrived. */
export function alertIntake(services: SlackServices) {
  const { rules } = services.alertSettings;
  return createAlertIntake({
    ...services,
    channels: new Set(rules.map(({ channel }) => channel)),
    botChannels: new Set(rules.filter(({ from }) => from.apps ?? from.names).map(({ channel }) => channel)),
    receive: services.alerts.receive,
  });
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
