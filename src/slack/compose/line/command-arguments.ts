import type { ModalView } from '@slack/types';
import type { ViewClient } from '../../kit/views/view-updates.ts';

export interface EphemeralMessage {
  readonly response_type: 'ephemeral';
  readonly text: string;
}

/** What a slash command's handler uses of what Bolt hands it. */
export interface CommandArguments {
  readonly command: {
    readonly text: string;
    readonly trigger_id: string;
    readonly team_id: string;
    readonly user_id: string;
    readonly channel_id: string;
  };
  readonly ack: (message?: EphemeralMessage) => Promise<void>;
  readonly respond: (message: EphemeralMessage) => Promise<unknown>;
  readonly client: CommandClient;
}

export interface CommandClient extends ViewClient {
  readonly views: ViewClient['views'] & {
    open(request: {
      trigger_id: string;
      view: ModalView;
    }): Promise<{ view?: { id?: string; hash?: string } }>;
  };
}
