import type { KnownBlock } from '@slack/types';
import { describeError } from '../connection/api-error.ts';
import type { Identity } from '../connection/identity.ts';
import { isRecord, type Payload, textAt } from '../connection/payload.ts';
import { actions, context, mention, section } from '../kit/blocks/blocks.ts';
import { answerControl } from '../kit/cards/answer-control.ts';
import type { ClickHandler } from '../kit/clicks/arguments.ts';
import type { Feature } from '../kit/feature/feature.ts';
import type { SlackServices } from '../kit/services.ts';
import { NO_ANSWER_ACTION } from './card.ts';

/** Nobody needs to answer the words in this message; the message says who decided so. */
const handleNoAnswer: ClickHandler<SlackServices> = async ({ body, action, respond }, { conversations }) => {
  const ids = (action.value ?? '').split('.').map(Number).filter(Number.isSafeInteger);
  await conversations.closeQuestions(ids, body.user.id);
  const said = context(`✔️ No answer needed, says ${mention(body.user.id)}.`);
  const { text = '', blocks = [] } = body.message ?? {};
  await respond({ replace_original: true, text, blocks: [...blocks.flatMap(withoutButton), said] });
};

/** Customers write back. Answering them is a matter of composing. */
export const repliesFeature: Feature<SlackServices> = {
  actions: {
    [NO_ANSWER_ACTION]: { needs: 'sends', right: () => ({ to: 'sends' }), handle: handleNoAnswer },
  },
  keeps: ['message.channels', 'message.groups'],
  scopes: {
    'channels:history':
      'to say to whoever writes into the thread of a customer’s answer that the customer does not see it',
  },
};

function withoutButton(block: KnownBlock): KnownBlock[] {
  if (block.type !== 'actions') return [block];
  const elements = block.elements.filter(({ action_id }) => action_id !== NO_ANSWER_ACTION);
  return elements.length === 0 ? [] : [{ ...block, elements }];
}

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
