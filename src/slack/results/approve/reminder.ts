import type { types } from '@slack/bolt';
import type { Approval } from '../../../sends/ports.ts';
import type { Send } from '../../../sends/send.ts';
import { literalMrkdwn } from '../../connection/escape.ts';
import { mention, moment, section } from '../../kit/blocks/blocks.ts';
import type { Card } from '../../kit/cards/send-card.ts';
import { whatSend } from '../../kit/cards/words.ts';

/** Why it waits again, or for more people; nothing where it was only asked for. */
export function whyItWaits({ reason }: Send): types.SectionBlock[] {
  return reason === undefined ? [] : [section(`⚠️ ${literalMrkdwn(`${reason.what} ${reason.next}`, 1500)}`)];
}

/**
 * Says once more that a send waits, below its card and in the channel.
 *
 * @param approvers users and user groups: those are mentioned who can still approve
 */
export function reminderCard(send: Send, approvals: readonly Approval[], approvers: readonly string[]): Card {
  const needed = send.approval?.needed ?? 1;
  const expires = send.approval ? ` It expires ${moment(send.approval.expiresAt)}.` : '';
  const why = send.reason ? ` ${literalMrkdwn(send.reason.what, 1500)}` : '';
  const done = new Set([send.origin.userId, ...approvals.map(({ userId }) => userId)]);
  const asked = approvers.filter((id) => !done.has(id)).map((id) => `${mention(id)} `);
  const sentence = `⏰ ${asked.join('')}${whatSend(send)} still waits: ${approvals.length} of ${needed} approvals.${why}${expires}`;
  return { text: sentence, blocks: [section(sentence)] };
}
