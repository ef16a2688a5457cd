import type { KnownBlock, ModalView } from '@slack/types';
import type { Logger } from '../../../core/logger.ts';
import { fail, ok, type Result } from '../../../core/result.ts';
import type { Refusal } from '../../../sends/bulk.ts';
import type { Send } from '../../../sends/send.ts';
import { classifyApiError, whyRefused } from '../../connection/api-error.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { LIMITS, truncate } from '../../connection/limits.ts';
import type { NewBlocks } from '../../connection/new-blocks.ts';
import { notifyPerson } from '../../connection/notify-person.ts';
import { plainTextOf } from '../message-text/plain-text.ts';
import { attempt, LONGEST_TEXT } from '../posting/attempt.ts';
import type { ClickArguments, EphemeralMessage, Respond, SlackClient } from './arguments.ts';

/** Names who clicked, as the rules of approval want it. */
export function clickerOf({ body }: { readonly body: Pick<ClickArguments['body'], 'user' | 'team'> }) {
  return { userId: body.user.id, teamId: body.user.team_id ?? body.team?.id ?? '' };
}

/** Makes a message that one person alone sees; `text` is mrkdwn. */
export function ephemeral(text: string, blocks?: KnownBlock[]): EphemeralMessage {
  return { response_type: 'ephemeral', text, ...(blocks && { blocks }) };
}

/** The same for a sentence of plain text. */
export function ephemeralSentence(sentence: string): EphemeralMessage {
  return ephemeral(escapeMrkdwn(sentence, LIMITS.sectionText));
}

/** Answers the person who clicked, and nobody else. `text` is mrkdwn. */
export async function answerClick({ respond }: Pick<ClickArguments, 'respond'>, text: string): Promise<void> {
  await respond({ ...ephemeral(text), replace_original: false });
}

/** A refusal in whole sentences, as mrkdwn in which people are named. */
export function refusalText({ what, next }: Pick<Refusal, 'what' | 'next'>): string {
  const escaped = escapeMrkdwn(`${what} ${next}`, LIMITS.sectionText);
  return escaped.replaceAll(/&lt;(@[UW][A-Z0-9]+)&gt;/g, '<$1>');
}

export function isRefusal(result: Send | Refusal): result is Refusal {
  return result.state === 'refused';
}

export const NO_SUCH_SEND = 'There is no such send any more.';

/** Makes the value of a button of a send: the send, the digest that its reader saw, and perhaps more, which is cut to fit. */
export function sendValue({ id, digest = '' }: Send, more = ''): string {
  return truncate(`${id}.${digest}${more && `.${more}`}`, LIMITS.buttonValue);
}

export function readSendValue(value: string) {
  const [sendId = '', digest = '', ...more] = value.split('.');
  return { sendId, digest, more: more.join('.') };
}

/**
 * Opens a window, or puts it above the one that is open. Fails with a sentence that says why Slack did not; the caller
 * adds whether anything was sent and what to do.
 */
export async function openModal(
  client: Pick<SlackClient, 'views'>,
  triggerId: string,
  view: ModalView,
  how: 'open' | 'push' = 'open',
): Promise<Result<{ readonly id?: string; readonly hash?: string }, string>> {
  try {
    return ok((await client.views[how]({ trigger_id: triggerId, view })).view ?? {});
  } catch (error) {
    const failure = classifyApiError(error);
    if (failure.kind === 'ambiguous') return fail('Slack did not say whether it opened the form.');
    const code = failure.kind === 'refused' ? failure.code : failure.kind;
    // The same command or click was delivered before: its window is open already.
    if (code === 'exchanged_trigger_id') return ok({});
    return fail(
      code === 'expired_trigger_id'
        ? 'The form could not be opened in the three seconds that Slack allows.'
        : `Slack did not open the form ${whyRefused(code)}`,
    );
  }
}

/** Opens a window for whoever clicked, and says it to them when Slack did not. */
export async function openForClick(
  { client, body, respond }: ClickArguments,
  view: ModalView,
): Promise<void> {
  const opened = await openModal(client, body.trigger_id, view);
  if (!opened.ok) await answerClick({ respond }, `${opened.error} Nothing was changed. Click again.`);
}

/**
 * Says a sentence to the person alone, where they are, or directly. For what comes after a form was closed. With `blocks` it is
 * said directly, since buttons must outlive a reload. Never rejects.
 */
export async function notify(
  client: Pick<SlackClient, 'chat'>,
  { channelId, userId }: { readonly channelId: string | undefined; readonly userId: string },
  sentence: string,
  logger: Logger,
  blocks: KnownBlock[] = [],
): Promise<void> {
  if (blocks.length === 0) return notifyPerson({ channelId, userId }, sentence, { client, logger });
  const said = await attempt(
    { text: escapeMrkdwn(sentence, LIMITS.sectionText), blocks },
    (card) => client.chat.postMessage({ channel: userId, ...card }),
    logger,
  );
  if (said.state !== 'done')
    logger.error({ userId, said }, 'a person could not be notified of what happened');
}

/** Makes answers by response_url such that Slack takes them: where it refuses new blocks older ones, and where it refuses these, too, words. */
export function sayingPlainly<
  Arguments extends { readonly respond: Respond; readonly logger: Pick<Console, 'error'> },
>(args: Arguments, newBlocks: NewBlocks): Arguments {
  const { respond, logger } = args;
  const plainly: Respond = async (message) => {
    if (!message.blocks?.length) return respond(message);
    try {
      const say = (blocks: KnownBlock[]) => respond({ ...message, blocks });
      return await newBlocks.show('message', message.blocks, say, wasRefused);
    } catch (error) {
      if (!wasRefused(error)) throw error;
      logger.error('Slack refused an answer\u2019s blocks; it is said more plainly:', error);
      return respond({ ...message, text: escapeMrkdwn(plainTextOf(message), LONGEST_TEXT), blocks: [] });
    }
  };
  return { ...args, respond: plainly };
}

/** A 4xx: nothing was shown. */
function wasRefused(error: unknown): boolean {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 0;
  return status >= 400 && status < 500;
}
