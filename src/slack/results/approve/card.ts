import type { types } from '@slack/bolt';
import { countryName } from '../../../messages/numbers/phone-number.ts';
import { isSameForAll } from '../../../messages/personalise.ts';
import type { Audience } from '../../../sends/audience.ts';
import { type Held, leftOut, recipientsOf, startText } from '../../../sends/bulk/warnings.ts';
import type { Estimate } from '../../../sends/estimate.ts';
import type { Approval, FailureGroup } from '../../../sends/ports.ts';
import { isWithdrawn, type RecipientRow, type Send } from '../../../sends/send.ts';
import { escapeMrkdwn, literalMrkdwn } from '../../connection/escape.ts';
import { actions, button, context, createRoom, mention, moment, section } from '../../kit/blocks/blocks.ts';
import { wordsNote } from '../../kit/cards/message-blocks.ts';
import type { Card } from '../../kit/cards/send-card.ts';
import {
  actorOf,
  BEGUN,
  duration,
  givenBy,
  inShort,
  lastInto,
  people,
  RETRY_GROUPS,
  shown,
  stateOf,
  whatSend,
} from '../../kit/cards/words.ts';
import { sendValue } from '../../kit/clicks/answering.ts';
import type { Standing } from '../standing.ts';
import { whyItWaits } from './reminder.ts';
import { shownMessage, shownOthers } from './shown.ts';

export const APPROVE_ACTION = 'approval_approve';
export const REJECT_ACTION = 'approval_reject';
export const EDIT_ACTION = 'approval_edit';
export const TEST_ACTION = 'approval_test';
export const DETAILS_ACTION = 'approval_details';

/** Characters for what is sent, of the 12,000 that Slack takes; the rest is for what stands around it, by where that is. */
const MESSAGE_ROOM = { buttons: 7_000, record: 3_000 } as const;
const SHOWN_SENTENCE = 350;
const COUNTRIES_SHOWN = 5;
/** People and groups mentioned at most. */
const MENTIONED = 50;

/** Everything that the card tells. */
export interface ApprovalFacts extends Standing {
  /** Absent when the list is no longer there. */
  readonly audience: Audience | undefined;
  /** Recipients from all over the list; the first of them reads the message as shown. */
  readonly sample: readonly RecipientRow[];
  readonly estimate: Estimate;
  /** How long sending takes at full pace. */
  readonly durationMs: number;
  /** Recipients by country code, `?` for none; extrapolated where it is not exact. */
  readonly countries: Readonly<Record<string, number>>;
  readonly exact: boolean;
  readonly failures: readonly FailureGroup[];
  /** Users and user groups who may approve, but for who asked. */
  readonly approvers: readonly string[];
  /** Whom quiet hours hold, and what else was found; only while it waits for approval. */
  readonly held: readonly Held[];
  readonly warnings: readonly string[];
}

/** Stands in the card and in no other message. */
export function approvalMark(sendId: string): string {
  return `approval:${sendId}`;
}

/**
 * The card by which managers decide: the message as a recipient will read it, how many, what it costs, who asked and when
 * it starts, and what a machine found. Everything else stands behind Details. Once it is decided it has no buttons.
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
  const message = shownMessage(facts, room, { asSeen: true });
  const waits = send.state === 'awaiting_approval';
  const others = waits && !isSameForAll(send.message) ? shownOthers(facts, room) : [];
  const approvers = waits && beside === 'buttons' ? mentions(facts) : '';
  return {
    text: `${headline(facts)}. ${askedBy(send)} Reference ${send.id}.${approvers && ` ${approvers}`}`,
    blocks: [
      { ...section(`*${headline(facts)}*`), block_id: approvalMark(send.id) },
      ...(waits ? whyItWaits(send) : [section(ending(facts))]),
      ...message,
      ...wordsNote(send, template),
      ...others,
      ...(room.left() > 0 ? [wholeNote(send, room.left(), waits || beside === 'record')] : []),
      section(lines(facts)),
      ...(facts.warnings.length === 0 ? [] : [section(facts.warnings.map(warningLine).join('\n'))]),
      ...(waits ? [section(`${approvalsText(facts)}${approvers && `\n${approvers}`}`)] : []),
      ...(waits ? buttons(facts) : beside === 'record' ? actions([detailsButton(send)]) : []),
      context(smallPrint(facts)),
      ...(missing === undefined ? [] : [context(missingNote(missing))]),
    ],
  };
}

function askedBy({ origin, createdAt }: Send): string {
  return `Asked for by ${mention(origin.userId)} in <#${origin.channelId}>, ${moment(createdAt)}.`;
}

function mentions({ approvers }: ApprovalFacts): string {
  return approvers.length === 0
    ? ''
    : `Please approve or reject: ${approvers.slice(0, MENTIONED).map(mention).join(' ')}`;
}

function warningLine(warning: string): string {
  return `⚠️ ${literalMrkdwn(warning, SHOWN_SENTENCE)}`;
}

/** How many, by country; cost and duration; who asked and when it starts; what was left out. */
function lines(facts: ApprovalFacts): string {
  const { send, estimate, durationMs, warnings } = facts;
  const { retryGroup, retryOf } = send;
  const again = retryGroup ? ` It goes to ${RETRY_GROUPS[retryGroup]} by ${retryOf}.` : '';
  const [left] = leftOut(facts);
  return [
    `*To:* ${countriesText(facts)}`,
    [...costText(estimate), `*Time to send:* ${duration(durationMs)}`].join(' · '),
    `${askedBy(send)}${again}${startsText(facts)}`,
    // While it waits this stands among the warnings.
    ...(left !== undefined && warnings.includes(left) ? [] : [escapeMrkdwn(left ?? 'Nobody was left out.')]),
  ].join('\n');
}

function startsText({ send: { state, startAt }, held }: ApprovalFacts): string {
  if (state !== 'awaiting_approval') return '';
  if (startAt !== undefined) return ` *Starts* ${moment(startAt)}.`;
  return ` *Starts* as soon as it is approved${held.length > 0 ? ' and quiet hours let it' : ''}.`;
}

function countriesText({ countries, exact }: ApprovalFacts): string {
  const named = Object.entries(countries)
    .toSorted(([, a], [, b]) => b - a)
    .map(([code, count]) => ({ name: code === '?' ? 'no country' : countryName(code), count }));
  const told = named.slice(0, COUNTRIES_SHOWN).map(({ name, count }) => `${shown(count)} in ${name}`);
  const rest = named.slice(COUNTRIES_SHOWN).reduce((sum, { count }) => sum + count, 0);
  const more = rest === 0 ? [] : [`${shown(rest)} elsewhere`];
  return `${exact || named.length === 1 ? '' : 'about '}${[...told, ...more].join(' · ') || 'nobody'}`;
}

function costText({ cost, exact }: Estimate): string[] {
  if (cost === undefined) return [];
  const amount = cost.amount.toLocaleString('en', { maximumFractionDigits: 2 });
  const without = cost.unpriced.length === 0 ? '' : `, without ${cost.unpriced.join(', ')} (no price is set)`;
  return [`*Cost:* ${exact ? '' : 'about '}${escapeMrkdwn(cost.currency, 20)} ${amount}${without}`];
}

/** False for what came to nothing, and for what ended before enough people had approved. */
function wasApproved({ send, approvals }: Pick<Standing, 'send' | 'approvals'>): boolean {
  return BEGUN.has(send.state) && approvals.length >= (send.approval?.needed ?? 0);
}

function headline(standing: Standing): string {
  const { send, template } = standing;
  const { mark, words } = wasApproved(standing) ? { mark: '✅', words: 'approved' } : stateOf(send);
  return `${mark} ${whatSend(send, template)}: ${words}`;
}

function approvalsText({ send, approvals }: ApprovalFacts): string {
  const needed = send.approval?.needed ?? 1;
  const count = `*Approvals:* ${approvals.length} of ${needed}`;
  return approvals.length === 0 ? count : `${count} – ${givenBy(approvals)}`;
}

/** In place of what a message cannot hold: how much that is, and the way to it. */
function wholeNote({ id }: Send, left: number, mayClick: boolean): types.SectionBlock {
  const parts = left === 1 ? '1 part' : `${left} parts`;
  const where = mayClick
    ? 'Read all of it under *Details* before you decide.'
    : `\`/sends ${id}\` shows all of it.`;
  return section(`⚠️ *Not all of it fits here:* ${parts} of what is sent cannot be shown. ${where}`);
}

/** How it ended, by whom and when. */
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
  const given = approvals.length === 0 ? 'Approved.' : `Approved by ${givenBy(approvals)}.`;
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
function buttons({ send, template, approvals, held, exact, warnings }: ApprovalFacts): types.ActionsBlock[] {
  const value = sendValue(send);
  const count = recipientsOf(send);
  const missing = (send.approval?.needed ?? 1) - approvals.length;
  const start = startText(send, { missing, held, exact });
  return actions([
    // The record keeps what stood on the card that was clicked.
    button(APPROVE_ACTION, 'Approve', sendValue(send, warnings.join(' · ')), {
      style: 'primary',
      question: {
        title: `Send to ${people(count)}?`,
        text: `${start} ${inShort(send, template)}`,
        yes: `Approve ${shown(count)}`,
      },
    }),
    button(REJECT_ACTION, 'Reject', value, { style: 'danger' }),
    detailsButton(send),
    button(TEST_ACTION, 'Send a test to me', value),
    button(EDIT_ACTION, 'Edit', value, {
      question: {
        title: 'Take it back to change it?',
        text: 'Only the person who asked can. Approvals given so far are void, and it has to be approved again.',
        yes: 'Edit',
      },
    }),
  ]);
}

function detailsButton(send: Send): types.Button {
  return button(DETAILS_ACTION, 'Details', sendValue(send));
}
