import { describeError } from '../connection/api-error.ts';
import type { Identity } from '../connection/identity.ts';
import { isRecord, type Payload, textAt } from '../connection/payload.ts';
import { actions, section } from '../kit/blocks/blocks.ts';
import { answerControl } from '../kit/cards/answer-control.ts';
import type { SlackServices } from '../kit/services.ts';

const UNSEEN =
  'The customer does not see what you write in this thread. To write to them, press *Answer*: it is sent, and stands here as well.';
/** As many as a menu offers. */
const CUSTOMERS = 100;
/** Besides plain words; everything else is a notice of Slack’s own or an edit. */
const WRITTEN: ReadonlySet<string | undefined> = new Set([undefined, 'file_share', 'thread_broadcast']);

/**
 * Notifies a person who writes into a thread with a customer’s answer, once and alone, that the customer does not see it. The
 * store is asked only about threads that may be Herald’s own. Never rejects: it is no more than a hint.
 */
export function createThreadHints({
  client,
  conversations,
  logger,
}: Pick<SlackServices, 'client' | 'conversations' | 'logger'>) {
  async function hint(event: Payload, herald: Identity): Promise<void> {
    const [channelId, threadTs, user, parent] = ['channel', 'thread_ts', 'user', 'parent_user_id'].map(
      (name) => textAt(event, name),
    );
    if (event.type !== 'message' || !WRITTEN.has(textAt(event, 'subtype')) || event.bot_id) return;
    if (!channelId || !threadTs || !user || threadTs === event.ts) return;
    if (user === herald.botUserId || (parent && parent !== herald.botUserId)) return;
    const thread = { channelId, threadTs };
    const answers = answerControl(await conversations.inThread(thread, CUSTOMERS));
    if (answers.length === 0 || !(await conversations.claimHint(thread, user))) return;
    const blocks = [section(UNSEEN), ...actions(answers)];
    await client.chat.postEphemeral({
      channel: channelId,
      user,
      thread_ts: threadTs,
      text: UNSEEN,
      blocks,
    });
  }

  return async ({ event }: Payload, herald: Identity): Promise<void> => {
    try {
      if (isRecord(event)) await hint(event, herald);
    } catch (error) {
      logger.warn({ error: describeError(error) }, 'nobody was notified that customers do not see a thread');
    }
  };
}
