import type { App, BlockButtonAction } from '@slack/bolt';
import type { Logger } from '../../../core/logger.ts';
import type { BulkResult, BulkSends, Refusal } from '../../../sends/bulk.ts';
import type { SendReader, SendWriter } from '../../../sends/ports.ts';
import type { RetryGroup, Send, SendState } from '../../../sends/send.ts';
import { mention, moment, section } from '../../kit/blocks/mrkdwn.ts';
import type { Answers } from '../../kit/cards/answers.ts';
import { actorOf, lastInto, people, SEND_STATES } from '../../kit/cards/words.ts';
import {
  answerClick,
  clickerOf,
  isRefusal,
  NO_SUCH_SEND,
  refusalText,
  type SendClick,
} from '../../kit/clicks/click.ts';
import type { SlackFiles } from '../../kit/files/files.ts';
import {
  CANCEL_ACTION,
  LEAVE_ACTION,
  PAUSE_ACTION,
  RESUME_ACTION,
  RETRY_UNKNOWN_ACTION,
  STOP_ACTION,
  WAIT_ACTION,
} from './card.ts';
import { REPORT_ACTION, reportFile } from './report.ts';
import { RETRY_FAILED_ACTION, SEND_TO_REST_ACTION } from './retry-buttons.ts';

export interface ProgressDependencies {
  readonly bulkSends: Pick<BulkSends, 'pause' | 'resume' | 'stop' | 'cancel' | 'retry'>;
  readonly store: Pick<SendReader, 'find' | 'events' | 'failures' | 'recipients'> &
    Pick<SendWriter, 'noteOnce'>;
  readonly answers: Answers;
  readonly files: Pick<SlackFiles, 'sendTo'>;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

/** Adds the buttons by which a send is paused, resumed, stopped, cancelled and tried again. */
export function registerProgress(app: App, dependencies: ProgressDependencies): void {
  const { bulkSends } = dependencies;
  const changes: Readonly<Record<string, Change>> = {
    [PAUSE_ACTION]: { from: ['sending'], change: (by) => bulkSends.pause(by), done: paused },
    [RESUME_ACTION]: { from: ['paused'], change: (by) => bulkSends.resume(by), done: resumed },
    [STOP_ACTION]: { from: ['sending', 'paused'], change: (by) => bulkSends.stop(by), done: stopped },
    [CANCEL_ACTION]: {
      from: ['awaiting_approval', 'approved', 'scheduled'],
      change: (by) => bulkSends.cancel(by),
      done: cancelled,
    },
  };
  for (const [action, change] of Object.entries(changes)) {
    app.action<BlockButtonAction>(action, (args) => handleChange(args, change, dependencies));
  }
  app.action<BlockButtonAction>(RETRY_FAILED_ACTION, (args) => handleRetry(args, 'failed', dependencies));
  app.action<BlockButtonAction>(SEND_TO_REST_ACTION, (args) => handleRetry(args, 'untried', dependencies));
  app.action<BlockButtonAction>(RETRY_UNKNOWN_ACTION, (args) => handleRetryUnknown(args, dependencies));
  app.action<BlockButtonAction>(LEAVE_ACTION, (args) => handleLeave(args, dependencies));
  app.action<BlockButtonAction>(WAIT_ACTION, (args) => handleWait(args, dependencies));
  app.action<BlockButtonAction>(REPORT_ACTION, (args) => handleReport(args, dependencies));
}

/** Gives the report with its whole numbers to whoever clicked, and to nobody else. */
async function handleReport(args: SendClick, { store, answers, files }: ProgressDependencies): Promise<void> {
  await args.ack();
  const sendId = args.action.value ?? '';
  if ((await store.find(sendId)) === undefined) return answerClick(args, NO_SUCH_SEND);
  const sentence = `What became of every recipient of ${sendId}:`;
  const sent = await files.sendTo(args.body.user.id, sentence, reportFile(sendId, store, answers));
  await answerClick(args, sent.ok ? 'The file was sent to you directly.' : sent.error);
}

interface Change {
  /** The states that the button is for. */
  readonly from: readonly SendState[];
  readonly change: (by: { sendId: string; userId: string; teamId: string }) => Promise<Send | Refusal>;
  readonly done: (send: Send) => string;
}

async function handleChange(
  args: SendClick,
  { from, change, done }: Change,
  { store }: ProgressDependencies,
): Promise<void> {
  await args.ack();
  const sendId = args.action.value ?? '';
  const result = await change({ sendId, ...clickerOf(args) });
  if (!isRefusal(result)) return answerClick(args, done(result));
  const send = await store.find(sendId);
  const late = send && !from.includes(send.state) ? ` ${await howItStands(send, store)}` : '';
  await answerClick(args, `${refusalText(result)}${late}`);
}

/** Who was quicker, and when. */
async function howItStands({ id, state }: Send, store: Pick<SendReader, 'events'>): Promise<string> {
  const event = lastInto(state, await store.events(id));
  return `${id}: ${SEND_STATES[state].words}${event ? ` ${actorOf(event)}` : ''}.`;
}

const paused = ({ id }: Send) => `${id} is paused. What was on its way is finished; nothing new starts.`;
const resumed = ({ id }: Send) => `${id} goes on.`;
const stopped = ({ id, counts }: Send) =>
  `${id} is stopped for good. ${people(counts.pending)} not tried yet get nothing.`;
const cancelled = ({ id }: Send) => `${id} is cancelled. Nothing was sent.`;

async function handleRetry(
  args: SendClick,
  group: RetryGroup,
  dependencies: ProgressDependencies,
): Promise<void> {
  await args.ack();
  await answerClick(args, retryText(await retry(args, group, dependencies)));
}

/** The question is answered for everyone to see: who chose, and what came of it. */
async function handleRetryUnknown(args: SendClick, dependencies: ProgressDependencies): Promise<void> {
  await args.ack();
  const result = await retry(args, 'unknown', dependencies);
  // Whoever was quicker has answered the question.
  if (result.state === 'refused' || result.state === 'repeated') return answerClick(args, retryText(result));
  const { now } = dependencies.clock;
  const { userId } = clickerOf(args);
  await settleQuestion(args, `${mention(userId)}, ${moment(now())}: send again. ${retryText(result)}`);
}

async function handleLeave(args: SendClick, { store, clock }: ProgressDependencies): Promise<void> {
  await args.ack();
  const sendId = args.action.value ?? '';
  const send = await store.find(sendId);
  if (send === undefined) return answerClick(args, NO_SUCH_SEND);
  const { userId } = clickerOf(args);
  await store.noteOnce({ sendId, action: 'left_unknown', at: clock.now(), actor: userId });
  const unknown = people(send.counts.unknown);
  await settleQuestion(
    args,
    `${mention(userId)}, ${moment(clock.now())}: leave it. ${unknown} may have received ${sendId}, and are not sent to again.`,
  );
}

/** To wait is what happens anyway; that somebody chose it is kept, and seen by everyone who reads the question. */
async function handleWait(args: SendClick, { store, clock }: ProgressDependencies): Promise<void> {
  await args.ack();
  const sendId = args.action.value ?? '';
  const send = await store.find(sendId);
  if (send === undefined) return answerClick(args, NO_SUCH_SEND);
  const { userId } = clickerOf(args);
  if (send.state !== 'paused' || send.resumeAt === undefined)
    return answerClick(args, `Nothing holds it back any more. ${await howItStands(send, store)}`);
  await store.noteOnce({ sendId, action: 'chose_to_wait', at: clock.now(), actor: userId });
  await settleQuestion(
    args,
    `${mention(userId)}, ${moment(clock.now())}: wait. ${people(send.counts.pending)} left; it goes on by itself ${moment(send.resumeAt)}.`,
  );
}

/** Puts the answer in the place of the question and its buttons. */
async function settleQuestion({ respond }: SendClick, text: string): Promise<void> {
  await respond({ replace_original: true, text, blocks: [section(text)] });
}

/** However often and by however many people it is clicked, `sends` makes one of it. */
function retry(
  args: SendClick,
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
