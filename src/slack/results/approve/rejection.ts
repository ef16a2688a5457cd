import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { LATE } from '../../../core/within.ts';
import type { Refusal } from '../../../sends/bulk.ts';
import type { Send } from '../../../sends/send.ts';
import { readCarried } from '../../connection/carried.ts';
import { input, modal, section, textInput } from '../../kit/blocks/blocks.ts';
import {
  clickerOf,
  isRefusal,
  notify,
  openForClick,
  readSendValue,
  refusalText,
} from '../../kit/clicks/answering.ts';
import type { ClickHandler, SubmissionHandler } from '../../kit/clicks/arguments.ts';
import { FIELD_ACTION } from '../../kit/forms/input-block.ts';
import { valueAt } from '../../kit/forms/path.ts';
import { readState } from '../../kit/forms/read-state.ts';
import { answerLate, showing } from '../../kit/views/answer-late.ts';
import type { Approving } from './dependencies.ts';
import { howItEnded } from './how-it-ended.ts';

export const REJECTION_VIEW = 'approval_rejection';
const REASON_FIELD = 'reason';
const REASON_MAX_CHARACTERS = 500;

const metadataSchema = z.object({
  sendId: z.string(),
  channelId: z.string(),
  own: z.boolean().default(false),
});

/** Who asked does not reject: they take their request back, and owe nobody a reason. */
export const openRejection: ClickHandler<Approving> = async (args, { store }) => {
  const { sendId } = readSendValue(args.action.value ?? '');
  const { id: userId } = args.body.user;
  const own = (await store.find(sendId))?.origin.userId === userId;
  await openForClick(args, rejectionView(sendId, args.body.channel?.id ?? userId, own));
};

function rejectionView(sendId: string, channelId: string, own: boolean): ModalView {
  const form = { callbackId: REJECTION_VIEW, metadata: JSON.stringify({ sendId, channelId, own }) };
  if (own) {
    const text = `Nothing of ${sendId} was sent, and nothing will be. You can change it and ask again.`;
    return modal({ ...form, title: 'Withdraw this send', submit: 'Withdraw', blocks: [section(text)] });
  }
  const element = textInput(FIELD_ACTION, { multiline: true, maxLength: REASON_MAX_CHARACTERS });
  const hint = `${sendId} then ends, and the person who asked is shown this.`;
  const blocks = [input(REASON_FIELD, 'Reason', element, { hint })];
  return modal({ ...form, title: 'Reject this send', submit: 'Reject', blocks });
}

export const handleRejection: SubmissionHandler<Approving> = async (args, approving) => {
  const { body, ack } = args;
  const { sendId, channelId, own } = readCarried(metadataSchema, body.view.private_metadata);
  const typed = valueAt(readState(body.view.state.values), REASON_FIELD);
  const reason = typeof typed === 'string' ? typed.trim() : '';
  if (reason === '' && !own) {
    return ack({
      response_action: 'errors',
      errors: { [REASON_FIELD]: 'Say why, so that the person who asked knows what to change.' },
    });
  }
  const { userId, teamId } = clickerOf(args);
  const rejecting = own
    ? approving.bulkSends.withdraw({ sendId, userId })
    : approving.bulkSends.reject({ sendId, userId, teamId, reason });
  const done = own ? 'withdrew' : 'rejected';
  const answers = {
    inTime: async (result: Send | Refusal) => {
      if (!isRefusal(result)) return LATE;
      const why = (await howItEnded(sendId, approving.store)) ?? refusalText(result);
      return ack(showing(modal({ title: 'Nothing changed', blocks: [section(why)] })));
    },
    late: async (ended: Send | Refusal) => {
      const sentence = isRefusal(ended)
        ? `${ended.what} ${ended.next}`
        : `You ${done} ${sendId}. Nothing was sent.`;
      await notify(args.client, { channelId, userId }, sentence, approving.logger);
      return {};
    },
  };
  await answerLate(args, rejecting, answers, approving);
};
