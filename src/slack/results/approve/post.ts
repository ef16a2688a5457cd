import type { Send } from '../../../sends/send.ts';
import { BEGUN } from '../../kit/cards/words.ts';
import type { Renderer } from '../../kit/posting/outbox.ts';
import { linksOf, marked, type PostSources } from '../post-sources.ts';
import { approvalCard, approvalMark } from './card.ts';
import { gatherFacts } from './facts.ts';
import { reminderCard } from './reminder.ts';

/** Once a send has begun, nothing of its card is urgent. */
const REST_MS = 5_000;

/** The card by which a send is approved, whatever has become of it. */
export function renderApproval(sources: PostSources): Renderer {
  const { approvalChannel } = sources;
  return async ({ subject: id }) => {
    const facts = await gatherFacts(id, sources);
    if (facts?.send.approval === undefined) return 'nothing';
    const { send } = facts;
    const { userId, channelId: origin } = send.origin;
    const channelId = approvalChannel ?? origin;
    const linked = await linksOf(send, ['Progress', 'Report'], sources);
    return {
      markInMessage: approvalMark(id),
      channelId,
      ...(channelId === origin ? {} : { elsewhere: origin }),
      userId,
      ...(BEGUN.has(send.state) && { restMs: REST_MS }),
      render: ({ direct }) => linked(approvalCard(facts, { missing: direct ? channelId : undefined })),
    };
  };
}

/** Below the card, for everybody in the channel: once, while it still waits. */
export function renderReminder(sources: PostSources): Renderer {
  const { store, cardSettings } = sources;
  return async ({ mark, subject: id, place }) => {
    const send = await store.find(id);
    const root = send?.approval?.card;
    if (place !== undefined || root === undefined || !waits(send)) return 'nothing';
    const card = reminderCard(send, await store.approvals(id), cardSettings.approvers);
    const linked = await linksOf(send, ['Approval'], sources);
    return {
      channelId: root.channelId,
      threadTs: root.ts,
      broadcast: true,
      userId: send.origin.userId,
      render: () => linked(marked(card, mark)),
    };
  };
}

function waits(send: Send | undefined): send is Send {
  return send?.state === 'awaiting_approval';
}
