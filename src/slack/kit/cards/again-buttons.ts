import type { Button } from '@slack/types';
import type { AnswerSummary } from '../../../sends/replies/ports.ts';
import { retryGroupOf, type Send, type SendReport } from '../../../sends/send.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { button, type Choice } from '../blocks/blocks.ts';
import { actorOf } from './words.ts';

/* The buttons by which something is sent again. Their forms are opened where messages are composed. */

export const SEND_AGAIN_ACTION = 'send_again';
export const LIKE_THIS_ACTION = 'send_like_this';
export const TO_AUDIENCE_ACTION = 'send_to_audience';
export const NUMBER_ACTION = 'send_number';

const LIKE_THIS = 'Send again like this';

/** Facts that decide about a send to one person, besides how it ended. */
export interface AfterOne {
  readonly answers?: AnswerSummary | undefined;
  /** Sends that try it again. */
  readonly retries?: readonly Send[];
}

/** The buttons of a send to one person: where it failed, and of its record whatever became of it. */
export function buttonsOfOne(
  report: SendReport,
  { answers, retries = [] }: AfterOne,
  inFull: boolean,
): Button[] {
  const { send } = report;
  const group = retryGroupOf(report);
  const isOpen = group !== undefined && retries.length === 0 && !answers?.delivered;
  return [
    ...(isOpen ? [againButton(send, group === 'unknown')] : []),
    ...(inFull && !isOpen ? [button(LIKE_THIS_ACTION, LIKE_THIS, send.id)] : []),
    ...(inFull || group !== undefined ? [button(NUMBER_ACTION, 'Show the number', send.id)] : []),
  ];
}

function againButton({ id }: Send, isUnknown: boolean): Button {
  const question = {
    title: 'It may arrive twice',
    text: 'The customer may have this message already. The form opens first: nothing is sent before you press Send there.',
    yes: 'Open the form',
  };
  return button(SEND_AGAIN_ACTION, 'Send again…', id, isUnknown ? { question } : {});
}

/** Offers what a new send can take over from this one. A retry went to a part of its list only. */
export function likeThisChoices({ id, audience, retryOf }: Send): Choice[] {
  const hasList = audience !== undefined && retryOf === undefined;
  return [
    [LIKE_THIS_ACTION, LIKE_THIS, id],
    ...(hasList ? [[TO_AUDIENCE_ACTION, 'Send to this audience', id] as const] : []),
  ];
}

/** Says who sent it again, when, and as what; mrkdwn. */
export function sentAgainLine({ id, origin, createdAt }: Send): string {
  return `Sent again ${actorOf({ actor: origin.userId, at: createdAt })}: ${escapeMrkdwn(id)}.`;
}
