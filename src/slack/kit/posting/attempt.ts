import type { Logger } from '../../../core/logger.ts';
import { type ApiFailure, classifyApiError, remedyOf } from '../../connection/api-error.ts';
import { LIMITS, truncate } from '../../connection/limits.ts';
import { olderBlocks } from '../../connection/new-blocks.ts';
import { section } from '../blocks/blocks.ts';
import type { Card } from '../cards/send-card.ts';

/** Slack refuses to update a message to a longer text. */
export const LONGEST_TEXT = 4_000;

type Attempt =
  | { readonly state: 'done'; readonly channelId?: string; readonly ts?: string }
  | { readonly state: 'failed'; readonly failure: ApiFailure };

type Call = (
  card: Card,
) => Promise<{ readonly channel?: string | undefined; readonly ts?: string | undefined }>;

/** Calls Slack with a card and, should it not take the blocks, with ever plainer ones: plain beats nothing. */
export async function attempt(card: Card, call: Call, logger: Logger): Promise<Attempt> {
  let result = await attemptOnce(card, call);
  for (const plainer of plainerCards(card)) {
    const code = result.state === 'failed' && result.failure.kind === 'refused' && result.failure.code;
    if (!code || remedyOf(code) !== 'plain_text') break;
    logger.warn({ code }, 'Slack refused the blocks of a result; it is posted more plainly');
    result = await attemptOnce(plainer, call);
  }
  return result;
}

/** The card without pictures, which Slack may not reach; its sentence alone, under the mark by which it is found again; and without that. */
function plainerCards({ text, blocks }: Card): Card[] {
  const withoutPictures = olderBlocks(blocks).filter(({ type }) => type !== 'image');
  const sentence = section(truncate(text, LIMITS.sectionText));
  const mark = blocks[0]?.block_id;
  return [
    ...(withoutPictures.length < olderBlocks(blocks).length ? [{ text, blocks: withoutPictures }] : []),
    ...(mark === undefined ? [] : [{ text, blocks: [{ ...sentence, block_id: mark }] }]),
    { text, blocks: [] },
  ].map((plainer) => ({ ...plainer, text: truncate(plainer.text, LONGEST_TEXT) }));
}

async function attemptOnce(card: Card, call: Call): Promise<Attempt> {
  try {
    const { channel, ts } = await call(card);
    return { state: 'done', ...(channel && { channelId: channel }), ...(ts && { ts }) };
  } catch (error) {
    return { state: 'failed', failure: classifyApiError(error) };
  }
}
