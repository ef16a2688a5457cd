import type { webApi } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import type { StoppableSurroundings } from '../../core/surroundings.ts';
import type { CountryCode, Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Senders } from '../../messages/senders.ts';
import type { ServiceTerms } from '../../messages/service-terms.ts';
import type { AlertStore } from '../../sends/alerts/ports.ts';
import type { AlertSettings } from '../../sends/alerts/rules.ts';
import type { Alerts } from '../../sends/alerts/service.ts';
import type { AudienceStore } from '../../sends/audience.ts';
import type { Audiences } from '../../sends/audiences/service.ts';
import type { ApproverDirectory, BulkSends } from '../../sends/bulk.ts';
import type { DraftStore } from '../../sends/drafts.ts';
import type { Pacing, Prices } from '../../sends/estimate.ts';
import type { Notes } from '../../sends/notes.ts';
import type { SendReader, SendWriter, TemplateCatalogue } from '../../sends/ports.ts';
import type { QuietHoursByCountry } from '../../sends/quiet-hours.ts';
import type { ConversationStore } from '../../sends/replies/ports.ts';
import type { SendService } from '../../sends/service.ts';
import type { Templates } from '../../sends/templates/service.ts';
import type { Identity } from '../connection/identity.ts';
import type { Answers } from './cards/answers.ts';
import type { SpeedOf } from './cards/speed.ts';
import type { SlackFiles } from './files/files.ts';
import type { Access } from './people/access.ts';
import type { BotApps } from './people/bot-apps.ts';
import type { Names, Standings } from './people/people.ts';
import type { LinkTo } from './posting/links.ts';

/**
 * All that handlers work with, made once by `wiring/handlers.ts`. What a handler or a feature uses of it is named by its keys:
 * `Pick<SlackServices, 'audiences' | 'files'>`.
 */
export interface SlackServices extends StoppableSurroundings {
  // Slack.
  readonly client: webApi.WebClient;
  /** What Slack dates is compared with this one. */
  readonly slackClock: Clock;
  /** Who Herald is; undefined until Slack has said so. */
  readonly identity: () => Identity | undefined;
  readonly access: Access;
  readonly directory: ApproverDirectory;
  readonly standings: Standings;
  readonly names: Names;
  /** Where a person's day begins and ends: an IANA name. */
  readonly timeZoneOf: (userId: string) => Promise<string>;
  readonly botApps: BotApps;
  readonly files: SlackFiles;
  readonly linkTo: LinkTo;

  // What is done.
  readonly sends: SendService;
  readonly bulkSends: BulkSends;
  readonly speedOf: SpeedOf;
  readonly audiences: Audiences;
  readonly templates: Templates;
  readonly catalogue: TemplateCatalogue;
  readonly alerts: Alerts;

  // What is on record.
  /** Of sends. */
  readonly store: SendReader & Pick<SendWriter, 'recordOnce'>;
  readonly answers: Answers;
  readonly conversations: ConversationStore;
  readonly optOuts: Pick<AudienceStore, 'optOutRemovals'>;
  readonly drafts: DraftStore;
  readonly notes: Notes;
  readonly alertStore: AlertStore;
  /** Rules for alerts that see nothing, a line of mrkdwn each. */
  readonly unseenRules: () => Promise<readonly string[]>;

  // What herald.yml says.
  readonly defaults: { readonly country: CountryCode; readonly campaignName?: string };
  readonly senders: Senders;
  /** As `wire:` has them. */
  readonly terms?: ServiceTerms;
  /** More recipients than `over` wait for an approval, asked for in `channel`. */
  readonly approvals: { readonly over: number; readonly channel?: string | undefined };
  readonly cardSettings: CardSettings;
  readonly alertSettings: AlertSettings;
  readonly groups: OnCallGroups;
}

/** What a card goes by. */
export interface CardSettings {
  readonly prices: Prices | undefined;
  readonly pacing: Pacing;
  readonly quietHours: QuietHoursByCountry;
  /** Users and user groups, who are mentioned on the card. */
  readonly approvers: readonly string[];
}

/** The groups of `alerts`. */
export interface OnCallGroups {
  readonly names: readonly string[];
  /** Numbers of those who are on call now. */
  numbersOf(group: string): Promise<readonly Msisdn[]>;
  /** A message to more of them than this waits for approval. */
  readonly approvalOver: number;
}

/** What sending to many takes. */
export type BulkDependencies = Pick<SlackServices, 'audiences' | 'bulkSends' | 'files' | 'approvals'>;

/** What every way to send takes, by form, by line and by workflow. */
export type SendingDependencies = BulkDependencies &
  Pick<SlackServices, 'catalogue' | 'senders' | 'terms' | 'defaults' | 'access' | 'clock' | 'logger'>;
