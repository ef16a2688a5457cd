import type { types } from '@slack/bolt';
import type { Logger } from '../../../core/logger.ts';
import type { AnswerSummary, Reached, ReplyStore } from '../../../sends/replies/ports.ts';
import { describeError } from '../../connection/api-error.ts';
import { literalMrkdwn } from '../../connection/escape.ts';
import { section } from '../blocks/blocks.ts';
import { oneLine, shown } from './words.ts';

export type Answers = ReturnType<typeof createAnswers>;

/** The answers of customers and their phones, as the store has them; `summary` never rejects: without it a card only says less. */
export function createAnswers({ summary, deliveries, answersOf, reached }: ReplyStore, logger: Logger) {
  return {
    ...{ deliveries, answersOf, reached },
    summary: (sendId: string): Promise<AnswerSummary | undefined> =>
      summary(sendId).catch((error: unknown) => {
        logger.error({ sendId, error: describeError(error) }, 'the answers to a send could not be read');
        return undefined;
      }),
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
