import type { Template } from '../../../messages/templates/template.ts';
import type { Approval, FailureGroup } from '../../../sends/ports.ts';
import type { SendEvent } from '../../../sends/record.ts';
import type { AnswerSummary } from '../../../sends/replies/ports.ts';
import type { Send } from '../../../sends/send.ts';
import type { Answers } from '../../kit/cards/answers.ts';
import { templateOf } from '../../kit/cards/template-of.ts';
import { lastInto } from '../../kit/cards/words.ts';
import type { BulkAnnouncerDependencies } from './dependencies.ts';

/** A send that is done or stopped, and all that its last message tells of it. */
export interface EndedSend {
  readonly send: Send;
  readonly template: Template | undefined;
  /** The record, oldest first. */
  readonly events: readonly SendEvent[];
  readonly approvals: readonly Approval[];
  readonly failures: readonly FailureGroup[];
  readonly retries: readonly Send[];
  /** What came back from customers and their phones, where webhooks tell. */
  readonly answers: AnswerSummary | undefined;
}

export async function gatherEnded(
  send: Send,
  {
    store,
    answers,
    catalogue,
    logger,
  }: Pick<BulkAnnouncerDependencies, 'store' | 'catalogue' | 'logger'> & {
    readonly answers: Pick<Answers, 'summary'>;
  },
): Promise<EndedSend> {
  return {
    send,
    template: await templateOf(send, catalogue, logger),
    events: await store.events(send.id),
    approvals: await store.approvals(send.id),
    failures: await store.failures(send.id),
    retries: await store.retriesOf(send.id),
    answers: await answers.summary(send.id),
  };
}

/** When a send first began, and when it ended, in milliseconds since the epoch. */
export function timesOf({ send, events }: Pick<EndedSend, 'send' | 'events'>): {
  readonly from: number;
  readonly to: number;
} {
  const from = events.find(({ action }) => action === 'sending')?.at ?? send.createdAt;
  return { from, to: lastInto(send.state, events)?.at ?? from };
}
