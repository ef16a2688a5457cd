import type { types } from '@slack/bolt';
import type { Logger } from '../../../core/logger.ts';
import type { AnswerSummary, Reached, ReplyStore } from '../../../sends/replies/ports.ts';
import { describeError } from '../../connection/api-error.ts';
import { literalMrkdwn } from '../../connection/escape.ts';
import { section } from '../blocks/blocks.ts';
import { shown, whyText } from './words.ts';

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

/** More than a list has rows or a message has buttons; what customers make up themselves is not counted here. */
const LABELS_SHOWN = 12;
const SHOWN_LABEL = 75;
const FAILURES_SHOWN = 3;
/** Three of them fit into one section. */
const SHOWN_FAILURE = 900;

/**
 * What came back, on the send's own message: people by what they tapped, and delivery as far as it was reported.
 * Nothing while nothing came: what the service does not tell is not made up.
 */
export function answerBlocks(answers: AnswerSummary | undefined): types.SectionBlock[] {
  if (answers === undefined) return [];
  const counts = [...tallyLines(answers), ...deliveryLines(answers)];
  return [counts, failureLines(answers)]
    .filter((lines) => lines.length > 0)
    .map((lines) => section(lines.join('\n')));
}

function tallyLines({ tally }: AnswerSummary): string[] {
  if (tally.length === 0) return [];
  const told = tally
    .slice(0, LABELS_SHOWN)
    .map(
      ({ label, count }) => `${literalMrkdwn(label.replaceAll('\n', ' '), SHOWN_LABEL)} *${shown(count)}*`,
    );
  const more = tally.length > LABELS_SHOWN ? [`${tally.length - LABELS_SHOWN} more`] : [];
  return [`💬 ${[...told, ...more].join(' · ')}`];
}

/** Delivery as far as it was reported, in a few words each; mrkdwn. */
export function deliveryParts({ delivered, read, failed }: Reached): string[] {
  return [
    ...(delivered > 0
      ? [`📬 *${shown(delivered)}* delivered${read > 0 ? ` (${shown(read)} read)` : ''}`]
      : []),
    ...(failed > 0 ? [`📪 *${shown(failed)}* not delivered`] : []),
  ];
}

function deliveryLines(answers: AnswerSummary): string[] {
  const parts = deliveryParts(answers);
  return parts.length === 0 ? [] : [`${parts.join(' · ')}, as the service reports`];
}

function failureLines({ failures }: AnswerSummary): string[] {
  return failures
    .slice(0, FAILURES_SHOWN)
    .map(({ failure, count }) => `• ${shown(count)}: ${whyText(failure, SHOWN_FAILURE)}`);
}
