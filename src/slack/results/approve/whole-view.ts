import type { ModalView } from '@slack/types';
import { modal } from '../../kit/blocks/modal.ts';
import { context } from '../../kit/blocks/mrkdwn.ts';
import { createRoom } from '../../kit/blocks/room.ts';
import { templateOf } from '../../kit/cards/template-of.ts';
import type { ClickArguments } from '../../kit/clicks/arguments.ts';
import { answerClick, NO_SUCH_SEND, readSendValue } from '../../kit/clicks/click.ts';
import { openForClick } from '../../kit/clicks/open-modal.ts';
import type { Approving } from './dependencies.ts';
import { sampleOf } from './facts.ts';
import { type ShownFacts, shownMessage, shownOthers } from './shown.ts';

/** Of a window's 250,000 bytes; a character takes up to four of them. */
const VIEW_ROOM = 55_000;

/** Shows all that is sent, where the card had no room for it. */
export async function handleWhole(
  args: ClickArguments,
  { store, catalogue, logger }: Approving,
): Promise<void> {
  await args.ack();
  const send = await store.find(readSendValue(args.action.value ?? '').sendId);
  if (send === undefined) return answerClick(args, NO_SUCH_SEND);
  const [template, sample] = await Promise.all([templateOf(send, catalogue, logger), sampleOf(send, store)]);
  await openForClick(args, wholeView({ send, template, sample }));
}

export function wholeView(facts: ShownFacts): ModalView {
  const room = createRoom(VIEW_ROOM);
  const blocks = [...shownMessage(facts, room), ...shownOthers(facts, room)];
  const left =
    room.left() === 0 ? [] : [context(`${room.left()} parts are too long to be shown in Slack at all.`)];
  return modal({ title: 'All of it', blocks: [...blocks, ...left] });
}
