import type { AnyBlock, KnownBlock, ModalView, View } from '@slack/types';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Templates } from '../../sends/templates/service.ts';
import type { SlackFiles } from '../kit/files/files.ts';
import type { StateValues } from '../kit/forms/read-state.ts';
import type { TemplateAccess } from '../kit/people/access.ts';
import type { Names } from '../kit/people/names.ts';
import type { ViewUpdates } from '../kit/views/view-updates.ts';

export interface TemplatesDependencies {
  readonly templates: Templates;
  readonly access: TemplateAccess;
  readonly names: Names;
  readonly files: Pick<SlackFiles, 'download' | 'sendTo'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What the handlers work with; `registerTemplates` makes it once. */
export interface Catalogue extends TemplatesDependencies {
  readonly views: ViewUpdates;
}

/** What of Slack's client shows the catalogue and speaks to people. */
export interface CatalogueClient {
  readonly views: {
    open(request: { trigger_id: string; view: ModalView }): Promise<unknown>;
    push(request: { trigger_id: string; view: ModalView }): Promise<unknown>;
    update(request: {
      view_id: string;
      hash?: string;
      view: ModalView;
    }): Promise<{ view?: { hash?: string } }>;
  };
  readonly chat: {
    postMessage(request: { channel: string; text: string; blocks?: KnownBlock[] }): Promise<unknown>;
  };
}

interface EphemeralMessage {
  readonly response_type: 'ephemeral';
  readonly replace_original?: false;
  readonly text: string;
}

/** What the command's handler uses of what Bolt hands it. */
export interface CommandArguments {
  readonly command: {
    readonly text: string;
    readonly trigger_id: string;
    readonly user_id: string;
    readonly channel_id: string;
  };
  readonly ack: (message?: EphemeralMessage) => Promise<void>;
  readonly respond: (message: EphemeralMessage) => Promise<unknown>;
  readonly client: CatalogueClient;
}

/** A view of the catalogue, as Slack sends it along with what somebody did in it. */
export interface CatalogueView {
  readonly id: string;
  readonly hash: string;
  readonly callback_id: string;
  readonly private_metadata: string;
  readonly previous_view_id: string | null;
  readonly state: { readonly values: StateValues };
  readonly blocks: readonly AnyBlock[];
}

/** What the handler of a button, a menu or an input uses of what Bolt hands it. */
export interface ClickArguments {
  readonly body: {
    readonly user: { readonly id: string };
    readonly trigger_id: string;
    /** Where it was clicked: a view, or a message in a channel. */
    readonly view?: CatalogueView | undefined;
    readonly channel?: { readonly id: string } | undefined;
  };
  readonly action: { readonly value?: string; readonly action_ts: string };
  readonly ack: () => Promise<void>;
  /** Only for what was clicked in a message. */
  readonly respond: (message: EphemeralMessage) => Promise<unknown>;
  readonly client: CatalogueClient;
}

/** What the handler of a submitted view uses of what Bolt hands it. */
export interface SubmitArguments {
  readonly body: { readonly user: { readonly id: string }; readonly view: CatalogueView };
  readonly ack: (
    answer?:
      | { readonly response_action: 'errors'; readonly errors: Record<string, string> }
      | { readonly response_action: 'update'; readonly view: View },
  ) => Promise<void>;
  readonly client: CatalogueClient;
}
