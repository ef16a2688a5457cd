import type { types } from '@slack/bolt';
import { campaignOf } from '../../../messages/kinds.ts';
import { leftOut, recipientsOf, startText } from '../../../sends/bulk/warnings.ts';
import type { Approval } from '../../../sends/ports.ts';
import { isWithdrawn, type Send } from '../../../sends/send.ts';
import { escapeMrkdwn, literalMrkdwn } from '../../connection/escape.ts';
import { truncate } from '../../connection/limits.ts';
import { olderBlocks } from '../../connection/new-blocks.ts';
import {
  actions,
  button,
  context,
  createRoom,
  mention,
  menu,
  moment,
  section,
  wholeSection,
} from '../../kit/blocks/blocks.ts';
import type { Card } from '../../kit/cards/send-card.ts';
import {
  actorOf,
  approversOf,
  BEGUN,
  givenBy,
  inShort,
  lastInto,
  people,
  repeatLines,
  shown,
  stateOf,
  whatSend,
} from '../../kit/cards/words.ts';
import { sendValue } from '../../kit/clicks/answering.ts';
import { askedBy, decisionBlocks } from '../../kit/decide/body.ts';
import { type ApprovalFacts, changesOf, type Standing, stillAsked } from '../standing.ts';

export const APPROVE_ACTION = 'approval_approve';
export const REJECT_ACTION = 'approval_reject';
export const EDIT_ACTION = 'approval_edit';
export const TEST_ACTION = 'approval_test';
export const DETAILS_ACTION = 'approval_details';

/** Characters for what is sent, of the 12,000 that Slack takes; the rest is for what stands around it, by where that is. */
const MESSAGE_ROOM = { buttons: 7_000, record: 3_000 } as const;
/** People and groups mentioned at most. */
const MENTIONED = 50;
/** Characters of a message by which the question behind Approve names it. */
const SHOWN_NAME = 100;

/** Stands in the card and in no other message. */
export function approvalMark(sendId: string): string {
  return `approval:${sendId}`;
}

/**
 * The card by which managers decide: what, to how many and who decides; the message as a recipient reads it, what it costs, who
 * asked and when it starts, what a machine found, and the buttons. Everything else stands behind Details. Once it is decided it
 * has no buttons.
 *
 * @param beside its buttons alone, or the record of the send, shown to one person who asked for it
 */
export function approvalCard(facts: ApprovalFacts, beside: keyof typeof MESSAGE_ROOM = 'buttons'): Card {
  const { send } = facts;
  const waits = send.state === 'awaiting_approval';
  const asked = waits && beside === 'buttons' ? mentions(facts) : '';
  const title = headline(facts, waits && asked !== '');
  const hasDetails = waits || beside === 'record';
  const whole = (left: number) => [wholeNote(send, left, hasDetails)];
  const lines = [escapeMrkdwn(leftOut(facts) ?? 'No row left out')];
  return {
    text: `${title}. ${askedBy(send)}. Reference ${send.id}.${asked && ` ${asked}`}`,
    blocks: olderBlocks(
      [
        {
          ...wholeSection(`${title.replace(' ', ' *')}*${asked && ` · ${asked}`}`),
          block_id: approvalMark(send.id),
        },
        ...(waits ? whyItWaits(facts) : [wholeSection(ending(facts))]),
        ...decisionBlocks(facts, createRoom(MESSAGE_ROOM[beside]), {
          whole,
          lines,
          others: hasDetails ? 'others under Details' : '',
        }),
        ...(waits && facts.approvals.length > 0 ? [context(approvalsText(facts))] : []),
        ...(waits ? buttons(facts) : beside === 'record' ? actions([detailsButton(send)]) : []),
        context(waits && send.approval ? `Expires ${moment(send.approval.expiresAt)} · ${send.id}` : send.id),
      ],
      'message',
    ),
  };
}

/** Says why it waits again, or for more people, and what it stands in the place of; nothing where it was only asked for. */
function whyItWaits({ send, before }: ApprovalFacts): types.SectionBlock[] {
  const { reason } = send;
  const names = before && changesOf(before, send).map(({ name }) => name.toLowerCase());
  const changed = names?.length ? `changed: ${names.join(', ')}` : 'nothing was changed';
  const lines = [
    ...(reason === undefined ? [] : [`⚠️ ${literalMrkdwn(`${reason.what} ${reason.next}`, 1500)}`]),
    ...(before === undefined ? [] : [`✏️ Replaces ${before.id}; ${changed}`]),
  ];
  return lines.length === 0 ? [] : [wholeSection(lines.join('\n'))];
}

/**
 * Says once more that a send waits, below its card and in the channel.
 *
 * @param approvers users and user groups: those are mentioned who can still approve
 */
export function reminderCard(send: Send, approvals: readonly Approval[], approvers: readonly string[]): Card {
  const { needed = 1, expiresAt } = send.approval ?? {};
  const expires = expiresAt === undefined ? '' : ` It expires ${moment(expiresAt)}.`;
  const why = send.reason ? ` ${literalMrkdwn(send.reason.what, 1500)}` : '';
  const asked = stillAsked(send, approvals, approvers).map((id) => `${mention(id)} `);
  const sentence = `⏰ ${asked.join('')}${whatSend(send)} still waits: ${approvals.length} of ${needed} approvals.${why}${expires}`;
  return { text: sentence, blocks: [section(sentence)] };
}

function mentions({ approvers }: ApprovalFacts): string {
  return approvers.length === 0
    ? ''
    : `${approvers.slice(0, MENTIONED).map(mention).join(' ')}, please decide`;
}

/** False for what came to nothing, and for what ended before enough people had approved. */
function wasApproved({ send, approvals }: Pick<Standing, 'send' | 'approvals'>): boolean {
  return BEGUN.has(send.state) && approvals.length >= (send.approval?.needed ?? 0);
}

/** @param isAsked where it says beside it who decides */
function headline(standing: Standing, isAsked: boolean): string {
  const { send, template } = standing;
  const { mark, words } = wasApproved(standing) ? { mark: '✅', words: 'approved' } : stateOf(send);
  return `${mark} ${whatSend(send, template)}${isAsked ? '' : `: ${words}`}`;
}

function approvalsText({ send, approvals }: ApprovalFacts): string {
  const more = (send.approval?.needed ?? 1) - approvals.length;
  return `Approved by ${approversOf(approvals)} · ${shown(more)} more needed`;
}

/** In place of what a message cannot hold: how much that is, and the way to it. */
function wholeNote({ id }: Send, left: number, mayClick: boolean): types.SectionBlock {
  const parts = left === 1 ? '1 part' : `${left} parts`;
  const where = mayClick
    ? 'Read all of it under *Details* before you decide.'
    : `\`/sends ${id}\` shows all of it.`;
  return section(`⚠️ *Not all of it fits here:* ${parts} of what is sent cannot be shown. ${where}`);
}

export function ending({ send, approvals, events }: Standing): string {
  const event = lastInto(send.state, events);
  const reason = (event?.reason ?? send.reason)?.what;
  const why = reason === undefined ? '' : `\n*Reason:* ${literalMrkdwn(reason, 1500)}`;
  const who = event ? ` ${actorOf(event)}` : '';
  switch (send.state) {
    case 'rejected':
      return `Rejected${who}. Nothing was sent.${why}`;
    case 'cancelled':
      return `${isWithdrawn(send) ? 'Withdrawn' : 'Cancelled'}${who}. ${reason === undefined ? 'Nothing was sent.' : literalMrkdwn(reason, 1500)}`;
    case 'expired':
      return `Expired${event ? `, ${moment(event.at)}` : ''}, with ${approvals.length} of ${send.approval?.needed ?? 1} approvals. Nothing was sent; it can be asked for again.`;
    case 'stopped':
      return wasApproved({ send, approvals })
        ? approvedText(send, approvals)
        : `Stopped${who}, with ${approvals.length} of ${send.approval?.needed ?? 1} approvals.${why}`;
    default:
      return approvedText(send, approvals);
  }
}

function approvedText(send: Send, approvals: readonly Approval[]): string {
  const given = approvals.length === 0 ? 'Approved.' : `Approved by ${givenBy(approvals)}.`;
  return send.state === 'scheduled' && send.startAt !== undefined
    ? `${given} It starts ${moment(send.startAt)}.`
    : given;
}

/** Opens the form of a send that came to nothing, filled in as it was. */
export function editAgainButton(send: Send): types.Button {
  return button(EDIT_ACTION, 'Edit and ask again', sendValue(send));
}

/** Nothing of it was sent: the person who asked may change it and ask again. */
export const EDITABLE: ReadonlySet<Send['state']> = new Set([
  ...(['draft', 'awaiting_approval', 'approved', 'scheduled', 'rejected', 'expired', 'cancelled'] as const),
]);

/** Approve and what else can be done while it waits. Also used where one send is shown in full. */
function buttons(facts: ApprovalFacts): types.ActionsBlock[] {
  const { send, template, approvals, held, exact, warnings } = facts;
  const repeated = repeatLines(facts.repeats, { inBrief: true });
  const value = sendValue(send);
  const count = recipientsOf(send);
  const missing = (send.approval?.needed ?? 1) - approvals.length;
  const name = campaignOf(send.message) ?? inShort(send, template);
  const what = `“${truncate(name, SHOWN_NAME)}”`;
  const left = leftOut(facts);
  // The record keeps what stood on the card that was clicked.
  const seen = [...repeated, ...warnings, ...(left === undefined ? [] : [left])].join(' · ');
  return actions([
    button(APPROVE_ACTION, 'Approve', sendValue(send, `${facts.repeats?.which ?? ''}.${seen}`), {
      style: 'primary',
      question: {
        title: `Send to ${people(count)}?`,
        text: [...repeated, startText(send, { what, missing, held, exact })].join(' '),
        yes: `Approve ${shown(count)}`,
      },
    }),
    button(REJECT_ACTION, 'Reject', value, { style: 'danger' }),
    detailsButton(send),
    menu([TEST_ACTION, 'Send a test to me', send.id], [EDIT_ACTION, 'Edit', send.id]),
  ]);
}

function detailsButton(send: Send): types.Button {
  return button(DETAILS_ACTION, 'Details', sendValue(send));
}
