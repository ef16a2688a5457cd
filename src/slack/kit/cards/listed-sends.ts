import { KINDS } from '../../../messages/kinds.ts';
import { maskNumber } from '../../../messages/numbers/phone-number.ts';
import type { Reached } from '../../../sends/replies/ports.ts';
import type { RecipientState, Send } from '../../../sends/send.ts';
import { literalMrkdwn } from '../../connection/escape.ts';
import type { SlackServices } from '../services.ts';
import { deliveryParts } from './answers.ts';
import {
  BEGUN,
  becameOfOne,
  inShort,
  RECIPIENT_STATES,
  type StateWords,
  shown,
  stateOf,
  tallyOf,
  whatSend,
} from './words.ts';

const SHOWN_TEXT = 80;

export interface ListedSend {
  readonly send: Send;
  /** The number that a send to one person is for, masked. */
  readonly to?: string | undefined;
  /** Present as far as deliveries were reported. */
  readonly reached?: Reached | undefined;
}

export async function listedSends(
  sends: readonly Send[],
  { store, answers }: Pick<SlackServices, 'store' | 'answers'>,
): Promise<readonly ListedSend[]> {
  const reached = await answers.reached(sends.map(({ id }) => id));
  return Promise.all(
    sends.map(async (send) => {
      const [one] = send.audience === undefined ? await store.recipients(send.id, -1, 1) : [];
      return { send, to: one && maskNumber(one.number), reached: reached.get(send.id) };
    }),
  );
}

/** Says what it is, what became of it, and its text in short: two lines of mrkdwn. */
export function sendLines(listed: ListedSend): string {
  const { mark, words } = becameOf(listed.send, listed.reached);
  return `${mark} *${whatListed(listed)}*: ${words}\n${literalMrkdwn(inShort(listed.send), SHOWN_TEXT)}`;
}

export function whatListed({ send, to }: ListedSend): string {
  return to === undefined ? whatSend(send) : `${KINDS[send.kind].title} to ${to}`;
}

/** Says what became of a send, not only where it stands; mrkdwn. */
export function becameOf(send: Send, reached?: Reached): StateWords {
  const { state, counts } = send;
  if (!BEGUN.has(state)) return stateOf(send);
  if (send.audience === undefined) {
    const [only = 'pending'] = (Object.keys(counts) as RecipientState[]).filter((one) => counts[one] > 0);
    return becameOfOne(only, reached);
  }
  const { settled, all } = tallyOf(counts);
  const failed = counts.rejected + counts.not_sent;
  const { mark, words } = stateOf(send);
  const { accepted, unknown } = RECIPIENT_STATES;
  // Who has it is said beside it, once that is reported.
  const taken = reached?.delivered ? 'accepted' : accepted.words;
  const parts = [
    state === 'done'
      ? doneWords(counts.accepted, all, taken)
      : `${words} · ${shown(settled)} of ${shown(all)}`,
    ...(reached === undefined ? [] : deliveryParts(reached)),
    ...(failed > 0 ? [`${shown(failed)} failed`] : []),
    ...(counts.unknown > 0 ? [`${shown(counts.unknown)} ${unknown.words}`] : []),
  ];
  return { mark: state === 'done' ? worstMark(send) : mark, words: parts.join(' · ') };
}

function doneWords(accepted: number, all: number, words: string): string {
  if (all === 0) return 'nobody was left to send to';
  return accepted === all ? words : `${shown(accepted)} of ${shown(all)} ${words}`;
}

/** The mark of what somebody should look at first. */
function worstMark({ counts: { accepted, rejected, not_sent, unknown } }: Send): string {
  if (unknown > 0) return RECIPIENT_STATES.unknown.mark;
  if (rejected + not_sent > 0) return accepted > 0 ? '⚠️' : RECIPIENT_STATES.rejected.mark;
  return accepted > 0 ? RECIPIENT_STATES.accepted.mark : RECIPIENT_STATES.skipped.mark;
}
