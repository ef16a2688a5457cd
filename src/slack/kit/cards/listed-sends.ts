import { KINDS } from '../../../messages/kinds.ts';
import { maskNumber } from '../../../messages/numbers/phone-number.ts';
import type { SendReader } from '../../../sends/ports.ts';
import type { Reached } from '../../../sends/replies/ports.ts';
import type { RecipientState, Send } from '../../../sends/send.ts';
import { literalMrkdwn } from '../../connection/escape.ts';
import { type Answers, deliveryParts } from './answers.ts';
import {
  BEGUN,
  inShort,
  ONE_RECIPIENT,
  RECIPIENT_STATES,
  type StateWords,
  shown,
  stateOf,
  tallyOf,
  whatSend,
} from './words.ts';

const SHOWN_TEXT = 80;

/** A send as lists tell of it. */
export interface ListedSend {
  readonly send: Send;
  /** Whom a send to one person is for, masked. */
  readonly to?: string | undefined;
  /** As far as deliveries were reported. */
  readonly reached?: Reached | undefined;
}

export interface ListSources {
  readonly store: Pick<SendReader, 'recipients'>;
  readonly answers: Pick<Answers, 'reached'>;
}

export async function listedSends(
  sends: readonly Send[],
  { store, answers }: ListSources,
): Promise<readonly ListedSend[]> {
  const reached = await answers.reached(sends.map(({ id }) => id));
  return Promise.all(
    sends.map(async (send) => {
      const [one] = send.audience === undefined ? await store.recipients(send.id, -1, 1) : [];
      return { send, to: one && maskNumber(one.number), reached: reached.get(send.id) };
    }),
  );
}

/** What it is, what became of it, and its text in short: two lines of mrkdwn. */
export function sendLines({ send, to, reached }: ListedSend): string {
  const { mark, words } = becameOf(send, reached);
  const what = to === undefined ? whatSend(send) : `${KINDS[send.kind].title} to ${to}`;
  return `${mark} *${what}*: ${words}\n${literalMrkdwn(inShort(send), SHOWN_TEXT)}`;
}

/** What became of a send, not only where it stands; mrkdwn. */
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
  const parts = [
    state === 'done'
      ? doneWords(counts.accepted, all, accepted.words)
      : `${shown(settled)} of ${shown(all)} · ${words}`,
    ...(failed > 0 ? [`${shown(failed)} failed`] : []),
    ...(counts.unknown > 0 ? [`${shown(counts.unknown)} ${unknown.words}`] : []),
    ...(reached === undefined ? [] : deliveryParts(reached)),
  ];
  return { mark: state === 'done' ? worstMark(send) : mark, words: parts.join(' · ') };
}

/** What became of one recipient. */
export function becameOfOne(state: RecipientState, reached?: Reached): StateWords {
  const { mark, words } = ONE_RECIPIENT[state];
  if (reached === undefined) return { mark, words };
  if (reached.delivered > 0)
    return { mark: '📬', words: reached.read > 0 ? 'delivered and read' : 'delivered' };
  return reached.failed > 0 ? { mark: '📪', words: `${words}, not delivered` } : { mark, words };
}

function doneWords(accepted: number, all: number, words: string): string {
  if (all === 0) return 'nobody was left to send to';
  return accepted === all ? words : `${shown(accepted)} of ${shown(all)} ${words}`;
}

/** What somebody should look at comes first. */
function worstMark({ counts: { accepted, rejected, not_sent, unknown } }: Send): string {
  if (unknown > 0) return RECIPIENT_STATES.unknown.mark;
  if (rejected + not_sent > 0) return accepted > 0 ? '⚠️' : RECIPIENT_STATES.rejected.mark;
  return accepted > 0 ? RECIPIENT_STATES.accepted.mark : RECIPIENT_STATES.skipped.mark;
}
