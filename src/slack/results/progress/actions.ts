import type { Logger } from '../../../core/logger.ts';
import { formatNumber } from '../../../messages/numbers/phone-number.ts';
import type { BulkResult, BulkSends } from '../../../sends/bulk.ts';
import type { SendReader, SendWriter } from '../../../sends/ports.ts';
import { readReport } from '../../../sends/report.ts';
import type { RetryGroup, Send, SendState } from '../../../sends/send.ts';
import { mention, moment, section } from '../../kit/blocks/blocks.ts';
import type { Answers } from '../../kit/cards/answers.ts';
import { actorOf, lastInto, people, stateOf } from '../../kit/cards/words.ts';
import { answerClick, clickerOf, isRefusal, NO_SUCH_SEND, refusalText } from '../../kit/clicks/answering.ts';
import type { ClickArguments, ClickHandler } from '../../kit/clicks/arguments.ts';
import type { SlackFiles } from '../../kit/files/files.ts';
import { reportFile } from './report.ts';

export interface ProgressDependencies {
  readonly bulkSends: Pick<BulkSends, 'pause' | 'resume' | 'stop' | 'withdraw' | 'retry'>;
  readonly store: Pick<SendReader, 'find' | 'events' | 'failures' | 'recipients'> &
    Pick<SendWriter, 'recordOnce'>;
  readonly answers: Answers;
  readonly files: Pick<SlackFiles, 'sendTo'>;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

/** Gives the report with its whole numbers to whoever clicked, and to nobody else. */
export const handleReport: ClickHandler<ProgressDependencies> = async (args, { store, answers, files }) => {
  const sendId = args.action.value ?? '';
  const send = await store.find(sendId);
  if (send === undefined) return answerClick(args, NO_SUCH_SEND);
  const sentence = `The result for every recipient of ${sendId}:`;
  const sent = await files.sendTo(args.body.user.id, sentence, reportFile(send, store, answers));
  await answerClick(args, sent.ok ? 'The file was sent to you directly.' : sent.error.sentence);
};

/** Gives the whole number of a message to whoever clicked, and to nobody else. */
export const handleNumber: ClickHandler<ProgressDependencies> = async (args, { store }) => {
  const report = await readReport(store, args.action.value ?? '');
  if (report === undefined || report.send.audience !== undefined) return answerClick(args, NO_SUCH_SEND);
  const { send, recipient } = report;
  await answerClick(
    args,
    `The number of ${send.id} is ${formatNumber(recipient.number)}. Only you see this.`,
  );
};

interface Change {
  /** The states that the button is for. */
  readonly from: readonly SendState[];
  readonly change: 'pause' | 'resume' | 'stop' | 'withdraw';
  readonly done: (send: Send) => string;
}

function handleChange({ from, change, done }: Change) {
  return async (args: ClickArguments, { bulkSends, store }: ProgressDependencies): Promise<void> => {
    const sendId = args.action.value ?? '';
    const result = await bulkSends[change]({ sendId, ...clickerOf(args) });
    if (!isRefusal(result)) return answerClick(args, done(result));
    const send = await store.find(sendId);
    const late = send && !from.includes(send.state) ? ` ${await howItStands(send, store)}` : '';
    await answerClick(args, `${refusalText(result)}${late}`);
  };
}

export const handlePause = handleChange({
  from: ['sending'],
  change: 'pause',
  done: ({ id }) => `${id} is paused. What was on its way is finished; nothing new starts.`,
});
export const handleResume = handleChange({
  from: ['paused'],
  change: 'resume',
  done: ({ id }) => `${id} goes on.`,
});
export const handleStop = handleChange({
  from: ['sending', 'paused'],
  change: 'stop',
  done: ({ id, counts }) =>
    `${id} is stopped for good. ${people(counts.pending)} not tried yet will get nothing.`,
});
export const handleWithdraw = handleChange({
  from: ['awaiting_approval', 'approved', 'scheduled'],
  change: 'withdraw',
  done: ({ id }) => `${id} is withdrawn. Nothing was sent.`,
});

/** Who was quicker, and when. */
async function howItStands(send: Send, store: Pick<SendReader, 'events'>): Promise<string> {
  const event = lastInto(send.state, await store.events(send.id));
  return `${send.id}: ${stateOf(send).words}${event ? ` ${actorOf(event)}` : ''}.`;
}

/** Sends again to one group of those whom a send did not reach. */
export function handleRetry(group: RetryGroup) {
  return async (args: ClickArguments, dependencies: ProgressDependencies): Promise<void> => {
    await answerClick(args, retryText(await retry(args, group, dependencies)));
  };
}

/** The question is answered for everyone to see: who chose, and what came of it. */
export const handleRetryUnknown: ClickHandler<ProgressDependencies> = async (args, dependencies) => {
  const result = await retry(args, 'unknown', dependencies);
  // Whoever was quicker has answered the question.
  if (result.state === 'refused' || result.state === 'repeated') return answerClick(args, retryText(result));
  await settleQuestion(args, dependencies.clock.now(), `send again. ${retryText(result)}`);
};

export const handleLeave: ClickHandler<ProgressDependencies> = async (args, { store, clock }) => {
  const send = await store.find(args.action.value ?? '');
  if (send === undefined) return answerClick(args, NO_SUCH_SEND);
  const { id: sendId, counts } = send;
  const at = clock.now();
  await store.recordOnce({ sendId, action: 'left_unknown', at, actor: args.body.user.id });
  const unknown = `${people(counts.unknown)} may have received ${sendId}. Herald does not send to them again.`;
  await settleQuestion(args, at, `leave it. ${unknown}`);
};

/** To wait is what happens anyway; that somebody chose it is kept, and seen by everyone who reads the question. */
export const handleWait: ClickHandler<ProgressDependencies> = async (args, { store, clock }) => {
  const send = await store.find(args.action.value ?? '');
  if (send === undefined) return answerClick(args, NO_SUCH_SEND);
  const { id: sendId, state, resumeAt, counts } = send;
  if (state !== 'paused' || resumeAt === undefined)
    return answerClick(args, `It is no longer waiting. ${await howItStands(send, store)}`);
  const at = clock.now();
  await store.recordOnce({ sendId, action: 'chose_to_wait', at, actor: args.body.user.id });
  const left = `${people(counts.pending)} left; it goes on by itself ${moment(resumeAt)}.`;
  await settleQuestion(args, at, `wait. ${left}`);
};

/** Puts the answer, with who gave it, in the place of the question and its buttons. */
async function settleQuestion({ body, respond }: ClickArguments, at: number, answer: string): Promise<void> {
  const text = `${mention(body.user.id)}, ${moment(at)}: ${answer}`;
  await respond({ replace_original: true, text, blocks: [section(text)] });
}

/** However often and by however many people it is clicked, `sends` makes one of it. */
function retry(
  args: ClickArguments,
  group: RetryGroup,
  { bulkSends }: Pick<ProgressDependencies, 'bulkSends'>,
): Promise<BulkResult> {
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
