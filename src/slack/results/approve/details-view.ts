import type { KnownBlock, ModalView } from '@slack/types';
import { KINDS, kindOf } from '../../../messages/kinds.ts';
import { leftOut } from '../../../sends/bulk/warnings.ts';
import type { Send } from '../../../sends/send.ts';
import { literalMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { olderBlocks } from '../../connection/new-blocks.ts';
import {
  actions,
  button,
  context,
  createRoom,
  factsSection,
  modal,
  section,
  wholeSection,
} from '../../kit/blocks/blocks.ts';
import { exclusionsButton, listTitle } from '../../kit/cards/list-words.ts';
import { shown } from '../../kit/cards/words.ts';
import {
  answerClick,
  NO_SUCH_SEND,
  openForClick,
  readSendValue,
  sendValue,
} from '../../kit/clicks/answering.ts';
import type { ClickHandler } from '../../kit/clicks/arguments.ts';
import { eachText, shownMessage, shownOthers } from '../../kit/decide/body.ts';
import { isShown } from '../../kit/views/view-updates.ts';
import { type ApprovalFacts, changesOf, gatherFacts, recordText, type SendSources } from '../standing.ts';

export const NEXT_ROW_ACTION = 'approval_next_row';

/** A window holds 250,000 bytes; a character takes up to four of them. */
const VIEW_ROOM = 55_000;

export const handleDetails: ClickHandler<SendSources> = async (args, sources) => {
  const facts = await gatherFacts(readSendValue(args.action.value ?? '').sendId, sources);
  if (facts === undefined) return answerClick(args, NO_SUCH_SEND);
  await openForClick(args, detailsView(facts));
};

export const handleNextRow: ClickHandler<SendSources> = async ({ action, body, client }, sources) => {
  const { sendId, more } = readSendValue(action.value ?? '');
  const facts = await gatherFacts(sendId, sources);
  if (facts === undefined || body.view === undefined) return;
  const { id, hash } = body.view;
  await isShown(client, { view_id: id, hash, view: detailsView(facts, Number(more)) }, sources.logger);
};

/** @param at the place in the sample of whoever reads the message */
export function detailsView(facts: ApprovalFacts, at = 0): ModalView {
  const { send, audience, sample, events, before } = facts;
  const room = createRoom(VIEW_ROOM);
  const message = shownMessage(facts, room, { at });
  const others = shownOthers(facts, room);
  const next = (at + 1) % Math.max(1, sample.length);
  const nextRow = `Next row (${next + 1} of ${sample.length})`;
  const blocks: KnownBlock[] = [
    ...message,
    ...(sample.length > 1 ? actions([button(NEXT_ROW_ACTION, nextRow, sendValue(send, String(next)))]) : []),
    ...(room.left() === 0 ? [] : [context(`${room.left()} parts are too long to be shown in Slack at all.`)]),
    shownFacts(facts),
    ...(before === undefined ? [] : changedBlocks(before, facts)),
    ...others,
    wholeSection(`*Left out*\n${literalMrkdwn(leftOut(facts) ?? 'Nobody.', LIMITS.sectionText / 2)}`),
    ...(audience ? actions(exclusionsButton(audience, send.counts.skipped, send.id)) : []),
    wholeSection(recordText(events)),
  ];
  return modal({ title: 'Details', blocks: olderBlocks(blocks, 'window') });
}

function changedBlocks(before: Send, { send }: ApprovalFacts): KnownBlock[] {
  return [
    section(`*Changed since ${before.id}*`),
    ...changesOf(before, send).map(({ name, was, is }) =>
      factsSection([
        { label: `${name}, before`, value: was },
        { label: `${name}, now`, value: is },
      ]),
    ),
  ];
}

function shownFacts({ send, audience, estimate: { segments, exact } }: ApprovalFacts) {
  const inAll = `${exact ? '' : 'about '}${shown(segments?.total ?? 0)} in all`;
  const list = audience ? listTitle(audience) : (send.audience?.label ?? '–');
  const all = [
    { label: 'Kind', value: KINDS[send.kind].title },
    { label: 'List', value: list },
    ...kindOf(send.message)
      .facts(send.message)
      // Counted over the recipients instead: the text as typed says little.
      .filter(({ label }) => label !== 'SMS parts'),
    ...(segments ? [{ label: 'SMS parts', value: `${eachText(segments)} a recipient, ${inAll}` }] : []),
  ];
  return factsSection(all);
}
