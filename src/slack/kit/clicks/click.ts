import type { KnownBlock } from '@slack/types';
import type { Refusal } from '../../../sends/bulk.ts';
import type { Send } from '../../../sends/send.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { truncate } from '../../connection/truncate.ts';
import type { ClickArguments, EphemeralMessage } from './arguments.ts';

/** Who clicked, as the rules of approval want it. */
export function clickerOf({ body }: { readonly body: Pick<ClickArguments['body'], 'user' | 'team'> }): {
  readonly userId: string;
  readonly teamId: string;
} {
  return { userId: body.user.id, teamId: body.user.team_id ?? body.team?.id ?? '' };
}

/** What one person alone sees; `text` is mrkdwn. */
export function ephemeral(text: string, blocks?: KnownBlock[]): EphemeralMessage {
  return { response_type: 'ephemeral', text, ...(blocks && { blocks }) };
}

/** Tells the person who clicked, and nobody else. `text` is mrkdwn. */
export async function answerClick({ respond }: Pick<ClickArguments, 'respond'>, text: string): Promise<void> {
  await respond({ ...ephemeral(text), replace_original: false });
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

/** What a button of a send carries: the send, the digest that its reader saw, and perhaps more, which is cut to fit. */
export function sendValue({ id, digest = '' }: Send, more = ''): string {
  return truncate(`${id}.${digest}${more && `.${more}`}`, LIMITS.buttonValue);
}

export function readSendValue(value: string): {
  readonly sendId: string;
  readonly digest: string;
  readonly more: string;
} {
  const [sendId = '', digest = '', ...more] = value.split('.');
  return { sendId, digest, more: more.join('.') };
}
