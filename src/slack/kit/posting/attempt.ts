import type { Logger } from '../../../core/logger.ts';
import { type ApiFailure, classifyApiError } from '../../connection/api-error.ts';
import { truncate } from '../../connection/limits.ts';
import type { Card } from '../cards/send-card.ts';
import { remedyOf } from './remedy.ts';

/** Slack refuses to update a message to a longer text. */
export const LONGEST_TEXT = 4_000;

/** What became of one try to post or update a card. */
export type Attempt =
  | { readonly state: 'done'; readonly channelId?: string; readonly ts?: string }
  /** Not refused: another time it may work. */
  | { readonly state: 'again'; readonly failure: Exclude<ApiFailure, { kind: 'refused' }> }
  | { readonly state: 'refused'; readonly code: string };

type Call = (
  card: Card,
) => Promise<{ readonly channel?: string | undefined; readonly ts?: string | undefined }>;

/**
 * Calls Slack with a card; should Slack not take the blocks, without its pictures, and then with its sentence alone: plain
 * beats nothing.
 */
export async function attempt(card: Card, call: Call, logger: Logger): Promise<Attempt> {
  let first = await attemptOnce(card, call);
  const blocks = card.blocks.filter(({ type }) => type !== 'image');
  if (isRefusedAsItIs(first) && blocks.length < card.blocks.length) {
    logger.warn({ code: first.code }, 'Slack refused a result with a picture; it is posted without');
    first = await attemptOnce({ ...card, blocks }, call);
  }
  if (!isRefusedAsItIs(first)) return first;
  logger.error({ code: first.code }, 'Slack refused a result\u2019s blocks; its sentence is posted alone');
  return attemptOnce({ text: truncate(card.text, LONGEST_TEXT), blocks: [] }, call);
}

function isRefusedAsItIs(result: Attempt): result is Extract<Attempt, { state: 'refused' }> {
  return result.state === 'refused' && remedyOf(result.code) === 'plain_text';
}

async function attemptOnce(card: Card, call: Call): Promise<Attempt> {
  try {
    const { channel, ts } = await call(card);
    return { state: 'done', ...(channel && { channelId: channel }), ...(ts && { ts }) };
  } catch (error) {
    const failure = classifyApiError(error);
    return failure.kind === 'refused'
      ? { state: 'refused', code: failure.code }
      : { state: 'again', failure };
  }
}
