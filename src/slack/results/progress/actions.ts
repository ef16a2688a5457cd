import { formatNumber } from '../../../messages/numbers/phone-number.ts';
import type { BulkResult } from '../../../sends/bulk.ts';
import { readReport } from '../../../sends/ports.ts';
import type { RetryGroup, Send, SendState } from '../../../sends/send.ts';
import { mention, moment, section } from '../../kit/blocks/blocks.ts';
import { people } from '../../kit/cards/words.ts';
import { answerClick, clickerOf, isRefusal, NO_SUCH_SEND, refusalText } from '../../kit/clicks/answering.ts';
import type { ClickArguments, ClickHandler } from '../../kit/clicks/arguments.ts';
import type { ResultServices } from '../approve/actions.ts';
import { howItStands } from '../standing.ts';
import { unknownMark } from './card.ts';
import { reportFile, reportTitle } from './report.ts';

/** Gives the report with its whole numbers to whoever clicked, and to nobody else. */
export const handleReport: ClickHandler<ResultServices> = async (args, services) => {
  const sendId = args.action.value ?? '';
  const send = await services.store.find(sendId);
  if (send === undefined) return answerClick(args, NO_SUCH_SEND);
  const file = reportFile(send, services);
  const sent = await services.files.sendTo(args.body.user.id, reportTitle(send), file);
  await answerClick(args, sent.ok ? 'The file was sent to you directly.' : sent.error.sentence);
};

export const handleNumber: ClickHandler<ResultServices> = async (args, { store }) => {
  const report = await readReport(store, args.action.value ?? '');
  if (report === undefined || report.send.audience !== undefined) return answerClick(args, NO_SUCH_SEND);
  const { send, recipient } = report;
  await answerClick(
    args,
    `The number of ${send.id} is ${formatNumber(recipient.number)}. Only you see this.`,
  );
};

/** @param from the states that the button is for */
function handleChange(
  change: 'pause' | 'resume' | 'stop' | 'withdraw',
  from: readonly SendState[],
  done: (send: Send) => string,
) {
  return async (args: ClickArguments, { bulkSends, store }: ResultServices): Promise<void> => {
    const sendId = args.action.value ?? '';
    const result = await bulkSends[change]({ sendId, ...clickerOf(args) });
    if (!isRefusal(result)) return answerClick(args, done(result));
    const send = await store.find(sendId);
    const late = send && !from.includes(send.state) ? ` ${sendId}: ${await howItStands(send, store)}.` : '';
    await answerClick(args, `${refusalText(result)}${late}`);
  };
}

export const handlePause = handleChange('pause', ['sending'], ({ id }) => {
  return `${id} is paused. What was on its way is finished; nothing new starts.`;
});
export const handleResume = handleChange('resume', ['paused'], ({ id }) => `${id} goes on.`);
export const handleStop = handleChange('stop', ['sending', 'paused'], ({ id, counts }) => {
  return `${id} is stopped for good. ${people(counts.pending)} not tried yet will get nothing.`;
});
export const handleWithdraw = handleChange(
  'withdraw',
  ['awaiting_approval', 'approved', 'scheduled'],
  ({ id }) => `${id} is withdrawn. Nothing was sent.`,
);

export function handleRetry(group: RetryGroup) {
  return async (args: ClickArguments, dependencies: ResultServices): Promise<void> => {
    await answerClick(args, retryText(await retry(args, group, dependencies)));
  };
}

/** The question is answered for everyone to see: who chose, and what came of it. */
export const handleRetryUnknown: ClickHandler<ResultServices> = async (args, dependencies) => {
  const result = await retry(args, 'unknown', dependencies);
  // Whoever was quicker has answered the question; on the card of the send it is none.
  const isQuestion = args.body.message?.blocks?.[0]?.block_id === unknownMark(args.action.value ?? '');
  if (!isQuestion || result.state === 'refused' || result.state === 'repeated')
    return answerClick(args, retryText(result));
  await settleQuestion(args, dependencies.clock.now(), `send again. ${retryText(result)}`);
};

/** To wait is what happens anyway; that somebody chose it is kept, and seen by everyone who reads the question. */
function handleChoice(action: 'left_unknown' | 'chose_to_wait', answer: (send: Send) => string | undefined) {
  return async (args: ClickArguments, { store, clock }: ResultServices): Promise<void> => {
    const send = await store.find(args.action.value ?? '');
    if (send === undefined) return answerClick(args, NO_SUCH_SEND);
    const said = answer(send);
    if (said === undefined)
      return answerClick(args, `It is no longer waiting. ${send.id}: ${await howItStands(send, store)}.`);
    const at = clock.now();
    await store.recordOnce({ sendId: send.id, action, at, actor: args.body.user.id });
    await settleQuestion(args, at, said);
  };
}

export const handleLeave = handleChoice('left_unknown', ({ id, counts }) => {
  return `leave it. ${people(counts.unknown)} may have received ${id}. Herald does not send to them again.`;
});
export const handleWait = handleChoice('chose_to_wait', ({ state, resumeAt, counts }) =>
  state === 'paused' && resumeAt !== undefined
    ? `wait. ${people(counts.pending)} left; it goes on by itself ${moment(resumeAt)}.`
    : undefined,
);

/** Puts the answer, with who gave it, in the place of the question and its buttons. */
async function settleQuestion({ body, respond }: ClickArguments, at: number, answer: string): Promise<void> {
  const text = `${mention(body.user.id)}, ${moment(at)}: ${answer}`;
  await respond({ replace_original: true, text, blocks: [section(text)] });
}

/** However often and by however many people it is clicked, `sends` makes one of it. */
function retry(args: ClickArguments, group: RetryGroup, { bulkSends }: ResultServices): Promise<BulkResult> {
  const sendId = args.action.value ?? '';
  const { userId, teamId } = clickerOf(args);
  const origin = { userId, teamId, channelId: args.body.channel?.id ?? userId };
  return bulkSends.retry({ sendId, origin, group, requestKey: `retry:${args.body.trigger_id}` });
}

function retryText(result: BulkResult): string {
  switch (result.state) {
    case 'refused':
      return refusalText(result);
    case 'started':
      return `It goes out as ${result.send.id}, to ${people(result.send.recipientCount)}.`;
    case 'awaiting_approval':
      return `${result.send.id}, to ${people(result.send.recipientCount)}, waits for approval.`;
    case 'repeated':
      return `This was asked for before, as ${result.send.id}, and is not sent a second time.`;
  }
}
