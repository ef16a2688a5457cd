import type { types } from '@slack/bolt';
import type { Logger } from '../../../core/logger.ts';
import type { AnswerSummary, Reached, ReplyStore } from '../../../sends/replies/ports.ts';
import { describeError } from '../../connection/api-error.ts';
import { literalMrkdwn } from '../../connection/escape.ts';
import { section } from '../blocks/blocks.ts';
import { oneLine, shown } from './words.ts';

/** The answers of customers and their phones. */
export interface Answers extends Pick<ReplyStore, 'deliveries' | 'answersOf' | 'reached'> {
  /** Never rejects: without it a card only says less. */
  summary(sendId: string): Promise<AnswerSummary | undefined>;
}

export function createAnswers(
  store: Pick<ReplyStore, 'summary' | 'deliveries' | 'answersOf' | 'reached'>,
  logger: Logger,
): Answers {
  return {
    // Not spread: a store may be a proxy, whose methods are no properties of its own.
    deliveries: (sendId, fromRow, toRow) => store.deliveries(sendId, fromRow, toRow),
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
  };
}

/** More than a list has rows or a message has buttons; what customers make up themselves is not counted here. */
const LABELS_SHOWN = 12;
const SHOWN_LABEL = 75;

/** The buttons that people tapped on the send's own message, counted. Nothing while nothing came. */
export function answerBlocks({ tally }: Pick<AnswerSummary, 'tally'> = { tally: [] }): types.SectionBlock[] {
  if (tally.length === 0) return [];
  const first = tally
    .slice(0, LABELS_SHOWN)
    .map(({ label, count }) => `${literalMrkdwn(oneLine(label), SHOWN_LABEL)} – *${shown(count)}*`);
  const more = tally.length > LABELS_SHOWN ? [`${tally.length - LABELS_SHOWN} more`] : [];
  return [section(`💬 ${[...first, ...more].join(' · ')}`)];
}

/** Delivery as far as the service reported it: what it does not report is not made up. */
export function deliveryParts({ delivered, read, failed }: Reached): string[] {
  return [
    ...(delivered > 0 ? [`📬 ${shown(delivered)} delivered`] : []),
    ...(read > 0 ? [`${shown(read)} read`] : []),
    ...(failed > 0 ? [`📪 ${shown(failed)} not delivered`] : []),
  ];
}
