import type { Configuration } from '../config/load.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { AlertEvent } from '../sends/alerts/alert.ts';
import { onCallAt } from '../sends/alerts/on-call.ts';
import type { AlertStore } from '../sends/alerts/ports.ts';
import type { AlertSettings } from '../sends/alerts/rules.ts';
import { type Alerts, type AlertsDependencies, createAlerts } from '../sends/alerts/service.ts';
import type { ApproverDirectory } from '../sends/bulk.ts';
import type { Announcer, SendStore } from '../sends/ports.ts';
import { registerAlertActions } from '../slack/alerts/actions.ts';
import { handleAlertsCommand, registerAlertRules } from '../slack/alerts/alerts-command.ts';
import { createAlertAnnouncer } from '../slack/alerts/announcer.ts';
import type { BotApps } from '../slack/alerts/bot-apps.ts';
import { createAlertIntake } from '../slack/alerts/intake.ts';
import { registerNumbersView } from '../slack/alerts/numbers-view.ts';
import type { SlackApp } from '../slack/app.ts';
import type { OnCallGroups } from '../slack/compose/dependencies.ts';
import type { Names } from '../slack/kit/people/names.ts';
import { createPlacing } from '../slack/kit/posting/placing.ts';
import type { Metrics } from '../telemetry/metrics.ts';

interface AlertWiring
  extends Pick<
    AlertsDependencies,
    'sends' | 'bulkSends' | 'audiences' | 'inputs' | 'clock' | 'logger' | 'stopping'
  > {
  readonly configuration: Configuration;
  readonly store: SendStore;
  readonly alertStore: AlertStore;
  readonly client: SlackApp['client'];
  readonly identity: SlackApp['identity'];
  readonly metrics: Metrics;
}

/** From what is posted in alert channels to phones, and back to the threads. */
export function wireAlerts(dependencies: AlertWiring): Alerts {
  const { configuration, store, alertStore, identity } = dependencies;
  return createAlerts({
    ...dependencies,
    store: alertStore,
    sendStore: store,
    settings: alertSettings(configuration),
    herald: () => {
      const known = identity();
      return known && { teamId: known.teamId, userId: known.botUserId };
    },
    announcer: createAlertAnnouncer({ identity, placing: createPlacing(dependencies) }),
  });
}

/** `alerts` of herald.yml, with what it leaves to other sections. */
function alertSettings({ team }: Configuration): AlertSettings {
  const { alerts, defaults, senders } = team;
  const { timezone = defaults.timezone, sender: wanted } = alerts;
  return {
    ...alerts,
    timezone,
    sender: wanted === undefined ? senders.sms[0] : senders.sms.find(({ id }) => id === wanted),
  };
}

/** What is told of a send: of one for an alert in the alert's card, of any other as ever. */
export function announcerFor(alerts: () => Alerts, other: Announcer): Announcer {
  return {
    announce: (report) =>
      report.send.origin.alert === undefined ? other.announce(report) : alerts().announcer.announce(report),
  };
}

/** What keeps the messages of alert channels before Slack hears that they arrived. */
export function alertIntake(
  configuration: Configuration,
  alerts: () => Alerts,
  names: () => Names,
  botApps: () => BotApps,
  clock: Clock,
) {
  const { rules } = configuration.team.alerts;
  const channels = new Set(rules.map(({ channel }) => channel));
  const appChannels = new Set(
    rules.filter(({ from }) => from.apps !== undefined).map(({ channel }) => channel),
  );
  const receive = (event: AlertEvent) => alerts().receive(event);
  return createAlertIntake({ channels, appChannels, receive, names, botApps, clock });
}

interface AlertHandlers {
  readonly configuration: Configuration;
  readonly alertStore: AlertStore;
  readonly services: {
    readonly alerts: Alerts;
    readonly directory: ApproverDirectory;
    readonly botApps: BotApps;
  };
  readonly client: SlackApp['client'];
  readonly identity: SlackApp['identity'];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Adds the buttons and forms of alerts, and returns what answers `/herald alerts`. */
export function registerAlerts(
  app: Parameters<typeof registerAlertRules>[0],
  { configuration, alertStore, services, ...rest }: AlertHandlers,
) {
  const dependencies = {
    ...rest,
    ...services,
    store: alertStore,
    settings: alertSettings(configuration),
    defaultCountry: configuration.team.defaults.country,
  };
  registerAlertActions(app, services.alerts);
  registerAlertRules(app, dependencies);
  registerNumbersView(app, dependencies);
  return (args: Parameters<typeof handleAlertsCommand>[0]) => handleAlertsCommand(args, dependencies);
}

/** Who can be reached by the name of a group. */
export function onCallGroups(
  configuration: Configuration,
  alertStore: Pick<AlertStore, 'numbers'>,
  clock: Clock,
): OnCallGroups {
  const settings = alertSettings(configuration);
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
