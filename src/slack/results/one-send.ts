import type { Send } from '../../sends/send.ts';
import { actions, menu, section, wholeSection } from '../kit/blocks/blocks.ts';
import { likeThisChoices } from '../kit/cards/again-buttons.ts';
import { type Card, renderCard } from '../kit/cards/send-card.ts';
import { templateOf } from '../kit/cards/template-of.ts';
import { BEGUN } from '../kit/cards/words.ts';
import { approvalCard, EDITABLE, editAgainButton } from './approve/card.ts';
import { cancelButton, progressCard } from './progress/card.ts';
import { endedCard } from './progress/ended-card.ts';
import { factsOf, gatherEnded, gatherProgress, hasEnded, recordText, type SendSources } from './standing.ts';

/** One send in full: what is known of it, its record, and the buttons that fit its state. Undefined when there is none. */
export async function oneSend(
  sendId: string,
  userId: string,
  sources: SendSources,
): Promise<Card | undefined> {
  const send = await sources.store.find(sendId);
  if (send === undefined) return undefined;
  const events = await sources.store.events(sendId);
  const card = send.audience === undefined ? await single(send, sources) : await bulk(send, userId, sources);
  return { text: card.text, blocks: [...card.blocks, wholeSection(recordText(events))] };
}

async function single(send: Send, { store, catalogue, logger, answers }: SendSources): Promise<Card> {
  const [recipient] = await store.recipients(send.id, -1, 1);
  if (recipient === undefined) return { text: send.id, blocks: [section(send.id)] };
  const template = await templateOf(send, catalogue, logger);
  const given = await answers.summary(send.id);
  return renderCard({ send, recipient }, template, {
    direct: false,
    answers: given,
    retries: await store.retriesOf(send.id),
    inFull: true,
  });
}

/** Before it has started what is asked for matters; afterwards how far it is, or what became of it. */
async function bulk(send: Send, userId: string, sources: SendSources): Promise<Card> {
  const asked = approvalCard(await factsOf(send, sources), 'record');
  const isUnderWay = BEGUN.has(send.state) && !hasEnded(send);
  const progress = isUnderWay ? progressCard(await gatherProgress(send, sources)) : undefined;
  const how = hasEnded(send) ? endedCard(await gatherEnded(send, sources)) : progress;
  return {
    text: (how ?? asked).text,
    blocks: [
      ...(how?.blocks ?? []),
      ...asked.blocks,
      ...(hasEnded(send) ? [] : actions(extraButtons(send, userId))),
    ],
  };
}

/** Buttons that neither the approval card nor the progress message has. */
function extraButtons(send: Send, userId: string) {
  const mine = send.origin.userId === userId;
  const waits = ['awaiting_approval', 'approved', 'scheduled'].includes(send.state);
  const isEditable = EDITABLE.has(send.state) && send.state !== 'awaiting_approval';
  return [
    ...(mine && waits ? [cancelButton(send)] : []),
    ...(mine && isEditable && send.retryOf === undefined ? [editAgainButton(send)] : []),
    menu(...likeThisChoices(send)),
  ];
}
