import type { webApi } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import type { Surroundings } from '../../core/surroundings.ts';
import type { CountryCode } from '../../messages/numbers/phone-number.ts';
import type { AlertStore } from '../../sends/alerts/ports.ts';
import type { AlertSettings } from '../../sends/alerts/rules.ts';
import type { Alerts } from '../../sends/alerts/service.ts';
import type { ApproverDirectory } from '../../sends/bulk.ts';
import type { Identity } from '../connection/identity.ts';
import type { BotApps } from '../kit/people/bot-apps.ts';

/** What people's commands and forms about alerts need. */
export interface AlertDependencies extends Surroundings {
  readonly alerts: Pick<Alerts, 'acknowledge' | 'mute' | 'ruleStates'>;
  readonly store: Pick<AlertStore, 'decisionsSince' | 'putNumber' | 'removeNumber' | 'numbers'>;
  readonly settings: AlertSettings;
  /** Who may enter the numbers of others, and mute. */
  readonly directory: ApproverDirectory;
  readonly client: Pick<webApi.WebClient, 'conversations' | 'chat'>;
  readonly botApps: BotApps;
  readonly identity: () => Identity | undefined;
  readonly defaultCountry: CountryCode;
  readonly slackClock: Clock;
}
