import type { Logger } from '../../../core/logger.ts';
import type { AnswerSummary, ReplyStore } from '../../../sends/replies/ports.ts';
import { describeError } from '../../connection/describe-error.ts';

/** What customers and their phones answered. */
export interface Answers extends Pick<ReplyStore, 'deliveries' | 'answersOf' | 'reached'> {
  /** Never rejects: without it a card only says less. */
  summary(sendId: string): Promise<AnswerSummary | undefined>;
}

export function createAnswers(
  store: Pick<ReplyStore, 'summary' | 'deliveries' | 'answersOf' | 'reached'>,
  logger: Logger,
): Answers {
  return {
    answersOf: (number, whose) => store.answersOf(number, whose),
    reached: (sendIds) => store.reached(sendIds),
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
