import type { StoppableSurroundings } from '../../core/surroundings.ts';
import type { CountryCode, Msisdn } from '../../messages/numbers/phone-number.ts';
import type { Senders } from '../../messages/senders.ts';
import type { ServiceTerms } from '../../messages/service-terms.ts';
import type { FreeText } from '../../messages/sms/free-text.ts';
import type { AlertStore } from '../../sends/alerts/ports.ts';
import type { AlertSettings } from '../../sends/alerts/rules.ts';
import type { Alerts } from '../../sends/alerts/service.ts';
import type { AudienceStore } from '../../sends/audience.ts';
import type { Audiences } from '../../sends/audiences/service.ts';
import type { BulkSends } from '../../sends/bulk/service.ts';
import type { ApproverDirectory } from '../../sends/bulk.ts';
import type { DraftStore } from '../../sends/drafts.ts';
import type { Pacing } from '../../sends/estimate.ts';
import type { CheckMedia } from '../../sends/media.ts';
import type { Notes } from '../../sends/notes.ts';
import type { SendReader, SendWriter, TemplateCatalogue } from '../../sends/ports.ts';
import type { QuietHoursByCountry } from '../../sends/quiet-hours.ts';
import type { ConversationStore } from '../../sends/replies/ports.ts';
import type { SendService } from '../../sends/service.ts';
import type { Prices } from '../../sends/settings.ts';
import type { Templates } from '../../sends/templates/service.ts';
import type { SlackClient } from '../connection/client.ts';
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
export interface SlackServices
  extends StoppableSurroundings,
    Pick<SlackClient, 'client' | 'slackClock' | 'identity'> {
  // Slack.
  readonly access: Access;
  readonly directory: ApproverDirectory;
  readonly standings: Standings;
  readonly names: Names;
  /** The time zone by which a person's day begins and ends: an IANA name. */
  readonly timeZoneOf: (userId: string) => Promise<string>;
  readonly botApps: BotApps;
  readonly files: SlackFiles;
  readonly linkTo: LinkTo;

  // Services that act.
  readonly sends: SendService;
  readonly bulkSends: BulkSends;
  readonly speedOf: SpeedOf;
  readonly audiences: Audiences;
  readonly templates: Templates;
  readonly catalogue: TemplateCatalogue;
  readonly alerts: Alerts;

  // Stores that are read.
  readonly store: SendReader & Pick<SendWriter, 'recordOnce'>;
  readonly answers: Answers;
  readonly conversations: ConversationStore;
  readonly optOuts: Pick<AudienceStore, 'optOutRemovals' | 'optedOut'>;
  readonly drafts: DraftStore;
  readonly notes: Notes;
  readonly alertStore: AlertStore;
  /** Rules for alerts that see nothing, a line of mrkdwn each. */
  readonly unseenRules: () => Promise<readonly string[]>;

  // Settings of herald.yml.
  readonly defaults: {
    readonly country: CountryCode;
    readonly campaignName?: string;
    readonly freeText?: FreeText;
    /** The button of a text for the chat app. */
    readonly answerButton?: string;
  };
  readonly senders: Senders;
  /** The terms under `wire:`. */
  readonly terms?: ServiceTerms;
  /** More recipients than `over` wait for an approval, asked for in `channel`. */
  readonly approvals: { readonly over: number; readonly channel?: string | undefined };
  readonly cardSettings: CardSettings;
  readonly alertSettings: AlertSettings;
  /** The groups of `alerts`. */
  readonly groups: {
    readonly names: readonly string[];
    /** Numbers of those who are on call now. */
    numbersOf(group: string): Promise<readonly Msisdn[]>;
    /** A message to more of them than this waits for approval. */
    readonly approvalOver: number;
  };
  readonly checkMedia: CheckMedia;
}

export interface CardSettings {
  readonly prices: Prices | undefined;
  readonly pacing: Pacing;
  readonly quietHours: QuietHoursByCountry;
  /** What becomes of an SMS without a template; absent: it is allowed. */
  readonly freeText?: FreeText;
  /** Users and user groups, who are mentioned on the card. */
  readonly approvers: readonly string[];
}
