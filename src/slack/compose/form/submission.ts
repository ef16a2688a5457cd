import type { ModalView } from '@slack/types';
import { given } from '../../../core/given.ts';
import { LATE } from '../../../core/within.ts';
import { KINDS } from '../../../messages/kinds.ts';
import { parseSubmission } from '../../../messages/parse-submission.ts';
import type { Issue } from '../../../messages/submission.ts';
import type { BulkResult } from '../../../sends/bulk.ts';
import type { Origin } from '../../../sends/send.ts';
import type { SubmitResult } from '../../../sends/service.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { modal, moment, sayingView, section } from '../../kit/blocks/blocks.ts';
import type { SubmissionArguments, SubmissionHandler } from '../../kit/clicks/arguments.ts';
import { formContext } from '../../kit/forms/form-context.ts';
import { errors } from '../../kit/forms/issues-to-errors.ts';
import { answerLate, showing } from '../../kit/views/answer-late.ts';
import type { Compose } from '../compose.ts';
import { loadList } from '../list/list.ts';
import { reviewList } from '../list/review-list.ts';
import { alreadySent, LIST_GONE, LIST_SLOW, TAKING_LONGER } from '../sentences.ts';
import { whoWasFirst } from '../start/again.ts';
import { answerIn } from '../start/answer.ts';
import { composeView, isChoosing } from './form-view.ts';
import { carriedOn, counted, kindOf, messageFor, startIn } from './open-form.ts';
import { sourceIn } from './recipients.ts';
import {
  channelIssues,
  errorAt,
  messageValues,
  personIn,
  type ReadForm,
  readForm,
  refuseAll,
} from './submitted-form.ts';

/**
 * A form was submitted. Either it becomes one send, named by the view's id so that a second delivery or a second
 * press sends nothing more, and closes; or it stays open with every value and a sentence under each field at
 * fault. Acknowledged within about two seconds whatever the store does.
 */
export const handleSubmission: SubmissionHandler<Compose> = async ({ body, ack, client }, compose) => {
  const { view } = body;
  const kind = kindOf(view);
  if (kind === undefined)
    throw new Error('A view that is no form of a message reached its submission handler.');
  const startedAt = compose.clock.monotonic();
  const read = await readForm(kind, body, compose);
  if (read.state === 'refused') return ack(read.answer);
  const { form } = read;
  if (form.metadata.audienceId !== undefined && !isChoosing(form))
    return askForList(form, startedAt, { body, ack, client }, compose);
  if (sourceIn(form.values) !== 'one') return reviewList(form, startedAt, { body, ack, client }, compose);
  const { channelId } = form;
  const { answering } = form.metadata;
  const answer = answering && (await answerIn(answering, compose));
  if (typeof answer === 'string') return ack(refuseAll(view, answer));
  const values = { ...messageValues(form.values), ...given({ to: answer?.to }) };
  const parsed = parseSubmission(kind, formContext(compose, form.template), values);
  const issues = [...(parsed.ok ? [] : parsed.error), ...channelIssues(channelId)];
  if (!parsed.ok || channelId === undefined) return ack(errors(issues, view));
  const submission = parsed.value;
  const origin: Origin = { ...personIn(body), channelId, ...answer?.thread };
  const { again } = form.metadata;
  const requestKey = answer?.requestKey ?? view.id;
  const asked = { ...submission, origin, requestKey, ...given({ retryOf: again }) };
  const submitting = compose.sends.submit(asked);
  const { title } = KINDS[kind];
  const answers = {
    inTime: async (result: SubmitResult) => {
      const sentence = await whyNotStarted(result, compose);
      if (sentence === undefined) return ack({ response_action: 'clear' });
      await ack(result.state === 'waits' ? showing(sayingView(title, sentence)) : refuseAll(view, sentence));
    },
    meanwhile: sayingView(title, TAKING_LONGER),
    late: async (result: SubmitResult) => {
      const sentence = await whyNotStarted(result, compose);
      return sentence === undefined ? {} : { word: () => ({ sentence, channelId }) };
    },
  };
  await answerLate({ body, ack, client }, submitting, answers, compose, startedAt);
};

async function whyNotStarted(result: SubmitResult, compose: Compose): Promise<string | undefined> {
  switch (result.state) {
    case 'started':
      return undefined;
    case 'repeated':
      return result.send.retryOf === undefined
        ? alreadySent(result.send.id)
        : whoWasFirst(result.send, compose);
    case 'waits':
    case 'refused':
      return `${result.what} ${result.next}`;
  }
}

/**
 * The last look at a message and its list was submitted: it becomes one bulk send, named by the view's id so that a
 * second delivery or a second press asks for nothing more. Afterwards the window says where the send stands.
 */
async function askForList(
  form: ReadForm,
  startedAt: number,
  { body, ack, client }: SubmissionArguments,
  compose: Compose,
): Promise<void> {
  const { kind, values, metadata, channelId } = form;
  const { view } = body;
  const list = await loadList(metadata, compose);
  if (list === LATE) return ack(refuseAll(view, LIST_SLOW));
  if (list === undefined) return ack(refuseAll(view, LIST_GONE));
  const { audience } = list;
  const parsed = messageFor(form, audience, compose);
  const issues: readonly Issue[] = [...(parsed.ok ? [] : parsed.error), ...channelIssues(channelId)];
  if (!parsed.ok || channelId === undefined || issues.length > 0) return ack(errors(issues, view));

  const origin: Origin = { ...personIn(body), channelId };
  const asking = compose.bulkSends.request({
    message: parsed.value,
    audienceId: audience.id,
    origin,
    requestKey: view.id,
    ...startIn(values),
  });
  const answers = {
    inTime: async (result: BulkResult) =>
      ack(
        result.state === 'refused'
          ? errorAt(result.path ?? '', `${result.what} ${result.next}`, view)
          : showing(resultView(form, result, compose)),
      ),
    meanwhile: sayingView(KINDS[kind].title, TAKING_LONGER),
    late: async (result: BulkResult) => {
      const taken = result.state !== 'refused';
      const sentence = taken ? outcome(result, compose) : `${result.what} ${result.next}`;
      const again = { ...carriedOn(metadata), ...form, list, notes: [sentence] };
      const next = taken
        ? resultView(form, result, compose)
        : composeView((await counted(again, view.id, compose)).form, compose);
      return { view: next, word: () => ({ sentence, channelId }) };
    },
  };
  await answerLate({ body, ack, client }, asking, answers, compose, startedAt);
}

type Taken = Exclude<BulkResult, { state: 'refused' }>;

/** What stands in the window once the send was taken. As mrkdwn, made by Herald alone. */
function outcome({ state, send }: Taken, { approvals }: Compose): string {
  const start = send.startAt === undefined ? '' : ` It starts ${moment(send.startAt)}.`;
  switch (state) {
    case 'awaiting_approval': {
      const channel = approvals.channel ?? send.origin.channelId;
      const when = send.startAt === undefined ? '' : ` Once approved, it starts ${moment(send.startAt)}.`;
      return `Waiting for approval in <#${escapeMrkdwn(channel)}>. Nothing was sent yet. Reference ${send.id}.${when}`;
    }
    case 'started':
      return start === ''
        ? `It is being sent; progress is shown in <#${escapeMrkdwn(send.origin.channelId)}>. Reference ${send.id}.`
        : `It is scheduled. Nothing was sent yet.${start} Reference ${send.id}.`;
    case 'repeated':
      return escapeMrkdwn(alreadySent(send.id));
  }
}

function resultView({ kind }: ReadForm, result: Taken, compose: Compose): ModalView {
  return modal({ title: KINDS[kind].title, blocks: [section(outcome(result, compose))] });
}
