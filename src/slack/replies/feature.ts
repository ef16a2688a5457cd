import type { KnownBlock } from '@slack/types';
import { context, mention } from '../kit/blocks/blocks.ts';
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
