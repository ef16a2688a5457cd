import type { Logger } from '../../../core/logger.ts';
import type { AnswerSummary, ReplyStore } from '../../../sends/replies/ports.ts';
import { describeError } from '../../connection/describe-error.ts';

/** What customers and their phones answered. */
export interface Answers extends Pick<ReplyStore, 'deliveries'> {
  /** Never rejects: without it a card only says less. */
  summary(sendId: string): Promise<AnswerSummary | undefined>;
}

export function createAnswers(store: Pick<ReplyStore, 'summary' | 'deliveries'>, logger: Logger): Answers {
  return {
    summary: async (sendId) => {
      try {
        return await store.summary(sendId);
      } catch (error) {
        logger.error({ sendId, error: describeError(error) }, 'the answers to a send could not be read');
        return undefined;
      }
    },
    deliveries: (sendId, fromRow, toRow) => store.deliveries(sendId, fromRow, toRow),
  };
}
