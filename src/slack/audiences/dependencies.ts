import type { KnownBlock, ModalView, View } from '@slack/types';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { CountryCode } from '../../messages/numbers/phone-number.ts';
import type { Audiences } from '../../sends/audiences/service.ts';
import type { SlackFiles } from '../kit/files/files.ts';
import type { StateValues } from '../kit/forms/read-state.ts';

export interface AudienceDependencies {
  readonly audiences: Audiences;
  readonly files: SlackFiles;
  readonly defaults: { readonly country: CountryCode };
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface EphemeralMessage {
  readonly response_type: 'ephemeral';
  readonly text: string;
  readonly blocks?: KnownBlock[];
}

/** What a command's handler uses of what Bolt hands it. */
export interface CommandArguments {
  readonly command: { readonly text: string; readonly trigger_id: string; readonly user_id: string };
  readonly ack: (message?: EphemeralMessage) => Promise<void>;
  readonly respond: (message: EphemeralMessage) => Promise<unknown>;
  readonly client: AudienceClient;
}

/** What of Slack's client shows forms and speaks to people. */
interface AudienceClient {
  readonly views: {
    open(request: { trigger_id: string; view: ModalView }): Promise<unknown>;
    update(request: { view_id: string; view: ModalView }): Promise<unknown>;
  };
  readonly chat: {
    postMessage(request: { channel: string; text: string; blocks?: KnownBlock[] }): Promise<unknown>;
  };
}

/** What the handler of a submitted form uses of what Bolt hands it. */
export interface UploadArguments {
  readonly body: {
    readonly user: { readonly id: string };
    readonly view: {
      readonly id: string;
      readonly callback_id: string;
      readonly private_metadata: string;
      readonly state: { readonly values: StateValues };
    };
  };
  readonly ack: (
    answer:
      | { readonly response_action: 'errors'; readonly errors: Record<string, string> }
      | { readonly response_action: 'update'; readonly view: View },
  ) => Promise<void>;
  readonly client: AudienceClient;
}

/** What the handler of a button uses of what Bolt hands it. */
export interface ButtonArguments {
  readonly body: { readonly user: { readonly id: string }; readonly trigger_id: string };
  readonly action: { readonly value?: string };
  readonly ack: () => Promise<void>;
  readonly respond: (message: EphemeralMessage) => Promise<unknown>;
  readonly client: AudienceClient;
}
