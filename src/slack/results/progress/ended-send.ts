import type { FailureGroup, SendReader } from '../../../sends/ports.ts';
import type { AnswerSummary } from '../../../sends/replies/ports.ts';
import type { Send } from '../../../sends/send.ts';
import type { Answers } from '../../kit/cards/answers.ts';
import { lastInto } from '../../kit/cards/words.ts';
import { type Standing, standingOf } from '../standing.ts';

/** A send that is done or stopped, and all that its last message tells of it. */
export interface EndedSend extends Standing {
  readonly failures: readonly FailureGroup[];
  readonly retries: readonly Send[];
  /** What came back from customers and their phones, where webhooks tell. */
  readonly answers: AnswerSummary | undefined;
}

export async function gatherEnded(
  send: Send,
  sources: Parameters<typeof standingOf>[1] & {
    readonly store: Pick<SendReader, 'failures' | 'retriesOf'>;
    readonly answers: Pick<Answers, 'summary'>;
  },
): Promise<EndedSend> {
  const { store, answers } = sources;
  return {
    ...(await standingOf(send, sources)),
    failures: await store.failures(send.id),
    retries: await store.retriesOf(send.id),
    answers: await answers.summary(send.id),
  };
}

/** True of one that began, or might have. */
export function hasEnded({ state }: Send): boolean {
  return state === 'done' || state === 'stopped';
}

/** When a send first began, and when it ended, in milliseconds since the epoch. */
export function timesOf({ send, events }: Pick<EndedSend, 'send' | 'events'>): {
  readonly from: number;
  readonly to: number;
} {
  const from = events.find(({ action }) => action === 'sending')?.at ?? send.createdAt;
  return { from, to: lastInto(send.state, events)?.at ?? from };
}
