import type { KnownBlock, ModalView } from '@slack/types';
import type { Refusal } from '../../../sends/bulk.ts';
import type { Send } from '../../../sends/send.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';

/** What Slack's client is used for by who answers a click. */
export interface ClickClient {
  readonly views: {
    open(request: { trigger_id: string; view: ModalView }): Promise<unknown>;
  };
  readonly chat: {
    postEphemeral(request: { channel: string; user: string; text: string }): Promise<unknown>;
    postMessage(request: { channel: string; text: string; blocks?: KnownBlock[] }): Promise<{
      readonly channel?: string | undefined;
      readonly ts?: string | undefined;
    }>;
  };
}

/** What the handler of a button of a send uses of what Bolt hands it. */
export interface SendClick {
  readonly body: {
    readonly user: { readonly id: string; readonly team_id?: string | undefined };
    readonly team: { readonly id: string } | null;
    readonly channel?: { readonly id: string } | undefined;
    readonly trigger_id: string;
  };
  readonly action: { readonly value?: string };
  readonly ack: () => Promise<void>;
  readonly respond: (answer: {
    readonly response_type?: 'ephemeral';
    readonly replace_original: boolean;
    readonly text: string;
    readonly blocks?: KnownBlock[];
  }) => Promise<unknown>;
  readonly client: ClickClient;
}

/** Who clicked, as the rules of approval want it. */
export function clickerOf({ body }: { readonly body: Pick<SendClick['body'], 'user' | 'team'> }): {
  readonly userId: string;
  readonly teamId: string;
} {
  return { userId: body.user.id, teamId: body.user.team_id ?? body.team?.id ?? '' };
}

/** Tells the person who clicked, and nobody else. `text` is mrkdwn. */
export async function answerClick({ respond }: Pick<SendClick, 'respond'>, text: string): Promise<void> {
  await respond({ response_type: 'ephemeral', replace_original: false, text });
}

/** A refusal in whole sentences, as mrkdwn in which people are named. */
export function refusalText({ what, next }: Pick<Refusal, 'what' | 'next'>): string {
  const escaped = escapeMrkdwn(`${what} ${next}`, LIMITS.sectionText);
  return escaped.replaceAll(/&lt;(@[UW][A-Z0-9]+)&gt;/g, '<$1>');
}

export function isRefusal(result: Send | Refusal): result is Refusal {
  return result.state === 'refused';
}

export const NO_SUCH_SEND = 'There is no such send any more.';
