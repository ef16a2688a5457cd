import type { KnownBlock } from '@slack/types';
import type { SendReader } from '../../sends/ports.ts';
import type { Send } from '../../sends/send.ts';
import { actions, button, section } from '../kit/blocks/blocks.ts';
import { likeThisButtons } from '../kit/cards/again-buttons.ts';
import type { Answers } from '../kit/cards/answers.ts';
import { renderCard } from '../kit/cards/send-card.ts';
import type { SpeedOf } from '../kit/cards/speed.ts';
import { templateOf } from '../kit/cards/template-of.ts';
import { BEGUN } from '../kit/cards/words.ts';
import { approvalCard, EDITABLE, editAgainButton } from './approve/card.ts';
import { type FactSources, gatherFacts } from './approve/facts.ts';
import { cancelButton, progressCard, unknownButtons } from './progress/card.ts';
import { REPORT_ACTION } from './progress/report.ts';
import { isTriedAgain } from './progress/retry-buttons.ts';
import { recordText } from './record-text.ts';

export interface OneSendSources extends FactSources {
  readonly store: FactSources['store'] & Pick<SendReader, 'retriesOf'>;
  readonly speedOf: SpeedOf;
  readonly answers: Answers;
}

interface SendMessage {
  readonly text: string;
  readonly blocks: KnownBlock[];
}

/** One send in full: what is known of it, its record, and the buttons that fit its state. Undefined when there is none. */
export async function oneSend(
  sendId: string,
  userId: string,
  sources: OneSendSources,
): Promise<SendMessage | undefined> {
  const send = await sources.store.find(sendId);
  if (send === undefined) return undefined;
  const events = await sources.store.events(sendId);
  const told = send.audience === undefined ? await single(send, sources) : await bulk(send, userId, sources);
  return { text: told.text, blocks: [...told.blocks, section(recordText(events))] };
}

async function single(
  send: Send,
  { store, catalogue, logger, answers }: OneSendSources,
): Promise<SendMessage> {
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

/** Before it has started what is asked for matters; afterwards how far it is. */
async function bulk(send: Send, userId: string, sources: OneSendSources): Promise<SendMessage> {
  const { store, speedOf } = sources;
  const facts = await gatherFacts(send.id, sources);
  const started = BEGUN.has(send.state);
  const asked = facts && approvalCard(facts, { beside: 'record' });
  const failures = await store.failures(send.id);
  const given = started ? await sources.answers.summary(send.id) : undefined;
  const retries = await store.retriesOf(send.id);
  const how = progressCard({ send, failures, retries, ...speedOf(send) }, facts?.template, undefined, given);
  return {
    text: started || asked === undefined ? how.text : asked.text,
    blocks: [
      ...(started ? how.blocks : []),
      ...(asked?.blocks ?? []),
      ...actions(extraButtons(send, userId, retries)),
    ],
  };
}

/** Buttons that neither the approval card nor the progress message has. */
function extraButtons(send: Send, userId: string, retries: readonly Send[]) {
  const mine = send.origin.userId === userId;
  const ended = send.state === 'done' || send.state === 'stopped';
  const waits = ['awaiting_approval', 'approved', 'scheduled'].includes(send.state);
  return [
    ...(mine && waits ? [cancelButton(send)] : []),
    ...(ended ? [] : likeThisButtons(send)),
    ...(mine && EDITABLE.has(send.state) && send.retryOf === undefined ? [editAgainButton(send)] : []),
    ...(ended && send.counts.unknown > 0 && !isTriedAgain(retries, 'unknown')
      ? unknownButtons(send, send.counts.unknown).slice(0, 1)
      : []),
    // While it goes on the report would change as it is read.
    ...(ended ? [button(REPORT_ACTION, 'Send me the report', send.id)] : []),
  ];
}
