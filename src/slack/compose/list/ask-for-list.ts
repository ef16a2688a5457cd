import type { ModalView } from '@slack/types';
import { LATE } from '../../../core/within.ts';
import { KINDS } from '../../../messages/kinds.ts';
import type { Issue } from '../../../messages/submission.ts';
import type { BulkResult } from '../../../sends/bulk.ts';
import type { Origin } from '../../../sends/send.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { modal, moment, sayingView, section } from '../../kit/blocks/blocks.ts';
import type { SubmissionArguments } from '../../kit/clicks/arguments.ts';
import { errors } from '../../kit/forms/issues-to-errors.ts';
import { answerLate, showing } from '../../kit/views/answer-late.ts';
import type { Compose } from '../compose.ts';
import { composeView } from '../form/form-view.ts';
import { carriedOn } from '../form/open-view.ts';
import { channelIssues, errorAt, personIn, type ReadForm, refuseAll } from '../form/submitted-form.ts';
import { alreadySent, LIST_GONE, LIST_SLOW, TAKING_LONGER } from '../sentences.ts';
import { counted, messageFor, startIn } from './counted.ts';
import { loadList } from './list.ts';

/**
 * The last look at a message and its list was submitted: it becomes one bulk send, named by the view's id so that a
 * second delivery or a second press asks for nothing more. Afterwards the window says where the send stands.
 */
export async function askForList(
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
