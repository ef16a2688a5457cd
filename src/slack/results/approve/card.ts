import type { types } from '@slack/bolt';
import { kindOf } from '../../../messages/kinds.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { Audience } from '../../../sends/audience.ts';
import type { Estimate } from '../../../sends/estimate.ts';
import type { Approval, FailureGroup } from '../../../sends/ports.ts';
import type { SendEvent } from '../../../sends/record.ts';
import { isWithdrawn, type RecipientRow, type Send } from '../../../sends/send.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { button } from '../../kit/blocks/button.ts';
import { context, mention, moment, mrkdwn, section } from '../../kit/blocks/mrkdwn.ts';
import { createRoom } from '../../kit/blocks/room.ts';
import { listTitle } from '../../kit/cards/list-words.ts';
import { wordsNote } from '../../kit/cards/message-blocks.ts';
import type { Card } from '../../kit/cards/send-card.ts';
import {
  actorOf,
  inShort,
  lastInto,
  people,
  RETRY_GROUPS,
  shown,
  stateOf,
  whatSend,
} from '../../kit/cards/words.ts';
import { sendValue } from '../../kit/clicks/click.ts';
import { whyItWaits } from './reminder.ts';
import { shownMessage, shownOthers } from './shown.ts';

export const APPROVE_ACTION = 'approval_approve';
export const REJECT_ACTION = 'approval_reject';
export const EDIT_ACTION = 'approval_edit';
export const TEST_ACTION = 'approval_test';
export const WHOLE_ACTION = 'approval_whole';
export const RECIPIENTS_ACTION = 'approval_recipients';

/** Characters for what is sent, of the 12,000 that Slack takes; the rest is for what stands around it, by where that is. */
const MESSAGE_ROOM = { buttons: 7_000, record: 3_000 } as const;
const SHOWN_VALUE = 300;
const CAUSES_SHOWN = 5;

/** Everything that the card tells. */
export interface ApprovalFacts {
  readonly send: Send;
  /** Absent when the list is no longer there. */
  readonly audience: Audience | undefined;
  readonly template: Template | undefined;
  /** Recipients from all over the list; the first of them reads the message as shown. */
  readonly sample: readonly RecipientRow[];
  readonly estimate: Estimate;
  readonly approvals: readonly Approval[];
  readonly failures: readonly FailureGroup[];
  readonly events: readonly SendEvent[];
}

/** Of them: how the send stands, and how it came there. */
export type Standing = Pick<ApprovalFacts, 'send' | 'template' | 'approvals' | 'events'>;

/** Stands in the card and in no other message. */
export function approvalMark(sendId: string): string {
  return `approval:${sendId}`;
}

/** What a button of a send carries: the send, and the digest that its reader saw. */
/**
 * The card by which managers decide: who asks for what, the message as a recipient will read it, how many, what was
 * left out and why, cost, time, and what was decided. Once that is over it has no buttons.
 *
 * @param missing the channel that Herald could not post it in
 * @param beside its buttons alone, or the record of the send, shown to one person who asked for it
 */
export function approvalCard(
  facts: ApprovalFacts,
  { missing, beside = 'buttons' }: { missing?: string | undefined; beside?: keyof typeof MESSAGE_ROOM } = {},
): Card {
  const { send, template } = facts;
  const room = createRoom(MESSAGE_ROOM[beside]);
  const message = shownMessage(facts, room);
  const waits = send.state === 'awaiting_approval';
  const asked = `Asked for by ${mention(send.origin.userId)} in <#${send.origin.channelId}>, ${moment(send.createdAt)}.`;
  const again = send.retryGroup ? ` It goes to ${RETRY_GROUPS[send.retryGroup]} by ${send.retryOf}.` : '';
  return {
    text: `${headline(facts)}. ${asked} Reference ${send.id}.`,
    blocks: [
      { ...section(`*${headline(facts)}*\n${asked}${again}`), block_id: approvalMark(send.id) },
      ...(waits ? whyItWaits(send) : [section(ending(facts))]),
      ...message,
      ...wordsNote(send, template),
      { type: 'section', fields: fields(facts).slice(0, LIMITS.sectionFields) },
      ...(waits ? shownOthers(facts, room) : []),
      ...(room.left() > 0 ? [wholeNote(send, room.left(), waits || beside === 'record')] : []),
      ...(waits ? [section(approvalsText(facts)), buttons(send, template)] : []),
      context(smallPrint(facts)),
      ...(missing === undefined ? [] : [context(missingNote(missing))]),
    ],
  };
}

/** False for what came to nothing, and for what ended before enough people had approved. */
function wasApproved({ send, approvals }: Pick<ApprovalFacts, 'send' | 'approvals'>): boolean {
  const begun = new Set(['sending', 'paused', 'done', 'stopped']).has(send.state);
  return begun && approvals.length >= (send.approval?.needed ?? 0);
}

function headline({
  send,
  template,
  approvals,
}: Pick<ApprovalFacts, 'send' | 'template' | 'approvals'>): string {
  const { mark, words } = wasApproved({ send, approvals })
    ? { mark: '✅', words: 'approved' }
    : stateOf(send);
  return `${mark} ${whatSend(send, template)}: ${words}`;
}

function fields(facts: ApprovalFacts): types.MrkdwnElement[] {
  const { send, audience } = facts;
  const all = [
    ['Recipients', shown(send.recipientCount - send.counts.skipped)],
    [
      'List',
      audience ? escapeMrkdwn(listTitle(audience), SHOWN_VALUE) : escapeMrkdwn(send.audience?.label ?? '–'),
    ],
    ['Left out', exclusionText(facts)],
    ...kindOf(send.message)
      .facts(send.message)
      // Counted over the recipients instead: the text as typed says little.
      .filter(({ label }) => label !== 'Segments')
      .map(({ label, value }) => [label, escapeMrkdwn(value, SHOWN_VALUE)]),
    ...segmentsField(facts.estimate),
    ...costField(facts.estimate),
    ['Start', send.startAt === undefined ? 'As soon as it is approved' : moment(send.startAt)],
  ];
  return all.map(([label, value]) => mrkdwn(`*${label}*\n${value}`));
}

/** What was left out by cause, when the list was read and when the send was asked for. */
export function exclusionText({ audience, failures }: Pick<ApprovalFacts, 'audience' | 'failures'>): string {
  const counts = audience?.counts;
  const lines = [
    ...part(counts?.duplicate, counts?.duplicate === 1 ? 'duplicate' : 'duplicates'),
    ...part(counts?.opted_out, 'opted out'),
    ...part(counts?.invalid, 'invalid'),
    ...failures
      .filter(({ state }) => state === 'skipped')
      .slice(0, CAUSES_SHOWN)
      .map(
        ({ count, failure }) => `${shown(count)}: ${escapeMrkdwn(failure?.what ?? 'skipped', SHOWN_VALUE)}`,
      ),
  ];
  return lines.length === 0 ? 'Nobody' : lines.join('\n');
}

function part(count: number | undefined, words: string): string[] {
  return count ? [`${shown(count)} ${words}`] : [];
}

function segmentsField({ segments, exact }: Estimate): string[][] {
  if (segments === undefined) return [];
  const { fewest, most, total } = segments;
  const each = fewest === most ? shown(most) : `${shown(fewest)} to ${shown(most)}`;
  return [['SMS parts', `${each} a recipient, ${exact ? '' : 'about '}${shown(total)} in all`]];
}

function costField({ cost, exact }: Estimate): string[][] {
  if (cost === undefined) return [];
  const amount = cost.amount.toLocaleString('en', { maximumFractionDigits: 2 });
  const without = cost.unpriced.length === 0 ? '' : `, without ${cost.unpriced.join(', ')} (no price is set)`;
  return [['Cost', `${exact ? '' : 'about '}${escapeMrkdwn(cost.currency, 20)} ${amount}${without}`]];
}

function approvalsText({ send, approvals }: ApprovalFacts): string {
  const needed = send.approval?.needed ?? 1;
  const given = approvals.map(({ userId, at }) => `${mention(userId)}, ${moment(at)}`);
  const count = `*Approvals:* ${approvals.length} of ${needed}`;
  return given.length === 0 ? count : `${count} – ${given.join(' · ')}`;
}

/** In place of what a message cannot hold: how much that is, and where there may be buttons, the way to it. */
function wholeNote(send: Send, left: number, mayClick: boolean): types.SectionBlock {
  const parts = left === 1 ? '1 part' : `${left} parts`;
  const sentence = `⚠️ *Not all of it fits here:* ${parts} of what is sent cannot be shown.`;
  if (!mayClick) return section(`${sentence} \`/sends ${send.id}\` has a button that shows all of it.`);
  return {
    ...section(`${sentence} Read all of it before you decide.`),
    accessory: button(WHOLE_ACTION, 'Read all of it', sendValue(send)),
  };
}

/** How it ended, by whom and when. */
export function ending({ send, approvals, events }: Standing): string {
  const event = lastInto(send.state, events);
  const reason = (event?.reason ?? send.reason)?.what;
  const why = reason === undefined ? '' : `\n*Reason:* ${escapeMrkdwn(reason, 1500)}`;
  const who = event ? ` ${actorOf(event)}` : '';
  switch (send.state) {
    case 'rejected':
      return `Rejected${who}. Nothing was sent.${why}`;
    case 'cancelled':
      return `${isWithdrawn(send) ? 'Withdrawn' : 'Cancelled'}${who}. ${reason === undefined ? 'Nothing was sent.' : escapeMrkdwn(reason, 1500)}`;
    case 'draft':
      return `Taken back${who}, to be changed. Approvals given before are void; nothing was sent.`;
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
  const by = approvals.map(({ userId, at }) => `${mention(userId)}, ${moment(at)}`).join(' · ');
  const given = by === '' ? 'Approved.' : `Approved by ${by}.`;
  return send.state === 'scheduled' && send.startAt !== undefined
    ? `${given} It starts ${moment(send.startAt)}.`
    : given;
}

function smallPrint({ send }: ApprovalFacts): string {
  const expires =
    send.state === 'awaiting_approval' && send.approval ? [`Expires ${moment(send.approval.expiresAt)}`] : [];
  return [...expires, `Reference ${send.id}`, `\`/sends ${send.id}\` shows its record`].join(' · ');
}

function missingNote(channelId: string): string {
  return (
    `Herald could not post this in <#${escapeMrkdwn(channelId)}>, where approvals are asked for. ` +
    'Invite Herald to it for the next time; approvers can decide here, if they see this, or after `/sends` with the reference.'
  );
}

/** Opens the form of a send that came to nothing, filled in as it was. */
export function editAgainButton(send: Send): types.Button {
  return button(EDIT_ACTION, 'Edit and ask again', sendValue(send));
}

/** Ended, or begun, with nothing sent: the person who asked may change it and ask again. */
export const EDITABLE: ReadonlySet<Send['state']> = new Set(['draft', 'rejected', 'expired', 'cancelled']);

/** Approve and what else can be done while it waits. Also used where one send is shown in full. */
function buttons(send: Send, template: Template | undefined): types.ActionsBlock {
  const value = sendValue(send);
  const count = send.recipientCount - send.counts.skipped;
  const needed = send.approval?.needed ?? 1;
  const when =
    needed > 1
      ? `It starts once ${needed} people have approved.`
      : send.startAt === undefined
        ? 'It starts at once.'
        : 'It starts at the time shown.';
  return {
    type: 'actions',
    elements: [
      button(APPROVE_ACTION, 'Approve', value, {
        style: 'primary',
        question: {
          title: `Send to ${people(count)}?`,
          text: `${when} ${inShort(send, template)}`,
          yes: `Approve ${shown(count)}`,
        },
      }),
      button(REJECT_ACTION, 'Reject', value, { style: 'danger' }),
      button(TEST_ACTION, 'Send a test to me', value),
      button(RECIPIENTS_ACTION, 'View recipients', value),
      button(EDIT_ACTION, 'Edit', value, {
        question: {
          title: 'Take it back to change it?',
          text: 'Only the person who asked can. Approvals given so far are void, and it has to be approved again.',
          yes: 'Edit',
        },
      }),
    ],
  };
}
